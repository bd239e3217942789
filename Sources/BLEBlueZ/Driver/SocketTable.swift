package import Dispatch
import Glibc

/// What happens at a socket between us and BlueZ.
package enum SocketEvent: Equatable, Sendable {
    case received(SocketNumber, [UInt8])
    /// A packet has left.
    case sent(SocketNumber)
    case closed(SocketNumber)
}

/// Sockets that keep packets apart, one a characteristic: `AcquireWrite` and `AcquireNotify` hand them over.
///
/// *Limits*: everything is called on the queue, and so are the events told.
package final class SocketTable: SocketExchange, @unchecked Sendable {
    private final class Entry {
        let descriptor: Int32
        /// To be given away.
        var remote: Int32?
        let reading: any DispatchSourceRead
        let writing: any DispatchSourceWrite
        var isWriting = false
        var outbox: [[UInt8]] = []

        init(_ descriptor: Int32, remote: Int32?, queue: DispatchQueue) {
            self.descriptor = descriptor
            self.remote = remote
            reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        }
    }
    private let queue: DispatchQueue
    private let onEvent: (SocketEvent) -> Void
    private var entries: [SocketNumber: Entry] = [:]
    /// Numbers of sockets that came; those that machines choose are even.
    private var nextNumber: UInt64 = 1

    package init(queue: DispatchQueue, onEvent: @escaping (SocketEvent) -> Void) {
        self.queue = queue
        self.onEvent = onEvent
    }

    /// Makes a pair under a number of the caller's; false where the process has no descriptors left.
    package func open(_ number: SocketNumber) -> Bool {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return false }
        watch(ends[0], remote: ends[1], as: number)
        return true
    }

    func adopt(copyOf descriptor: Int32) -> SocketNumber {
        let number = SocketNumber(rawValue: nextNumber)
        nextNumber += 2
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        if own >= 0 {
            _ = fcntl(own, F_SETFL, fcntl(own, F_GETFL) | O_NONBLOCK)
            watch(own, remote: nil, as: number)
        }
        return number
    }

    func takeRemoteEnd(of number: SocketNumber) -> Int32? {
        defer { entries[number]?.remote = nil }
        return entries[number]?.remote
    }

    private func watch(_ descriptor: Int32, remote: Int32?, as number: SocketNumber) {
        let entry = Entry(descriptor, remote: remote, queue: queue)
        entries[number] = entry
        entry.reading.setEventHandler { @Sendable [weak self] in self?.read(number) }
        entry.writing.setEventHandler { @Sendable [weak self] in self?.write(number) }
        entry.reading.resume()
    }

    package func send(_ octets: [UInt8], to number: SocketNumber) {
        guard let entry = entries[number] else { return }
        entry.outbox.append(octets)
        if entry.outbox.count == 1 { write(number) }
    }

    package func close(_ number: SocketNumber) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        if !entry.isWriting { entry.writing.resume() }
        // The descriptor's number may be another one's at once: first nobody may wait for it any more.
        let sources = DispatchGroup()
        sources.enter()
        sources.enter()
        entry.reading.setCancelHandler { sources.leave() }
        entry.writing.setCancelHandler { sources.leave() }
        sources.notify(queue: queue) { _ = Glibc.close(entry.descriptor) }
        entry.reading.cancel()
        entry.writing.cancel()
        if let remote = entry.remote { _ = Glibc.close(remote) }
    }

    package func closeAll() {
        for number in entries.keys.sorted(by: { $0.rawValue < $1.rawValue }) { close(number) }
    }

    /// Reads until there is nothing left: libdispatch tells data and hang-up that come together only once.
    private func read(_ number: SocketNumber) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while let entry = entries[number] {
            let count = recv(entry.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 || (count == 0 && !isHungUp(entry.descriptor)) {
                onEvent(.received(number, Array(buffer.prefix(count))))
            } else if count < 0 && errno == EINTR {
                continue
            } else if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) {
                return
            } else {
                close(number)
                onEvent(.closed(number))
            }
        }
    }

    /// A packet without octets reads as an end does.
    private func isHungUp(_ descriptor: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: 0x2000, revents: 0)  // POLLRDHUP
        return Glibc.poll(&poll, 1, 0) < 0 || poll.revents & Int16(0x2000 | POLLHUP | POLLERR) != 0
    }

    private func write(_ number: SocketNumber) {
        guard let entry = entries[number] else { return }
        while let packet = entry.outbox.first {
            let count = Glibc.send(
                entry.descriptor, packet, packet.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if count < 0 && errno == EINTR { continue }
            if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { break }
            // What a closed socket takes no more counts as gone: its end is told by reading.
            entry.outbox.removeFirst()
            onEvent(.sent(number))
            guard entries[number] === entry else { return }
        }
        let wantsToWrite = !entry.outbox.isEmpty
        guard wantsToWrite != entry.isWriting else { return }
        entry.isWriting = wantsToWrite
        if wantsToWrite { entry.writing.resume() } else { entry.writing.suspend() }
    }
}
