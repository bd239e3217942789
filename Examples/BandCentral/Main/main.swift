import BandCentralProgram
import ExampleSupport
import Foundation

let arguments = Arguments(values: ["name", "values", "timeout"], flags: ["read-all"])
var options = BandCentral.Options()
options.name = arguments.text("name", default: options.name)
options.values = arguments.count("values", default: options.values)
options.timeout = arguments.number("timeout", default: options.timeout)
options.readAll = arguments.has("read-all")

let program = BandCentral(
    options: options, after: Surroundings.after, say: Surroundings.say, finish: Surroundings.finish)
program.start()
RunLoop.main.run()
