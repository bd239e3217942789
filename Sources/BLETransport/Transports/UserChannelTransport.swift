import BLEWire
import CLinuxSupport
import Glibc

/// HCI over the kernel's user channel: a socket that keeps packets apart, one a read and one a message written.
package final class UserChannelTransport: HCITransport {
    package let descriptor: Int32
    private var reader = DescriptorReader()
    /// Packets that the kernel had no room for.
    private var waiting: [[UInt8]] = []
    private let waitingLimit = 4096
    private var isClosed = false

    /// Takes over an open channel.
    package init(descriptor: Int32) {
        makeNonBlocking(descriptor)
        self.descriptor = descriptor
    }

    deinit { close() }

    package var wantsWrite: Bool { !waiting.isEmpty }

    package func receive(into packets: inout [[UInt8]]) -> TransportStatus {
        guard !isClosed else { return .closed(reason: "closed on this side") }
        let end = reader.drain(descriptor) { span in
            packets.append(span.withUnsafeBytes { [UInt8]($0) })
        }
        switch end {
        case .empty: return .open
        case .limit: return .more
        case .closed: return .closed(reason: "the adapter was removed")
        case .failed(let code): return .closed(reason: systemMessage(code))
        }
    }

    package func send(_ packets: [[UInt8]]) -> TransportStatus {
        let wasWaiting = !waiting.isEmpty
        waiting += packets
        if waiting.count > waitingLimit {
            return .closed(reason: "the kernel has left \(waiting.count) packets waiting")
        }
        return wasWaiting ? .open : flush()
    }

    package func flush() -> TransportStatus {
        guard !isClosed else { return .closed(reason: "closed on this side") }
        if waiting.isEmpty { return .open }
        let octets = waiting.flatMap { $0 }
        let lengths = waiting.map(\.count)
        let sent = cls_send_packets(descriptor, octets, lengths, Int32(lengths.count))
        if sent >= 0 {
            waiting.removeFirst(Int(sent))
            return .open
        }
        switch -sent {
        case EAGAIN: return .open
        case let code: return .closed(reason: systemMessage(code))
        }
    }

    package func close() {
        if isClosed { return }
        isClosed = true
        _ = Glibc.close(descriptor)
    }
}
