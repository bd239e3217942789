import ExampleSupport
import Foundation
import ThermostatClientProgram

let arguments = Arguments(values: ["target", "values", "timeout"], flags: [])
var options = ThermostatClient.Options()
options.values = arguments.count("values", default: options.values)
options.timeout = arguments.number("timeout", default: options.timeout)
let target = arguments.number("target", default: 21.5)
guard target <= 300 else { arguments.fail("--target: \(target) °C is more than 300") }
options.target = Int16(target * 100)

let program = ThermostatClient(
    options: options, after: Surroundings.after, say: Surroundings.say, finish: Surroundings.finish)
program.start()
RunLoop.main.run()
