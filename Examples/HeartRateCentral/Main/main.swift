import ExampleSupport
import Foundation
import HeartRateCentralProgram

let arguments = Arguments(values: ["values", "timeout"], flags: [])
var options = HeartRateCentral.Options()
options.values = arguments.count("values", default: options.values)
options.timeout = arguments.number("timeout", default: options.timeout)

let program = HeartRateCentral(
    options: options, after: Surroundings.after, say: Surroundings.say, finish: Surroundings.finish)
program.start()
RunLoop.main.run()
