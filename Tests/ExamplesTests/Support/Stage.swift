import CoreBluetooth
import CoreBluetoothSimulation
import Foundation

/// A world with the example programs in it, each on a phone and a queue of its own; what they say is kept.
final class Stage {
    let world: World
    private let record = Record()

    init(seed: UInt64 = 1) {
        world = World(seed: seed)
    }

    /// A program's place: its phone, queue, timers, and where its lines go.
    final class Place {
        let phone: Phone
        let queue: DispatchQueue
        private let name: String
        private let world: World
        private let record: Record

        fileprivate init(name: String, phone: Phone, world: World, record: Record) {
            self.name = name
            self.phone = phone
            self.world = world
            self.record = record
            queue = DispatchQueue(label: name)
        }

        func say(_ line: String) { record.add(line, to: name) }

        func finish(_ code: Int32) { record.setExitCode(code, of: name) }

        func after(_ seconds: TimeInterval, _ work: @escaping () -> Void) {
            // It runs on the program's queue, as everything of the program does.
            nonisolated(unsafe) let work = work
            world.after(seconds, on: queue) { work() }
        }

        func now() -> Date { world.date }

        /// The program begins on its phone and queue.
        func run(_ begin: () -> Void) { phone.run { queue.sync(execute: begin) } }

        var lines: [String] { record.lines(of: name) }
        var exitCode: Int32? { record.exitCode(of: name) }

        /// Whether a line with the text was said.
        func said(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
        /// How often a line with the text was said.
        func count(_ text: String) -> Int { lines.count { $0.contains(text) } }
        /// Whether lines with these texts were said in this order.
        func saidInOrder(_ texts: String...) -> Bool {
            var rest = texts[...]
            for line in lines {
                if let next = rest.first, line.contains(next) { rest.removeFirst() }
            }
            return rest.isEmpty
        }
    }

    func place(_ name: String, profile: PhoneProfile = PhoneProfile()) -> Place {
        Place(name: name, phone: world.addPhone(name, profile: profile), world: world, record: record)
    }

    /// Another program on the same phone.
    func place(_ name: String, with other: Place) -> Place {
        Place(name: name, phone: other.phone, world: world, record: record)
    }
}

/// Lines and exit codes of the programs, by name. Callbacks come one at a time, on several queues.
private final class Record: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String: [String]] = [:]
    private var codes: [String: Int32] = [:]

    func add(_ line: String, to name: String) { lock.withLock { lines[name, default: []].append(line) } }
    func lines(of name: String) -> [String] { lock.withLock { lines[name] ?? [] } }
    func setExitCode(_ code: Int32, of name: String) { lock.withLock { codes[name] = codes[name] ?? code } }
    func exitCode(of name: String) -> Int32? { lock.withLock { codes[name] } }
}
