import BLEHost
package import BLETransport
import BLEWire

/// The file `profile` in a device's folder: how the phone behaves that the device plays, where nothing in the API can
/// set it. One setting a line, what isn't named stays as it is.
///
///     # an old phone
///     mtu = 23
///     exchanges-mtu = no
///     connection-interval = 24
package struct DeviceFile: Sendable {
    private let path: String
    private let lines: [(number: Int, key: String, value: String)]

    /// Reads the file in the folder; a file that isn't there says nothing.
    package init(folder: String) throws(TransportError) {
        let path = folder + "/profile"
        var text = ""
        do throws(StateFile.ReadError) {
            text = try StateFile(path).readText(followsLinks: true)
        } catch {
            // A file that is there and can't be read isn't one that says nothing.
            if case .damaged(let cause) = error {
                throw TransportError(
                    .unsupported, layer: "device file", cause: "\(path) \(cause)",
                    remedy: "make it readable, or take it away")
            }
        }
        try self.init(path: path, text: text)
    }

    package init(path: String, text: String) throws(TransportError) {
        self.path = path
        var lines: [(number: Int, key: String, value: String)] = []
        // A carriage return and line feed are one character, and one end of line.
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in all.enumerated() {
            let words = line.prefix { $0 != "#" }.split(separator: "=", maxSplits: 1).map(Self.trimmed)
            if words.allSatisfy(\.isEmpty) { continue }
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
                throw Self.error(path, index + 1, "isn't \"setting = value\"")
            }
            lines.append((index + 1, words[0], words[1]))
        }
        self.lines = lines
    }

    /// Changes what the file names.
    package func apply(to profile: inout PhoneProfile) throws(TransportError) {
        for line in lines {
            switch line.key {
            case "name": profile.deviceName = line.value
            case "mtu": profile.mtu = Int(try number(line, in: 23...517))
            case "exchanges-mtu": profile.exchangesMTU = try flag(line)
            case "requests-data-length": profile.requestsDataLength = try flag(line)
            case "requests-2m": profile.preferredPHYs = try flag(line) ? .le2M : nil
            // Units of 1.25 ms. [Vol 4, Part E, 7.8.12]
            case "connection-interval":
                profile.connection.intervalMinimum = try number(line, in: 6...3200)
                profile.connection.intervalMaximum = profile.connection.intervalMinimum
            case "peripheral-latency": profile.connection.latency = try number(line, in: 0...499)
            // Units of 10 ms.
            case "supervision-timeout": profile.connection.supervisionTimeout = try number(line, in: 10...3200)
            // Units of 0.625 ms. [Vol 4, Part E, 7.8.5]
            case "advertising-interval": profile.advertisingInterval = try number(line, in: 32...16384)
            case "advertises-while-connected": profile.advertisesWhileConnected = try flag(line)
            case "private-addresses": profile.usesPrivateAddresses = try flag(line)
            // Seconds.
            case "private-address-lifetime":
                profile.privateAddressLifetime = .seconds(Int64(try number(line, in: 1...3600)))
            case "advertisement-room": profile.advertisementRoom = Int(try number(line, in: 0...28))
            case "update-queue": profile.updateQueueDepth = Int(try number(line, in: 1...10_000))
            case "write-queue": profile.writeQueueDepth = Int(try number(line, in: 1...10_000))
            default: throw Self.error(path, line.number, "names no setting: \"\(line.key)\"")
            }
        }
    }

    private func number(
        _ line: (number: Int, key: String, value: String), in range: ClosedRange<UInt16>
    ) throws(TransportError) -> UInt16 {
        guard let value = UInt16(line.value), range.contains(value) else {
            throw Self.error(
                path, line.number,
                "\(line.key) is \"\(line.value)\", which is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private func flag(_ line: (number: Int, key: String, value: String)) throws(TransportError) -> Bool {
        switch line.value {
        case "yes": true
        case "no": false
        default: throw Self.error(path, line.number, "\(line.key) is \"\(line.value)\", not \"yes\" or \"no\"")
        }
    }

    private static func error(_ path: String, _ line: Int, _ cause: String) -> TransportError {
        TransportError(
            .unsupported, layer: "device file", cause: "\(path), line \(line): \(cause)", remedy: "correct the line")
    }

    private static func trimmed(_ text: Substring) -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
    }
}
