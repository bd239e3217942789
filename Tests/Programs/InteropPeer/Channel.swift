import CoreBluetooth
import Foundation

/// One end of an L2CAP channel, with its streams in the main run loop.
final class Channel: NSObject, StreamDelegate {
    private let channel: CBL2CAPChannel
    private let echoes: Bool
    private var outbox = Data()

    /// - Parameter echoes: whether what comes goes back; else it is said.
    init(_ channel: CBL2CAPChannel, echoes: Bool) {
        self.channel = channel
        self.echoes = echoes
        super.init()
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
    }

    func send(_ data: Data) {
        outbox.append(data)
        write()
    }

    func close() {
        channel.inputStream.close()
        channel.outputStream.close()
    }

    private func write() {
        while !outbox.isEmpty, channel.outputStream.hasSpaceAvailable {
            let count = outbox.withUnsafeBytes { octets in
                octets.bindMemory(to: UInt8.self).baseAddress.map { start in
                    channel.outputStream.write(start, maxLength: octets.count)
                } ?? 0
            }
            guard count > 0 else { return }
            outbox.removeFirst(count)
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 2048)
            let count = channel.inputStream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            let octets = Data(buffer[..<count])
            if echoes { send(octets) } else { say("channelData", ["value": octets.hexadecimal]) }
        case .hasSpaceAvailable: write()
        case .endEncountered, .errorOccurred:
            if stream === channel.inputStream { say("channelEnded", [:], stream.streamError) }
        default: break
        }
    }
}
