import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Statements of the behaviour contract about L2CAP channels, over real packets in virtual time.
@Suite struct ContractChannelTests {
    private func pair() throws -> ChannelPair { try #require(ChannelPair()) }

    /// A pair with an open channel, its streams open.
    private func stream() throws -> (ChannelPair, central: ChannelEnd, server: ChannelEnd) {
        let pair = try pair()
        let ends = try #require(pair.open())
        ends.central.open()
        ends.server.open()
        pair.world.advance(by: .milliseconds(1))
        return (pair, ends.central, ends.server)
    }

    @Test func `117 the system chooses a PSM from 0x80 to 0xFF, another one for each channel`() throws {
        let pair = try pair()
        #expect(pair.psm == 193)
        #expect(pair.server.has("published 193 ok"))
        #expect(pair.publish() == 194)
    }

    @Test func `117 without a free PSM there is an error, and the PSM is 0`() throws {
        let pair = try pair()
        for _ in 0..<127 { _ = try #require(pair.publish()) }
        #expect(Set(pair.server.psms) == Set(0x80...0xFF))
        #expect(pair.publish() == 0)
        #expect(pair.server.lines.last == "published 0 CBError.4")
    }

    @Test func `118 both sides get the channel, with its PSM and its peer`() throws {
        let pair = try pair()
        pair.peripheral.openL2CAPChannel(pair.psm)
        pair.world.run(until: { !pair.central.channels.isEmpty && !pair.server.channels.isEmpty })
        #expect(pair.central.has("opened 193 ok"))
        #expect(pair.server.has("opened 193 ok"))
        #expect(pair.central.channels[0].peer === pair.peripheral)
        #expect(pair.server.channels[0].peer is CBCentral)
        #expect(pair.central.channels[0].psm == 193)
    }

    @Test func `118 a PSM that isn't published is an error, without a channel`() throws {
        let pair = try pair()
        pair.peripheral.openL2CAPChannel(0x90)
        #expect(pair.central.wait(for: "opened nil CBError.13"))
        #expect(pair.server.count("opened") == 0)
    }

    @Test func `118 several channels of one PSM carry each their own`() throws {
        let pair = try pair()
        let ends = try (0..<3).map { _ in try #require(pair.open()) }
        for (number, end) in ends.enumerated() {
            end.central.open()
            end.server.open()
            end.central.outbox = Data([UInt8(number), 0x11])
            end.server.outbox = Data([UInt8(number), 0x22])
        }
        pair.world.run(until: { ends.allSatisfy { $0.central.received.count == 2 && $0.server.received.count == 2 } })
        for (number, end) in ends.enumerated() {
            #expect(end.server.received == Data([UInt8(number), 0x11]))
            #expect(end.central.received == Data([UInt8(number), 0x22]))
        }
    }

    @Test func `119 a channel that isn't kept closes`() throws {
        let (pair, central, server) = try stream()
        central.channel = nil
        pair.world.run(until: { server.diary.count("input end") == 1 }, timeout: .seconds(5))
        #expect(server.diary.entries.suffix(2).sorted() == ["input end", "output end"])
        #expect(pair.peripheral.state == .connected)
    }

    @Test func `119 a channel that the other side doesn't keep closes too`() throws {
        let (pair, central, server) = try stream()
        server.channel = nil
        pair.world.run(until: { central.diary.count("input end") == 1 }, timeout: .seconds(5))
        #expect(central.input.streamStatus == .atEnd)
    }

    @Test func `119 the streams are delivered closed, and say nothing until they are opened`() throws {
        let pair = try pair()
        let ends = try #require(pair.open())
        pair.world.advance(by: .seconds(1))
        #expect(ends.central.input.streamStatus == .notOpen)
        #expect(ends.central.output.streamStatus == .notOpen)
        #expect(!ends.central.output.hasSpaceAvailable)
        #expect(ends.central.output.write([1], maxLength: 1) == -1)
        #expect(ends.central.diary.entries.isEmpty)
        ends.central.open()
        pair.world.advance(by: .milliseconds(1))
        #expect(ends.central.diary.entries == ["input open", "output open", "output space"])
    }

    @Test func `120 unpublishing closes the channels, then is told; the PSM can't be opened any more`() throws {
        let (pair, central, server) = try stream()
        pair.server.manager.unpublishL2CAPChannel(pair.psm)
        pair.world.run(until: { central.diary.count("input end") == 1 }, timeout: .seconds(5))
        #expect(pair.server.has("unpublished 193 ok"))
        #expect(server.diary.count("input end") == 1)
        pair.peripheral.openL2CAPChannel(pair.psm)
        #expect(pair.central.wait(for: "opened nil CBError.13"))
    }

    @Test func `120 unpublishing what isn't published is an error`() throws {
        let pair = try pair()
        pair.server.manager.unpublishL2CAPChannel(0x99)
        pair.world.advance(by: .milliseconds(1))
        #expect(pair.server.lines.last == "unpublished 153 CBError.1")
    }

    @Test func `121 what the peer sent before it closed can be read before the end`() throws {
        let (pair, central, server) = try stream()
        server.appetite = 0
        central.outbox = Data(repeating: 7, count: 5000)
        central.write()
        central.input.close()
        central.output.close()
        pair.world.advance(by: .seconds(2))
        #expect(server.diary.count("input end") == 0)
        server.appetite = .max
        server.read(1)
        pair.world.run(until: { server.diary.count("input end") == 1 }, timeout: .seconds(5))
        #expect(server.received == Data(repeating: 7, count: 5000))
        #expect(server.input.streamStatus == .atEnd)
        var buffer: [UInt8] = [0]
        #expect(server.input.read(&buffer, maxLength: 1) == 0)
        #expect(server.output.write([1], maxLength: 1) == -1)
    }

    @Test func `121 a peer that disconnects is an error event, one that is out of range another`() throws {
        let (pair, central, server) = try stream()
        pair.central.manager.cancelPeripheralConnection(pair.peripheral)
        pair.world.run(until: { server.diary.count("input error") == 1 }, timeout: .seconds(5))
        #expect(server.diary.entries.contains("input error CBError.7"))
        #expect(server.diary.entries.contains("output error CBError.7"))
        #expect(server.input.streamStatus == .error)
        // At our own wish it is an end.
        #expect(central.diary.count("input end") == 1)

        let (other, lost, _) = try stream()
        other.central.phone.setOutOfRange(of: other.server.phone)
        other.world.run(until: { lost.diary.count("input error") == 1 }, timeout: .seconds(10))
        #expect(lost.diary.entries.contains("input error CBError.6"))
    }

    @Test func `121 switching the radio off ends the channels of both sides`() throws {
        let (pair, central, server) = try stream()
        pair.server.phone.powerOff()
        pair.world.run(until: { central.diary.count("input error") == 1 }, timeout: .seconds(10))
        #expect(server.diary.count("input error") == 1)
        #expect(server.output.write([1], maxLength: 1) == -1)
    }

    @Test func `122 a channel that needs encryption makes the phone pair, and is open then`() throws {
        let pair = try pair()
        let psm = try #require(pair.publish(encrypted: true))
        pair.peripheral.openL2CAPChannel(psm)
        #expect(pair.central.wait(for: "opened \(psm) ok"), "\(pair.central.lines)")
        #expect(pair.server.has("opened \(psm) ok"))
        #expect(pair.central.count("opened") == 1)
        #expect(pair.world.run { pair.central.phone.bonds == 1 })
        // Where the link is encrypted already, nothing more is asked.
        pair.peripheral.openL2CAPChannel(psm)
        #expect(pair.world.run { pair.central.count("opened \(psm) ok") == 2 })
        #expect(pair.central.phone.bonds == 1)
    }

    @Test func `122 a pairing that is refused is the error of didOpen, and the next try may succeed`() throws {
        let pair = try pair()
        let psm = try #require(pair.publish(encrypted: true))
        pair.central.phone.pairing.person = .refuses
        pair.peripheral.openL2CAPChannel(psm)
        #expect(pair.central.wait(for: "opened nil CBATTError.5"), "\(pair.central.lines)")
        #expect(pair.server.count("opened") == 0)
        pair.central.phone.pairing.person = .agrees
        pair.peripheral.openL2CAPChannel(psm)
        #expect(pair.central.wait(for: "opened \(psm) ok"), "\(pair.central.lines)")
    }

    @Test func `122 two channels that wait for one pairing are both opened`() throws {
        let pair = try pair()
        let psm = try #require(pair.publish(encrypted: true))
        pair.peripheral.openL2CAPChannel(psm)
        pair.peripheral.openL2CAPChannel(psm)
        #expect(pair.world.run { pair.central.count("opened \(psm) ok") == 2 })
        #expect(pair.world.run { pair.central.phone.bonds == 1 })
    }

    @Test func `122 a link that ends while a channel waits for its security is an error`() throws {
        let pair = try pair()
        let psm = try #require(pair.publish(encrypted: true))
        pair.server.phone.pairing.person = .asked
        pair.peripheral.openL2CAPChannel(psm)
        pair.world.advance(by: .seconds(1))
        #expect(pair.central.count("opened") == 0)
        pair.server.phone.powerOff()
        #expect(pair.world.run { pair.central.count("disconnected") == 1 })
        #expect(pair.central.count("opened nil") <= 1)
    }
}
