import BLETestSupport
import BLEBackend
import BLERuntime
import BLEWire
import Glibc
import Testing

@Suite struct FileDeviceStoreTests {
    private let band = DeviceAddress(0xC0_11_22_33_44_55, .randomDevice)
    private let folder = TemporaryFolder()

    private func open() -> FileDeviceStore {
        FileDeviceStore(folder: folder.path, random: SystemRandomNumberGenerator())
    }

    private func write(_ text: String) {
        let file = fopen(folder.path + "/peers", "w")
        fputs(text, file)
        if let file { fclose(file) }
    }

    @Test(arguments: ["Band", "", "a b%20c", "line\nfeed\tand \u{1F600}", "e\u{301}"])
    func `identifiers and names are there in the next run`(name: String) {
        let first = open()
        let peer = first.peer(at: band)
        first.setDeviceName(name, of: peer)
        #expect(first.needsSaving)
        first.save()
        #expect(!first.needsSaving)
        let second = open()
        #expect(second.address(of: peer) == band)
        #expect(second.name(of: peer) == name)
        #expect(second.peer(at: band) == peer)
    }

    @Test func `another store gives other identifiers`() {
        let peer = open().peer(at: band)
        unlink(folder.path + "/peers")
        #expect(open().peer(at: band) != peer)
    }

    @Test func `the file is its owner's alone`() {
        open().save()
        var status = stat()
        #expect(stat(folder.path + "/peers", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: [
        "not a store\n", "", "ravning-peers 2\n", "ravning-peers 1\n", "ravning-peers 1\nkey 00\n",
        "ravning-peers 1\nkey 000102030405060708090A0B0C0D0E0F\npeer C0 random\n",
        "ravning-peers 1\nkey 000102030405060708090A0B0C0D0E0F\npeer C0:11:22:33:44:55 random name=%4\n",
        "ravning-peers 1\nkey 000102030405060708090A0B0C0D0E0F\npeer C0:11:22:33:44:55 random name=%FF\n",
        "ravning-peers 1\nkey 000102030405060708090A0B0C0D0E0F\npeer C0:11:22:33:44:55 bent\n",
    ])
    func `a damaged file is set aside and the store begins anew`(text: String) {
        write(text)
        _ = open()
        #expect(access(folder.path + "/peers.damaged", F_OK) == 0)
        #expect(access(folder.path + "/peers", F_OK) == 0)
    }

    @Test func `a store that can't be written goes on in memory`() {
        let store = FileDeviceStore(folder: "/nonexistent/ravning", random: SystemRandomNumberGenerator())
        let peer = store.peer(at: band)
        store.setDeviceName("Band", of: peer)
        store.save()
        #expect(!store.needsSaving)
        #expect(store.name(of: peer) == "Band")
    }
}
