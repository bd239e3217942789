import BLETransport
import Glibc

/// What is in a file.
func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var reader = DescriptorReader()
    var octets: [UInt8] = []
    _ = reader.drain(descriptor, limit: 1 << 26) { span in span.withUnsafeBytes { octets += $0 } }
    return octets
}
