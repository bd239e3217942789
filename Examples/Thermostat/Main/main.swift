import ExampleSupport
import Foundation
import ThermostatProgram

let arguments = Arguments(values: ["name"], flags: [])
let program = Thermostat(
    name: arguments.text("name", default: "Thermostat"), after: Surroundings.after, say: Surroundings.say)
program.start()
RunLoop.main.run()
