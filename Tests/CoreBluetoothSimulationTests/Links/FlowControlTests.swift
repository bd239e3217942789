import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Ten thousand values through four controller buffers. [field cases F12, F13]
@Suite struct FlowControlTests {
    private let world = World(seed: 1)

    /// A slow link: packets of 27 octets, 1M, 100 ms between events, four buffers.
    private var slow: PhoneProfile {
        var profile = PhoneProfile.bluetooth4
        profile.controllerBuffers = 4
        profile.connectionInterval = .milliseconds(100)
        profile.supervisionTimeout = .seconds(4)
        return profile
    }

    private static func octets(_ number: Int) -> Data { Data([UInt8(number >> 8), UInt8(number & 0xFF)]) }

    @Test func `ten thousand writes without response arrive whole and in order`() throws {
        let inbox = Diary()
        world.addPeripheral(
            VirtualPeripheral("sink").advertising().service(
                CBUUID(string: "AA00"),
                VirtualCharacteristic(CBUUID(string: "AA01"), .writeWithoutResponse).onWrite { _, value in
                    inbox.write(value.hex)
                }))
        let central = CentralProgram(world, on: world.addPhone("phone", profile: slow))
        let peripheral = try #require(central.reach("sink"))
        let target = try #require(central.characteristic("AA01", of: peripheral))
        var next = 0
        var refills = 0
        let send = {
            while next < 10_000, peripheral.canSendWriteWithoutResponse {
                peripheral.writeValue(Self.octets(next), for: target, type: .withoutResponse)
                next += 1
            }
            if next < 10_000 { refills += 1 }
        }
        central.onReadyToWrite = { _ in send() }
        send()
        #expect(world.run(until: { inbox.count("") == 10_000 }, timeout: .seconds(600)))
        #expect(inbox.entries == (0..<10_000).map { Self.octets($0).hex })
        // One callback for each time that it was full.
        #expect(central.count("ready to write") == refills)
    }

    @Test func `ten thousand notifications arrive whole and in order, with one callback for each refusal`() throws {
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "BB01"), properties: .notify, value: nil, permissions: .readable)
        let program = PeripheralProgram(world, on: world.addPhone("source", profile: slow))
        #expect(program.publish([PeripheralProgram.service("BB00", value)], name: "source"))
        let central = CentralProgram(world, on: world.addPhone("phone", profile: slow))
        let peripheral = try #require(central.reach("source"))
        #expect(central.subscribe(to: try #require(central.characteristic("BB01", of: peripheral))))
        var next = 0
        var refusals = 0
        let send = {
            while next < 10_000 {
                guard program.manager.updateValue(Self.octets(next), for: value, onSubscribedCentrals: nil) else {
                    refusals += 1
                    return
                }
                next += 1
            }
        }
        program.onReady = send
        send()
        let isDone = world.run(until: { central.count("value BB01") == 10_000 }, timeout: .seconds(600))
        #expect(isDone)
        #expect(
            central.lines.filter { $0.hasPrefix("value") }
                == (0..<10_000).map { "value BB01 \(Self.octets($0).hex) ok" })
        #expect(program.count("ready to update") == refusals)
    }

    @Test func `an update is refused exactly when the queue is full`() throws {
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "BB01"), properties: .notify, value: nil, permissions: .readable)
        var profile = slow
        profile.updateQueueDepth = 7
        let program = PeripheralProgram(world, on: world.addPhone("source", profile: profile))
        #expect(program.publish([PeripheralProgram.service("BB00", value)], name: "source"))
        let central = CentralProgram(world, on: world.addPhone("phone", profile: slow))
        let peripheral = try #require(central.reach("source"))
        #expect(central.subscribe(to: try #require(central.characteristic("BB01", of: peripheral))))
        let answers = (0..<10).map {
            program.manager.updateValue(Self.octets($0), for: value, onSubscribedCentrals: nil)
        }
        #expect(answers == Array(repeating: true, count: 7) + [false, false, false])
        world.advance(by: .seconds(5))
        #expect(program.count("ready to update") == 1)
        #expect(central.count("value BB01") == 7)
    }

    @Test func `five hundred updates through a queue of two arrive by the tutorials' pattern`() throws {
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "BB01"), properties: .notify, value: nil, permissions: .readable)
        var profile = slow
        profile.updateQueueDepth = 2
        let program = PeripheralProgram(world, on: world.addPhone("source", profile: profile))
        #expect(program.publish([PeripheralProgram.service("BB00", value)], name: "source"))
        let central = CentralProgram(world, on: world.addPhone("phone", profile: slow))
        let peripheral = try #require(central.reach("source"))
        #expect(central.subscribe(to: try #require(central.characteristic("BB01", of: peripheral))))
        var next = 0
        let send = {
            while next < 500, program.manager.updateValue(Self.octets(next), for: value, onSubscribedCentrals: nil) {
                next += 1
            }
        }
        program.onReady = send
        send()
        #expect(world.run(until: { central.count("value BB01") == 500 }, timeout: .seconds(100)))
        #expect(
            central.lines.filter { $0.hasPrefix("value") } == (0..<500).map { "value BB01 \(Self.octets($0).hex) ok" })
    }

    @Test func `ten thousand indications are confirmed, and one that isn't doesn't hold up the sender`() throws {
        // Field case F43.
        let device = world.addPeripheral(
            VirtualPeripheral("source").advertising().connectable(links: 2).service(
                CBUUID(string: "AA00"), VirtualCharacteristic(CBUUID(string: "AA01"), .indicate)))
        var profile = PhoneProfile()
        profile.connectionInterval = .milliseconds(7.5)
        let staying = CentralProgram(world, on: world.addPhone("stays", profile: profile))
        let leaving = CentralProgram(world, on: world.addPhone("leaves", profile: profile))
        for central in [staying, leaving] {
            let peripheral = try #require(central.reach("source"))
            #expect(central.subscribe(to: try #require(central.characteristic("AA01", of: peripheral))))
        }
        let sent = 10_000
        var number = 0
        while number < sent {
            if number == sent / 2 { leaving.phone.setOutOfRange(of: device) }
            device.notify(Self.octets(number), of: CBUUID(string: "AA01"))
            number += 1
            world.run(until: { staying.count("value") == number }, timeout: .seconds(1))
        }
        #expect(staying.count("value AA01") == sent)
        world.advance(by: .seconds(2))
        // The last one before it left may have been on its way.
        #expect(leaving.count("value AA01") >= sent / 2 - 1)
        #expect(leaving.has("disconnected source CBError.6"))
        #expect(device.connections == 1)
    }
}
