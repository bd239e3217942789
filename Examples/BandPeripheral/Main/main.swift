import BandPeripheralProgram
import ExampleSupport
import Foundation

let arguments = Arguments(values: ["name"], flags: ["same-uuid"])
var options = BandPeripheral.Options()
options.name = arguments.text("name", default: options.name)
options.sameUUID = arguments.has("same-uuid")

let program = BandPeripheral(
    options: options, now: Date.init, after: Surroundings.after, say: Surroundings.say)
program.start()
RunLoop.main.run()
