import ExampleSupport
import Foundation
import SerialTerminalProgram

let arguments = Arguments(values: ["name", "line", "file", "timeout"], flags: ["with-response"])
var options = SerialTerminal.Options()
options.name = arguments.text("name", default: options.name)
options.withResponse = arguments.has("with-response")
let timeout = arguments.number("timeout", default: 10)

let program = SerialTerminal(options: options, say: Surroundings.say)
program.onReceive = { FileHandle.standardOutput.write($0) }
var isReady = false
var isDone = false
program.onEnd = { error in Surroundings.finish(isDone && error == nil ? 0 : 1) }
Surroundings.after(timeout) {
    guard !isReady else { return }
    Surroundings.say("\(options.name) was not found within \(Int(timeout)) s")
    Surroundings.finish(1)
}

if let path = arguments.text("file") {
    guard let contents = FileManager.default.contents(atPath: path) else {
        arguments.fail("--file: '\(path)' can't be read")
    }
    program.onReady = {
        isReady = true
        program.send(contents)
    }
    program.onSent = {
        isDone = true
        Surroundings.say("\(contents.count) octets sent")
        // What was handed over last is still on its way: leave a moment later.
        Surroundings.after(2) { program.leave() }
    }
} else if let line = arguments.text("line") {
    let sent = Data((line + "\n").utf8)
    var received = Data()
    program.onReady = {
        isReady = true
        program.send(sent)
    }
    program.onReceive = { octets in
        FileHandle.standardOutput.write(octets)
        received.append(octets)
        guard received.contains(0x0A) else { return }
        isDone = true
        program.leave()
    }
} else {
    program.onReady = {
        isReady = true
        Surroundings.readLines { line in
            if let line {
                program.send(Data((line + "\n").utf8))
            } else {
                isDone = true
                program.leave()
            }
        }
    }
}
program.start()
RunLoop.main.run()
