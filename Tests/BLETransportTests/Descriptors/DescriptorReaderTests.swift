import BLETransport
import CLinuxSupport
import Glibc
import Testing

@Suite struct DescriptorReaderTests {
    private func drain(_ descriptor: Int32, limit: Int = 1 << 20) -> (octets: [UInt8], end: DescriptorReader.End) {
        var reader = DescriptorReader()
        var octets: [UInt8] = []
        let end = reader.drain(descriptor, limit: limit) { span in span.withUnsafeBytes { octets += $0 } }
        return (octets, end)
    }

    @Test func `says empty when nothing is there`() {
        let pair = SocketPair()
        makeNonBlocking(pair.ours)
        #expect(drain(pair.ours).end == .empty)
    }

    @Test func `delivers everything that was written before the other side closed`() {
        let pair = SocketPair()
        makeNonBlocking(pair.ours)
        let octets = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
        pair.write(octets)
        pair.closeTheirs()
        let result = drain(pair.ours)
        #expect(result.octets == octets)
        #expect(result.end == .closed)
    }

    @Test func `delivers everything that was piped in before the pipe closed`() {
        var ends: [Int32] = [0, 0]
        cls_pipe(&ends)
        makeNonBlocking(ends[0])
        let octets: [UInt8] = [1, 2, 3]
        _ = Glibc.write(ends[1], octets, 3)
        close(ends[1])
        // A program that another test starts at this moment holds a copy for an instant.
        var wait = pollfd(fd: ends[0], events: 0, revents: 0)
        _ = poll(&wait, 1, 60_000)
        let result = drain(ends[0])
        close(ends[0])
        #expect(result.octets == [1, 2, 3])
        #expect(result.end == .closed)
    }

    @Test func `stops at the limit and goes on with the next drain`() {
        let pair = SocketPair()
        makeNonBlocking(pair.ours)
        pair.write([UInt8](repeating: 7, count: DescriptorReader.chunkSize + 1))
        let first = drain(pair.ours, limit: 1)
        #expect(first.octets.count == DescriptorReader.chunkSize)
        #expect(first.end == .limit)
        let second = drain(pair.ours)
        #expect(second.octets.count == 1)
        #expect(second.end == .empty)
    }

    @Test func `reports a descriptor that can't be read`() {
        #expect(drain(-1).end == .failed(EBADF))
    }
}
