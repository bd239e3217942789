internal import BLEBackend
internal import Foundation

/// A remote central that uses this program's services. [contract 1.4]
open class CBCentral: CBPeer, @unchecked Sendable {
    private let session: PeripheralSession

    init(session: PeripheralSession, id: PeerID) {
        self.session = session
        super.init(id: id)
    }

    /// How many octets of a value reach it in one update: ATT_MTU − 3, and never more than the 512 that a value may have.
    /// Longer values are cut. [contract 106]
    open var maximumUpdateValueLength: Int {
        ValueLength.maximum(attMTU: session.backend?.attMTU(of: peerID) ?? 23)
    }

    open override var description: String {
        "<\(Report.typeName(self)): \(Report.address(self)), identifier = \(UUID(bits: peerID.bits)), "
            + "MTU = \(maximumUpdateValueLength)>"
    }
}
