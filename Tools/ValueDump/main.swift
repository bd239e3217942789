import BLEValues
import BLEWire

// Decodes values that other programs give it, for Scripts/compare_values.py: lines such as `2A37 003D`.
while let line = readLine() {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard let uuid = parts.first.flatMap({ UInt16($0, radix: 16) }), let layout = ValueLayout.of(uuid),
        let octets = Hex.octets(parts.count > 1 ? String(parts[1]) : "")
    else {
        print("?")
        continue
    }
    // One line for one value, whatever characters its text has.
    print(String(String.UnicodeScalarView(layout.decode(octets).text.unicodeScalars.map { $0 == "\n" ? " " : $0 })))
}
