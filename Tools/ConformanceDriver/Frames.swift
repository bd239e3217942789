import Foundation

/// One frame: a kind, a length of four octets, least significant first, and as many octets.
enum Frame {
    case pdu([UInt8])
    case message([String: Any])
    /// Something that is neither.
    case unknown
}

/// Reads frames from standard input.
struct FrameReader {
    private var buffer: [UInt8] = []
    private var offset = 0

    /// The next frame; nil at the end of the input.
    mutating func next() -> Frame? {
        guard let header = take(5) else { return nil }
        let length = header[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let body = take(length) else { return nil }
        switch header[0] {
        case UInt8(ascii: "P"): return .pdu(body)
        case UInt8(ascii: "J"):
            let object = try? JSONSerialization.jsonObject(with: Data(body))
            return (object as? [String: Any]).map { .message($0) } ?? .unknown
        default: return .unknown
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count - offset < count {
            buffer.removeFirst(offset)
            offset = 0
            var chunk = [UInt8](repeating: 0, count: 65536)
            let got = read(0, &chunk, chunk.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            buffer += chunk[..<got]
        }
        defer { offset += count }
        return Array(buffer[offset..<(offset + count)])
    }
}

/// Writes frames to standard output.
enum FrameWriter {
    static func write(_ frames: [Frame]) {
        var octets: [UInt8] = []
        for frame in frames {
            switch frame {
            case .pdu(let pdu): append(UInt8(ascii: "P"), pdu, to: &octets)
            case .message(let message):
                guard let text = try? JSONSerialization.data(withJSONObject: message, options: [.sortedKeys]) else {
                    continue
                }
                append(UInt8(ascii: "J"), Array(text), to: &octets)
            case .unknown: continue
            }
        }
        var start = 0
        while start < octets.count {
            let written = octets[start...].withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { exit(1) }
            start += written
        }
    }

    private static func append(_ kind: UInt8, _ body: [UInt8], to octets: inout [UInt8]) {
        octets.append(kind)
        for shift in stride(from: 0, to: 32, by: 8) { octets.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        octets += body
    }
}
