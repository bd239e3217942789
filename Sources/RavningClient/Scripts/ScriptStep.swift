import BLEValues
import CommandLineKit
import Foundation

/// One step of a script or of the shell.
enum ScriptStep {
    case connect(String)
    case disconnect
    case explore
    case read(CharacteristicName, Expectation?)
    case write(CharacteristicName, [UInt8], withResponse: Bool, Expectation?)
    case subscribe(CharacteristicName, count: Int?, seconds: Double?, isInBackground: Bool)
    case unsubscribe(CharacteristicName)
    case rssi
    case wait(Double)

    /// What an answer is to be.
    enum Expectation: Equatable {
        case value([UInt8])
        /// An error of the Attribute Protocol. [Vol 3, Part F, 3.4.1.1]
        case error(Int)
    }

    /// The words that a step begins with, and what may follow, for who asks.
    static let forms: [(verb: String, rest: String, meaning: String)] = [
        ("connect", "DEVICE", "connect a device; the steps below are about it"),
        ("explore", "", "show its services, characteristics and descriptors"),
        ("read", "CHARACTERISTIC [--expect HEX] [--expect-error CODE]", "read a value"),
        (
            "write", "CHARACTERISTIC HEX|--text TEXT|--u8 N|… [--without-response] [--expect-error CODE]",
            "write a value"
        ),
        ("subscribe", "CHARACTERISTIC [--count N] [--for S] [--background]", "show what it notifies"),
        ("unsubscribe", "CHARACTERISTIC", "end that"),
        ("rssi", "", "show how strongly it is received"),
        ("wait", "S", "show what is notified for so many seconds"),
        ("disconnect", "", "leave the device"),
    ]

    /// Nil where the line says nothing.
    init?(_ line: String) throws(UsageError) {
        var words = ScriptArguments(try ScriptWords.split(line))
        guard let verb = words.next() else { return nil }
        switch verb {
        case "connect": self = .connect(try words.argument("the device"))
        case "disconnect": self = .disconnect
        case "explore": self = .explore
        case "rssi": self = .rssi
        case "wait": self = .wait(try Self.seconds(try words.argument("how many seconds")))
        case "read": self = .read(try words.characteristic(), try words.expectation())
        case "write":
            let name = try words.characteristic()
            let withResponse = !words.flag("without-response")
            let expectation = try words.expectation()
            self = .write(name, try words.value(), withResponse: withResponse, expectation)
        case "subscribe":
            let name = try words.characteristic()
            let count = try words.option("count").map { text throws(UsageError) in try Self.count(text) }
            let seconds = try words.option("for").map { text throws(UsageError) in try Self.seconds(text) }
            self = .subscribe(name, count: count, seconds: seconds, isInBackground: words.flag("background"))
        case "unsubscribe": self = .unsubscribe(try words.characteristic())
        default:
            let verbs = Self.forms.map(\.verb).joined(separator: ", ")
            throw UsageError("there is no step \"\(verb)\"; there are: \(verbs)")
        }
        try words.end()
    }

    private static func seconds(_ text: String) throws(UsageError) -> Double {
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw UsageError("\"\(text)\" is no number of seconds")
        }
        return seconds
    }

    private static func count(_ text: String) throws(UsageError) -> Int {
        guard let count = Int(text), count > 0 else { throw UsageError("\"\(text)\" is no number from 1 on") }
        return count
    }
}

/// The words behind a step's first one.
private struct ScriptArguments {
    private var words: [String]
    init(_ words: [String]) { self.words = words }

    mutating func next() -> String? { words.isEmpty ? nil : words.removeFirst() }

    mutating func argument(_ what: String) throws(UsageError) -> String {
        guard let word = next(), !word.hasPrefix("--") else { throw UsageError("\(what) is missing") }
        return word
    }

    mutating func characteristic() throws(UsageError) -> CharacteristicName {
        let text = try argument("the characteristic")
        do {
            return try CharacteristicName(text)
        } catch let error as UsageError {
            throw error
        } catch {
            throw UsageError("\(error)")
        }
    }

    mutating func flag(_ name: String) -> Bool {
        guard let place = words.firstIndex(of: "--" + name) else { return false }
        words.remove(at: place)
        return true
    }

    mutating func option(_ name: String) throws(UsageError) -> String? {
        guard let place = words.firstIndex(of: "--" + name) else { return nil }
        guard place + 1 < words.count else { throw UsageError("nothing stands behind --\(name)") }
        words.remove(at: place)
        return words.remove(at: place)
    }

    mutating func expectation() throws(UsageError) -> ScriptStep.Expectation? {
        if let text = try option("expect-error") {
            let isHexadecimal = text.lowercased().hasPrefix("0x")
            guard let code = isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text), (1...255).contains(code)
            else {
                throw UsageError("--expect-error: \"\(text)\" is no code from 1 to 255")
            }
            return .error(code)
        }
        guard let text = try option("expect") else { return nil }
        guard let octets = text.isEmpty ? [] : WrittenValue.hexadecimal(text) else {
            throw UsageError("--expect: \"\(text)\" isn't octets in hexadecimal")
        }
        return .value(octets)
    }

    /// What is to be written, said in one way.
    mutating func value() throws(UsageError) -> [UInt8] {
        var found: [[UInt8]] = []
        if let text = try option("text") { found.append(Array(text.utf8)) }
        for type in WrittenValue.types {
            guard let text = try option(type) else { continue }
            guard let octets = WrittenValue.number(text, as: type) else {
                throw UsageError("--\(type): \"\(text)\" is no such number")
            }
            found.append(octets)
        }
        if let text = try option("hex") ?? (words.first?.hasPrefix("--") == false ? next() : nil) {
            guard let octets = text.isEmpty ? [] : WrittenValue.hexadecimal(text) else {
                throw UsageError("\"\(text)\" isn't octets in hexadecimal")
            }
            found.append(octets)
        }
        guard found.count == 1 else {
            throw UsageError("say what to write in one way: HEX, --text, or a number such as --u16")
        }
        return found[0]
    }

    func end() throws(UsageError) {
        if let word = words.first { throw UsageError("\"\(word)\" has no meaning here") }
    }
}
