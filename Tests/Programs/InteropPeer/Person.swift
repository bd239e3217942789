import Foundation
import Ravning

/// Stands for the person while the device pairs: the driver is asked, and answers.
///
/// Everything happens on the main queue.
final class Person: PairingDelegate, @unchecked Sendable {
    private var request: PairingRequest?

    func pairing(didReceive request: PairingRequest) {
        self.request = request
        switch request.kind {
        case .confirmation: say("asked", ["kind": "confirmation"])
        case .comparison(let number): say("asked", ["kind": "comparison", "number": number])
        case .passkeyEntry: say("asked", ["kind": "passkeyEntry"])
        case .passkeyDisplay(let number): say("asked", ["kind": "passkeyDisplay", "number": number])
        case .replacement: say("asked", ["kind": "replacement"])
        }
    }

    func pairing(didEndWith peer: UUID, error: PairingError?) {
        request = nil
        say("paired", ["peer": peer.uuidString, "failure": error?.description ?? ""])
    }

    func perform(_ order: Order) -> Bool {
        switch order.verb {
        case "accept": request?.accept()
        case "reject": request?.reject()
        case "enter": request?.enter(passkey: order.number("passkey"))
        case "bonds": say("bonds", ["peers": Pairing.bondedPeers.map(\.uuidString)])
        case "forget":
            Pairing.bondedPeers.forEach(Pairing.removeBond(with:))
            say("forgotten")
        default: return false
        }
        return true
    }
}
