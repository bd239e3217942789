internal import BLEBackend
internal import BLERuntime
internal import BLEWire
internal import CoreBluetooth
public import Dispatch
public import Foundation

/// Stands for the person in front of this device while it pairs.
///
/// Core Bluetooth pairs by itself where an attribute needs it, and the phone's system asks its user; here a program does,
/// by this delegate. Without one, a device on a virtual radio agrees to Just Works and to numeric comparison, and says so
/// in the log; one on a real adapter refuses what needs a person.
public protocol PairingDelegate: AnyObject, Sendable {
    /// A person is to be asked or told. To be answered within 30 s. [Vol 3, Part H, 3.4]
    func pairing(didReceive request: PairingRequest)
    /// A pairing has ended, whoever began it; what was asked needs no answer any more.
    /// - Parameter error: nil where both sides have a key.
    func pairing(didEndWith peer: UUID, error: PairingError?)
}

extension PairingDelegate {
    public func pairing(didEndWith peer: UUID, error: PairingError?) {}
}

/// One question to the person, with the ways to answer it.
public struct PairingRequest: Sendable {
    /// What is asked. A number to compare is never a passkey. [Vol 3, Part H, 2.3.5.1]
    public enum Kind: Hashable, Sendable {
        /// Whether to pair, with nothing to compare.
        case confirmation
        /// Whether the peer shows the same number, of six digits.
        case comparison(Int)
        /// The passkey that the peer shows, of six digits.
        case passkeyEntry
        /// A passkey, of six digits, to be typed at the peer. Only a refusal is an answer.
        case passkeyDisplay(Int)
        /// Whether the bond that there is with the peer may be replaced.
        case replacement
    }

    /// The `identifier` of the `CBPeripheral` or `CBCentral`.
    public let peer: UUID
    /// The peer's name, where it is known.
    public let name: String?
    /// What is asked.
    public let kind: Kind
    let answer: @Sendable (PairingReply) -> Void

    /// Says yes: it is to be paired, or the numbers are the same.
    public func accept() { answer(.accept) }
    /// Says no: there is no pairing.
    public func reject() { answer(.reject) }
    /// Answers ``Kind/passkeyEntry``; a number that isn't of 0 to 999999 refuses.
    public func enter(passkey: Int) {
        answer((0...999_999).contains(passkey) ? .passkey(UInt32(passkey)) : .reject)
    }
}

/// Why a pairing has ended without a key.
public struct PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// Pairing of this process's device.
public enum Pairing {
    /// Sets who is asked. Held weakly. May be called before the first manager is made.
    /// - Parameter queue: where the delegate is called; nil = the main queue.
    public static func setDelegate(_ delegate: (any PairingDelegate)?, queue: DispatchQueue? = nil) {
        let attached = Device.attached
        let agent = delegate.map { DelegateAgent($0, queue: queue ?? .main, device: attached) }
        if let attached {
            attached.backend.setPairingAgent(agent)
        } else {
            Device.setProcessPairingAgent(agent)
        }
    }

    /// Identifiers of the peers that this device has a bond with.
    public static var bondedPeers: [UUID] {
        (Device.attached ?? Device.existingProcess)?.backend.bondedPeers().map { UUID(bits: $0.id.bits) } ?? []
    }

    /// Forgets the bond with a peer, and ends the connection to it. As on a phone, the other side keeps its bond until
    /// it is removed there.
    public static func removeBond(with peer: UUID) {
        (Device.attached ?? Device.existingProcess)?.backend.removeBond(with: PeerID(bits: UInt128(peer)))
    }
}

/// Hands what the backend asks to a delegate, on its queue.
private final class DelegateAgent: PairingAgent {
    private struct Reference: Sendable { weak var delegate: (any PairingDelegate)? }
    private let reference: Reference
    private let queue: DispatchQueue
    /// nil = the process's.
    private let device: Device?

    init(_ delegate: any PairingDelegate, queue: DispatchQueue, device: Device?) {
        reference = Reference(delegate: delegate)
        self.queue = queue
        self.device = device
    }

    private var target: Device? { device ?? Device.existingProcess }

    func asked(_ prompt: PairingPrompt) {
        guard let target else { return }
        let request = PairingRequest(
            peer: UUID(bits: prompt.peer.bits), name: prompt.name, kind: PairingRequest.Kind(prompt.kind),
            answer: { [weak target] in target?.backend.answerPairing(with: prompt.peer, $0) })
        target.delivery.deliver(on: queue) { [reference] in
            guard let delegate = reference.delegate else { return request.reject() }
            delegate.pairing(didReceive: request)
        }
    }

    func ended(_ peer: PeerID, _ error: BackendError?) {
        let failure = error.map { PairingError(description: $0.underlying ?? "\($0.cause)") }
        target?.delivery.deliver(on: queue) { [reference] in
            reference.delegate?.pairing(didEndWith: UUID(bits: peer.bits), error: failure)
        }
    }
}

extension PairingRequest.Kind {
    fileprivate init(_ kind: PairingPrompt.Kind) {
        switch kind {
        case .confirm: self = .confirmation
        case .displayPasskey(let digits): self = .passkeyDisplay(Int(digits))
        case .enterPasskey: self = .passkeyEntry
        case .compare(let digits): self = .comparison(Int(digits))
        case .replaceBond: self = .replacement
        }
    }
}
