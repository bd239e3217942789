import ExampleSupport
import Foundation
import HeartRatePeripheralProgram

let arguments = Arguments(values: ["stop-after"], flags: [])
var options = HeartRatePeripheral.Options()
if arguments.text("stop-after") != nil { options.stopAfter = arguments.number("stop-after", default: 0) }

let program = HeartRatePeripheral(options: options, after: Surroundings.after, say: Surroundings.say)
program.start()
RunLoop.main.run()
