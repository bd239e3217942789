import BLETestSupport
import BLERuntime
import BLETransport
import BLEWire
import Testing

/// Who hosts a radio, and who joins it.
@Suite struct RadioHostTests {
    private let folder = TemporaryFolder()
    private let name = RadioName(nearest: "lab")

    private func directory() throws -> RuntimeDirectory { try RuntimeDirectory(path: folder.path) }
    private var hosting: HostedRadioSettings { HostedRadioSettings(name: name, seed: 1) }

    private func opener(_ device: String, mayHost: Bool = true) throws -> VirtualRadioOpener {
        let identity = try DeviceIdentity.claim(
            RadioName(nearest: device), on: name, state: StateFolder(path: folder.path + "/state"))
        return VirtualRadioOpener(name, in: try directory(), as: identity, hosting: mayHost ? hosting : nil)
    }

    @Test func `hosts a radio once`() throws {
        let first = try RadioHost.start(hosting, in: try directory())
        let second = try RadioHost.start(hosting, in: try directory())
        #expect(first != nil)
        #expect(second == nil)
        #expect(try directory().radios == [name])
        first?.stop()
    }

    @Test func `joins the radio that is there`() throws {
        let host = try RadioHost.start(hosting, in: try directory())
        defer { host?.stop() }
        let opener = try opener("Band")
        defer { opener.close() }
        let transport = try opener.open()
        defer { transport.close() }
        #expect(!opener.isHost)
        #expect(host?.radio.hostCount == 1)
    }

    @Test func `hosts the radio where nobody does, and others join it`() throws {
        let (first, second) = (try opener("Band"), try opener("Band"))
        let transports = [try first.open(), try second.open()]
        #expect(first.isHost)
        #expect(!second.isHost)
        second.close()
        first.close()
        for transport in transports { transport.close() }
    }

    @Test func `takes over when the host is gone and has left its socket behind`() throws {
        let (first, second) = (try opener("Band"), try opener("Band"))
        try first.open().close()
        first.close()
        let transport = try second.open()
        #expect(second.isHost)
        transport.close()
        second.close()
    }

    @Test func `says that nobody hosts the radio where it may not itself`() throws {
        let opener = try opener("Band", mayHost: false)
        #expect {
            try opener.open()
        } throws: { error in
            (error as? TransportError)?.description
                == "virtual:lab: nobody listens there; start it with `ravning radio`"
        }
    }
}
