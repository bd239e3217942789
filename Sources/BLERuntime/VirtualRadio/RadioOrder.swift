package import BLEController
import BLETransport

/// What can be told to a hosted radio: where its devices are, and what is lost between them. Devices are named; one that
/// isn't there yet is where it was told to be when it comes.
package enum RadioOrder: Equatable, Sendable {
    case place(RadioName, Position)
    /// The RSSI between two devices, in dBm; nil: by their places.
    case rssi(RadioName, RadioName, Int8?)
    /// The probability that a packet isn't heard; between two devices, or between all that have none of their own.
    case loss(RadioPair?, Double)
    /// The probability that a packet is heard with wrong octets.
    case corruption(RadioPair?, Double)
    /// So many packets of the first device aren't heard by the second one, from now on.
    case loseNext(Int, from: RadioName, to: RadioName)
    /// How a signal weakens: over the first metre, in dB, and by how many tens of dB with ten times the distance.
    case pathLoss(atOneMetre: Double, exponent: Double)

    /// Reads an order's words: `place NAME X Y [Z]`, `rssi NAME NAME DBM|none`, `loss [NAME NAME] PROBABILITY`,
    /// `corruption [NAME NAME] PROBABILITY`, `lose COUNT NAME NAME`, `path-loss DB EXPONENT`.
    package init(_ words: [Substring]) throws(RadioOrderError) {
        let arguments = Array(words.dropFirst())
        switch (words.first ?? "", arguments.count) {
        case ("place", 3), ("place", 4):
            let places = try arguments.dropFirst().map { word throws(RadioOrderError) in
                try Self.number(word, in: -1e6...1e6, "metres")
            }
            self = .place(
                try Self.name(arguments[0]), Position(x: places[0], y: places[1], z: places.dropFirst(2).first ?? 0))
        case ("rssi", 3):
            let level = arguments[2] == "none" ? nil : Int8(try Self.number(arguments[2], in: -127...20, "dBm"))
            self = .rssi(try Self.name(arguments[0]), try Self.name(arguments[1]), level)
        case ("loss", 1), ("loss", 3):
            self = .loss(
                try Self.pair(arguments), try Self.number(arguments[arguments.count - 1], in: 0...1, "probability"))
        case ("corruption", 1), ("corruption", 3):
            self = .corruption(
                try Self.pair(arguments), try Self.number(arguments[arguments.count - 1], in: 0...1, "probability"))
        case ("lose", 3):
            let count = Int(try Self.number(arguments[0], in: 0...1e6, "packets"))
            self = .loseNext(count, from: try Self.name(arguments[1]), to: try Self.name(arguments[2]))
        case ("path-loss", 2):
            self = .pathLoss(
                atOneMetre: try Self.number(arguments[0], in: 0...200, "dB"),
                exponent: try Self.number(arguments[1], in: 0...10, "exponent"))
        case ("place", _), ("rssi", _), ("loss", _), ("corruption", _), ("lose", _), ("path-loss", _):
            throw RadioOrderError("\"\(words[0])\" wants \(Self.forms[String(words[0])] ?? "")")
        default: throw RadioOrderError("there is no order \"\(words.first ?? "")\"")
        }
    }

    private static let forms = [
        "place": "NAME X Y [Z], in metres", "rssi": "NAME NAME and dBm, or none", "loss": "[NAME NAME] PROBABILITY",
        "corruption": "[NAME NAME] PROBABILITY", "lose": "COUNT NAME NAME", "path-loss": "dB and an exponent",
    ]

    private static func pair(_ words: [Substring]) throws(RadioOrderError) -> RadioPair? {
        words.count == 3 ? RadioPair(first: try name(words[0]), second: try name(words[1])) : nil
    }

    static func name(_ word: Substring) throws(RadioOrderError) -> RadioName {
        do throws(TransportError) {
            return try RadioName(String(word), in: "setup")
        } catch {
            throw RadioOrderError("\"\(word)\": \(error.cause)")
        }
    }

    static func number(
        _ word: Substring, in range: ClosedRange<Double>, _ unit: String
    ) throws(RadioOrderError) -> Double {
        guard let number = Double(word), range.contains(number) else {
            throw RadioOrderError("\"\(word)\" isn't between \(range.lowerBound) and \(range.upperBound) (\(unit))")
        }
        return number
    }
}

/// Two devices, in either direction.
package struct RadioPair: Hashable, Sendable {
    package var first: RadioName
    package var second: RadioName

    package init(first: RadioName, second: RadioName) {
        self.first = first
        self.second = second
    }
}

/// What is wrong with an order.
package struct RadioOrderError: Error, Equatable, Sendable {
    package let cause: String
    package init(_ cause: String) { self.cause = cause }
}
