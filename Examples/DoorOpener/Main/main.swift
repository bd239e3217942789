import CoreBluetooth
import DoorOpenerProgram
import ExampleSupport
import Foundation

let arguments = Arguments(values: ["name", "frame-limit", "timeout"], flags: ["as-written", "open"])
var options = DoorOpener.Options()
options.asWritten = arguments.has("as-written")
options.frameLimit = arguments.count("frame-limit", default: options.frameLimit)
let wanted = arguments.text("name", default: "Door")
let timeout = arguments.number("timeout", default: 10)

let program = DoorOpener(options: options, after: Surroundings.after, say: Surroundings.say)
if isatty(STDIN_FILENO) == 1, !arguments.has("open") {
    Surroundings.say("a number connects that row, o opens, s scans or disconnects, q quits")
    Surroundings.readLines { line in
        switch line?.trimmingCharacters(in: .whitespaces) {
        case "o": program.open()
        case "s": program.toggle()
        case "q", nil: Surroundings.finish(0)
        case .some(let text):
            guard let row = Int(text) else { return Surroundings.say("'\(text)' is no row and no key") }
            program.choose(row)
        }
    }
} else {
    // Not on a terminal: connect the device of that name, open, leave.
    var isOpened = false
    program.onRow = { row, device in
        if device.name == wanted { program.choose(row) }
    }
    program.onReady = { program.open() }
    program.onFrame = { _ in
        isOpened = true
        program.toggle()
    }
    program.onDisconnect = { error in Surroundings.finish(isOpened && error == nil ? 0 : 1) }
    Surroundings.after(timeout) {
        Surroundings.say("\(wanted) was not found or did not answer within \(Int(timeout)) s")
        Surroundings.finish(1)
    }
}
program.start()
RunLoop.main.run()
