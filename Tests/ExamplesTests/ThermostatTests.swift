import CoreBluetoothSimulation
import Foundation
import Testing
import ThermostatClientProgram
import ThermostatProgram

/// Tutorial 4: connecting, receiving, sending.
@Suite struct ThermostatTests {
    private func run(_ options: ThermostatClient.Options = .init()) -> (Stage.Place, Stage.Place) {
        let stage = Stage()
        let wall = stage.place("wall")
        let phone = stage.place("phone")
        let thermostat = Thermostat(after: wall.after, say: wall.say)
        wall.run { thermostat.start(queue: wall.queue) }
        let client = ThermostatClient(options: options, after: phone.after, say: phone.say, finish: phone.finish)
        phone.run { client.start(queue: phone.queue) }
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        withExtendedLifetime((thermostat, client)) {}
        return (wall, phone)
    }

    @Test func `discovery finds more services than are advertised, and prints the objects`() {
        let (_, phone) = run()
        #expect(phone.exitCode == 0, "\(phone.lines)")
        #expect(phone.said("which advertises 1 service"))
        #expect(phone.said("it has 3 services"))
        #expect(phone.count("<CBService: 0x") == 3)
        #expect(phone.count("<CBCharacteristic: 0x") == 3)
    }

    @Test func `a value that is read and values that are notified come through the same callback`() {
        let (_, phone) = run()
        #expect(phone.saidInOrder("temperature 18.5 °C", "subscription to Temperature: on"), "\(phone.lines)")
        #expect(phone.count("temperature ") >= 3)
    }

    @Test func `a subscription that fails is printed with its cause`() {
        let (_, phone) = run()
        #expect(phone.said("subscription to 0B7C9C31-5B5E-4D7A-9E5C-2F6B3C1A7E01: The request is not supported."))
    }

    @Test func `a target is written with response, and one that is refused is printed with its cause`() {
        let (wall, phone) = run()
        #expect(phone.saidInOrder("target written: yes", "target written: Unlikely error.", "target 21.5 °C"))
        #expect(wall.saidInOrder("the target is 21.5 °C", "a target of 99.0 °C is refused"))
    }
}
