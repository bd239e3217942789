import CoreBluetoothSimulation
import Foundation
import SerialModuleProgram
import SerialTerminalProgram
import Testing

/// Tutorial 4: a module that takes only writes without response.
@Suite struct SerialTests {
    private func module(_ place: Stage.Place, echo: Bool = true) -> SerialModule {
        var options = SerialModule.Options()
        options.echo = echo
        let program = SerialModule(options: options, say: place.say)
        place.run { program.start(queue: place.queue) }
        return program
    }

    private func terminal(_ place: Stage.Place, withResponse: Bool = false) -> SerialTerminal {
        var options = SerialTerminal.Options()
        options.withResponse = withResponse
        return SerialTerminal(options: options, say: place.say)
    }

    @Test func `a line is sent, echoed and printed`() {
        let stage = Stage()
        let box = stage.place("module")
        let phone = stage.place("phone")
        let device = module(box)
        let program = terminal(phone)
        program.onReady = { program.send(Data("hello\n".utf8)) }
        program.onReceive = { octets in
            phone.say("received " + String(decoding: octets, as: UTF8.self))
            program.leave()
        }
        program.onEnd = { phone.finish($0 == nil ? 0 : 1) }
        phone.run { program.start(queue: phone.queue) }
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(30))
        #expect(phone.exitCode == 0, "\(phone.lines)")
        #expect(phone.saidInOrder("found HMSoft", "connected", "ready", "received hello\n"))
        #expect(box.said("received hello"))
        withExtendedLifetime(device) {}
    }

    @Test func `a write with response is refused, after which writes without response arrive and have no callback`() {
        let stage = Stage()
        let box = stage.place("module")
        let phone = stage.place("phone")
        let device = module(box)
        let program = terminal(phone, withResponse: true)
        program.onReady = { program.send(Data("hello\n".utf8)) }
        phone.run { program.start(queue: phone.queue) }
        stage.world.run(until: { box.said("received hello") }, timeout: .seconds(30))
        #expect(phone.said("write with response: refused: Writing is not permitted."), "\(phone.lines)")
        #expect(phone.count("write with response") == 1)
        #expect(!box.said("received with response"))
        withExtendedLifetime(device) {}
    }

    @Test func `a file of 100 kB arrives whole and in order`() {
        let stage = Stage()
        let box = stage.place("module")
        let phone = stage.place("phone")
        let file = Data((0..<102_400).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let device = module(box, echo: false)
        let received = Received()
        device.onReceive = { received.octets.append($0) }
        let program = terminal(phone)
        program.onReady = { program.send(file) }
        phone.run { program.start(queue: phone.queue) }
        stage.world.run(until: { received.octets.count >= file.count }, timeout: .seconds(120))
        #expect(received.octets == file)
        withExtendedLifetime((device, program)) {}
    }

    private final class Received: @unchecked Sendable {
        var octets = Data()
    }
}
