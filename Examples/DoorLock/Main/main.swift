import DoorLockProgram
import ExampleSupport
import Foundation

let arguments = Arguments(values: ["name"], flags: [])
let program = DoorLock(name: arguments.text("name", default: "Door"), say: Surroundings.say)
program.start()
RunLoop.main.run()
