import Foundation
import Ravning

// One end of the interoperability tests (Tests/Interop): an ordinary Core Bluetooth program that does what the lines of
// its standard input say, and says in lines what came of it. InteropPeer central | peripheral

let person = Person()
Pairing.setDelegate(person)
let role: Role
switch CommandLine.arguments.dropFirst().first {
case "central": role = Central()
case "peripheral": role = Peripheral()
default:
    FileHandle.standardError.write(Data("usage: InteropPeer central|peripheral\n".utf8))
    exit(2)
}
Lines.read { order in
    guard let order else { exit(0) }
    if !person.perform(order), !role.perform(order) { say("refused", ["cause": "'\(order.verb)' is no order"]) }
}
RunLoop.main.run()
