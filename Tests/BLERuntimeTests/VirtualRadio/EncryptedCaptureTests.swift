import BLETestSupport
import BLEController
import BLERuntime
import BLEWire
import Glibc
import Testing

/// A capture of an encrypted air and the keys to it. `make test` lets a program of its own decrypt what is kept here.
@Suite struct EncryptedCaptureTests {
    private let folder = TemporaryFolder()

    /// Two controllers whose hosts are the test.
    private struct Scene {
        var radio: Radio
        let ids: [ControllerID]
        var handles = [ConnectionHandle(rawValue: 0), ConnectionHandle(rawValue: 0)]
        var now = Instant.start
        var received: [[[UInt8]]] = [[], []]
        var keyRequests = 0
        private let file: AirCaptureFile
        private var out: [RadioOutput] = []

        init(_ file: AirCaptureFile, exportsKeys: Bool) {
            var settings = RadioSettings()
            settings.capturesAir = true
            settings.exportsKeys = exportsKeys
            var radio = Radio(seed: 3, settings: settings)
            ids = (1...2).map { last in
                radio.addController(
                    ControllerProfile(address: DeviceAddress(0xC0FF_EE00_0000 | UInt64(last)), name: "\(last)"),
                    at: .start)
            }
            self.radio = radio
            self.file = file
        }

        mutating func send(_ packet: [UInt8], to device: Int) {
            radio.receive(packet, from: ids[device], at: now, into: &out)
            absorb()
        }

        mutating func run(_ delay: Delay) {
            let end = now + delay
            while let next = radio.nextDeadline, next <= end {
                now = max(now, next)
                radio.advance(to: now, into: &out)
                absorb()
            }
            now = end
        }

        private mutating func absorb() {
            let fresh = out
            out = []
            for output in fresh {
                switch output {
                case .air(let packet): file.record([(1_000_000_000_000_000_000 + packet.time.nanoseconds, packet)])
                case .keys(let keys): file.record(keys)
                case .packet(let id, let packet): take(packet, of: id == ids[0] ? 0 : 1)
                case .trace, .state: break
                }
            }
        }

        private mutating func take(_ packet: [UInt8], of device: Int) {
            switch try? HCIPacket(decoding: packet) {
            case .aclData(let data): received[device].append(data.payloadOctets)
            case .event(.leConnectionComplete(let event)): handles[device] = event.handle
            case .event(.leLongTermKeyRequest(let event)):
                keyRequests += 1
                send(
                    LELongTermKeyRequestReply(handle: event.handle, longTermKey: UInt128(0xFEED) << 96 | 5).packet(),
                    to: device)
            default: break
            }
        }

        /// A notification of the value at handle 3.
        mutating func notify(_ value: [UInt8], from device: Int) {
            let frame = [UInt8(value.count + 3), 0, 4, 0, 0x1B, 3, 0] + value
            send(HCIACLData.packet(handle: handles[device], boundary: .firstFromHost, payload: frame), to: device)
        }

        mutating func encrypt() {
            send(
                LEEnableEncryption(handle: handles[0], longTermKey: UInt128(0xFEED) << 96 | 5).packet(), to: 0)
            run(.seconds(1))
        }
    }

    /// A link that is encrypted, has its key renewed, and loses packets all the time.
    private func record(to path: String, keys: String?) throws -> Scene {
        var scene = Scene(try AirCaptureFile(path: path, keys: keys), exportsKeys: keys != nil)
        for device in 0...1 {
            scene.send(HCISetEventMask(mask: HCIEventMask.standard.union(.leMeta)).packet(), to: device)
        }
        scene.send(LESetAdvertisingEnable(isEnabled: true).packet(), to: 1)
        scene.send(
            LECreateConnection(peer: DeviceAddress(0xC0FF_EE00_0002), supervisionTimeout: 1000).packet(), to: 0)
        scene.run(.seconds(4))
        scene.notify(Array("plain".utf8), from: 1)
        scene.run(.seconds(1))
        scene.radio.setLoss(0.2, between: scene.ids[0], and: scene.ids[1])
        for round in 0..<2 {
            scene.encrypt()
            for number in 0..<10 {
                scene.notify(Array("secret \(round) \(number)".utf8), from: number % 2)
            }
            scene.run(.seconds(2))
        }
        return scene
    }

    @Test func `an encrypted link is captured with the keys to it, where they are asked for`() throws {
        let kept = getenv("RAVNING_TEST_CAPTURES").map { String(cString: $0) } ?? folder.path
        let keys = kept + "/link-encrypted.keys"
        let scene = try record(to: kept + "/link-encrypted.pcap", keys: keys)
        #expect(scene.keyRequests == 2)
        #expect(scene.received.map(\.count) == [11, 10])
        let lines = read(keys).split(separator: "\n")
        #expect(lines.first == "ravning-keys 1")
        let sessions = lines.dropFirst().filter { $0.hasPrefix("keys ") }
        #expect(sessions.count == 2)
        #expect(sessions.allSatisfy { $0.split(separator: " ").map(\.count) == [4, 8, 32, 32, 16] })
        #expect(sessions.allSatisfy { $0.contains(" 0000FEED000000000000000000000005 ") })
        var status = stat()
        #expect(stat(keys, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `P12 without that no key is written anywhere`() throws {
        let path = folder.path + "/air-encrypted.pcap"
        let scene = try record(to: path, keys: nil)
        #expect(scene.keyRequests == 2)
        #expect(access(folder.path + "/air-encrypted.keys", F_OK) != 0)
        // Octets: what stands beside a text may join it to another character.
        let octets = Array(read(path).utf8)
        #expect(!octets.contains(Array("secret".utf8)))
        #expect(octets.contains(Array("plain".utf8)))
    }

    private func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: octets, as: UTF8.self) }
            octets += buffer[..<count]
        }
    }
}
