internal import BLEBackend
internal import BLERuntime
public import Foundation

/// Names a service that L2CAP channels lead to: 0x80 to 0xFF where the system chose it. [Vol 3, Part A, 4.22]
public typealias CBL2CAPPSM = UInt16

/// A stream of octets each way between two devices: an LE credit based L2CAP channel. [contract 1.8]
///
/// The program must keep it: with its last reference the channel closes. The streams are delivered closed; set a
/// delegate, schedule them in a run loop and open them, or open them and poll. [contract 119]
///
/// `read` and `write` never wait, which on Apple's platforms they may: `read` gives 0 where nothing has come, and
/// `write` takes 0 octets where there is no room. What isn't read holds the peer up.
open class CBL2CAPChannel: NSObject, @unchecked Sendable {
    private let link: Link?

    private struct Link {
        let peer: CBPeer
        let psm: CBL2CAPPSM
        let pipe: ChannelPipe
        let input: ChannelInputStream
        let output: ChannelOutputStream
    }

    /// A channel to nobody.
    public override init() {
        link = nil
        super.init()
    }

    init(_ pipe: ChannelPipe, to peer: CBPeer, psm: CBL2CAPPSM, delivery: any Delivery) {
        let closing = ChannelClosing(pipe)
        link = Link(
            peer: peer, psm: psm, pipe: pipe,
            input: ChannelInputStream(StreamEvents(.input, pipe, delivery, closing)),
            output: ChannelOutputStream(StreamEvents(.output, pipe, delivery, closing)))
        super.init()
    }

    /// Closes the channel. [contract 119]
    deinit { link?.pipe.close() }

    /// The other side: a `CBPeripheral` or a `CBCentral`.
    open var peer: CBPeer! { link?.peer }

    /// What comes from the peer.
    open var inputStream: InputStream! { link?.input }

    /// What goes to the peer.
    open var outputStream: OutputStream! { link?.output }

    /// The service that it leads to.
    open var psm: CBL2CAPPSM { link?.psm ?? 0 }

    open override var description: String {
        "<\(Report.typeName(self)): \(Report.address(self)), PSM = \(psm), "
            + "peer = \(link.map { Report.reference($0.peer) } ?? "(null)")>"
    }
}

/// Ends a channel when the program has closed both of its streams.
final class ChannelClosing: Sendable {
    private let pipe: ChannelPipe
    private let closed = Guarded(0)

    init(_ pipe: ChannelPipe) { self.pipe = pipe }

    func streamClosed() {
        let count = closed.withLock { count in
            count += 1
            return count
        }
        if count == 2 { pipe.close() }
    }
}
