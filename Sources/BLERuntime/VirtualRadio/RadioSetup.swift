package import BLEController
package import BLETransport
package import BLEWire

/// How a hosted radio is set up, and what happens on it later: a text with an order a line, and `#` before remarks.
///
///     # a sensor that comes into range after ten seconds
///     tcp 6402 sensor            who joins over this port is the device "sensor"
///     device lock.yaml 2 0       the device that this file describes, called "lock", is here
///     device lock.yaml 9 0 as back-door
///     path-loss 40 2.5
///     place phone 0 0
///     place sensor 5000 0
///     after 10                   seconds on the radio; what follows happens then
///     place sensor 3 0
///     loss phone sensor 0.05
package struct RadioSetup: Equatable, Sendable {
    /// Where hosts may join besides, and which device they are then.
    package struct Door: Equatable, Sendable {
        package enum Place: Equatable, Sendable {
            case tcp(port: UInt16)
            case unix(path: String)
        }
        package var place: Place
        package var device: RadioName

        package init(place: Place, device: RadioName) {
            self.place = place
            self.device = device
        }
    }

    /// A device that the radio is to have itself: the file that describes it, and where it is.
    package struct Seat: Equatable, Sendable {
        package var path: String
        package var name: RadioName
        package var position: Position

        package init(path: String, name: RadioName, position: Position) {
            self.path = path
            self.name = name
            self.position = position
        }
    }

    package var doors: [Door] = []
    /// The caller's to fill, like doors.
    package var seats: [Seat] = []
    /// In the order of their times.
    package var orders: [(after: Delay, order: RadioOrder)] = []

    package init() {}

    /// Reads the text of a file; `path` is for errors.
    package init(path: String, text: String) throws(TransportError) {
        var after = Delay.zero
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let first = words.first else { continue }
            do throws(RadioOrderError) {
                switch first {
                case "after":
                    guard words.count == 2 else { throw RadioOrderError("\"after\" wants seconds") }
                    let seconds = try RadioOrder.number(words[1], in: 0...1e6, "seconds")
                    after = after + .milliseconds(Int64(seconds * 1000))
                case "tcp", "unix":
                    guard after == .zero else {
                        throw RadioOrderError("\"\(first)\" stands before the first \"after\"")
                    }
                    doors.append(try Self.door(words))
                case "device":
                    guard after == .zero else {
                        throw RadioOrderError("\"device\" stands before the first \"after\"")
                    }
                    let seat = try Self.seat(words, besides: path)
                    guard !seats.contains(where: { $0.name == seat.name }) else {
                        throw RadioOrderError("there are two devices \"\(seat.name.text)\": say \"as NAME\"")
                    }
                    seats.append(seat)
                    orders.append((after, .place(seat.name, seat.position)))
                default: orders.append((after, try RadioOrder(words)))
                }
            } catch {
                throw TransportError(
                    .unsupported, layer: "radio setup", cause: "\(path), line \(index + 1): \(error.cause)",
                    remedy: "correct the line")
            }
        }
    }

    private static func door(_ words: [Substring]) throws(RadioOrderError) -> Door {
        guard words.count == 3 else {
            throw RadioOrderError("\"\(words[0])\" wants \(words[0] == "tcp" ? "PORT" : "PATH") NAME")
        }
        let name = try RadioOrder.name(words[2])
        if words[0] == "unix" { return Door(place: .unix(path: String(words[1])), device: name) }
        guard let port = UInt16(words[1]) else { throw RadioOrderError("\"\(words[1])\" is no port") }
        return Door(place: .tcp(port: port), device: name)
    }

    /// `device FILE X Y [Z] [as NAME]`; a file without a folder before it is beside the setup.
    private static func seat(_ words: [Substring], besides setup: String) throws(RadioOrderError) -> Seat {
        var words = words.dropFirst()
        var name: Substring?
        if let place = words.lastIndex(of: "as"), place == words.endIndex - 2 {
            name = words.last
            words = words.dropLast(2)
        }
        guard (3...4).contains(words.count), let file = words.popFirst() else {
            throw RadioOrderError("\"device\" wants FILE X Y [Z] [as NAME]")
        }
        let numbers = try words.map { word throws(RadioOrderError) in
            try RadioOrder.number(word, in: -1e6...1e6, "metres")
        }
        let folder = setup.lastIndex(of: "/").map { String(setup[...$0]) } ?? ""
        let last = file.split(separator: "/").last ?? file
        let base = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        return Seat(
            path: file.hasPrefix("/") ? String(file) : "\(folder)\(file)", name: try RadioOrder.name(name ?? base),
            position: Position(x: numbers[0], y: numbers[1], z: numbers.count > 2 ? numbers[2] : 0))
    }

    package static func == (left: RadioSetup, right: RadioSetup) -> Bool {
        left.doors == right.doors && left.seats == right.seats
            && left.orders.elementsEqual(right.orders) { $0 == $1 }
    }
}
