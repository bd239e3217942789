import ExampleSupport
import Foundation
import SerialModuleProgram

let arguments = Arguments(values: ["name", "store"], flags: ["no-echo"])
var options = SerialModule.Options()
options.name = arguments.text("name", default: options.name)
options.echo = !arguments.has("no-echo")

let program = SerialModule(options: options, say: Surroundings.say)
if let path = arguments.text("store") {
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { arguments.fail("--store: '\(path)' can't be written") }
    program.onReceive = { octets in
        file.write(octets)
    }
}
program.start()
RunLoop.main.run()
