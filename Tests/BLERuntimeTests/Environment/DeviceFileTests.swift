import BLETestSupport
import BLEHost
import BLERuntime
import BLETransport
import BLEWire
import Glibc
import Testing

@Suite struct DeviceFileTests {
    private func profile(_ text: String) throws -> PhoneProfile {
        var profile = PhoneProfile()
        try DeviceFile(path: "profile", text: text).apply(to: &profile)
        return profile
    }

    @Test func `changes what it names, and nothing else`() throws {
        var expected = PhoneProfile()
        expected.deviceName = "Old phone"
        expected.mtu = 23
        expected.exchangesMTU = false
        expected.preferredPHYs = nil
        expected.connection.intervalMinimum = 12
        expected.connection.intervalMaximum = 12
        expected.updateQueueDepth = 4
        let text = """
            # an old phone
            name = Old phone
            mtu=23   # the least

            exchanges-mtu = no\r
            requests-2m = no
            connection-interval = 12
            update-queue = 4
            """
        #expect(try profile(text) == expected)
    }

    @Test func `says nothing when it's empty or isn't there`() throws {
        #expect(try profile("") == PhoneProfile())
        var profile = PhoneProfile()
        try DeviceFile(folder: "/nowhere").apply(to: &profile)
        #expect(profile == PhoneProfile())
    }

    @Test func `a file that is there and can't be read is an error that names it`() {
        let folder = TemporaryFolder()
        mkdir(folder.path + "/profile", 0o700)
        #expect {
            try DeviceFile(folder: folder.path)
        } throws: {
            guard let error = $0 as? TransportError else { return false }
            return error.description.contains(folder.path + "/profile can't be read: Is a directory")
        }
    }

    @Test func `a file that is kept elsewhere and linked to counts`() throws {
        let folder = TemporaryFolder()
        let file = StateFile(folder.path + "/elsewhere")
        #expect(file.write(Array("mtu = 23\n".utf8)) == nil)
        #expect(symlink(file.path, folder.path + "/profile") == 0)
        var profile = PhoneProfile()
        try DeviceFile(folder: folder.path).apply(to: &profile)
        #expect(profile.mtu == 23)
    }

    @Test(arguments: [
        ("mtu", "line 1: isn't \"setting = value\""),
        ("\nmtu = ", "line 2: isn't \"setting = value\""),
        ("mtu = 22", "line 1: mtu is \"22\", which is no number from 23 to 517"),
        ("mtu = large", "line 1: mtu is \"large\", which is no number from 23 to 517"),
        ("exchanges-mtu = maybe", "line 1: exchanges-mtu is \"maybe\", not \"yes\" or \"no\""),
        ("# old\nmtus = 23", "line 2: names no setting: \"mtus\""),
    ])
    func `names the line that can't be read`(text: String, cause: String) {
        #expect {
            try profile(text)
        } throws: { error in
            (error as? TransportError)?.cause == "profile, " + cause
        }
    }
}
