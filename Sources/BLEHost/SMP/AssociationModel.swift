package import BLEWire

/// How both sides are sure of each other. [Vol 3, Part H, 2.3.5.1]
package enum AssociationModel: Hashable, Sendable {
    case justWorks
    /// Who types the passkey. Where both do, it comes from a person's head.
    case passkey(initiatorTypes: Bool, responderTypes: Bool)
    case numericComparison
    case outOfBand

    /// Whether a man in the middle would be noticed. [Vol 3, Part H, 2.3.5.1]
    package var isAuthenticated: Bool { self != .justWorks }

    /// The model that both sides' features lead to.
    package init(initiator: SMPPairingFeatures, responder: SMPPairingFeatures) {
        let both = initiator.authentication.intersection(responder.authentication)
        let isSecure = both.contains(.secureConnections)
        // LE legacy pairing needs the same key on both sides; with public keys one side's data are enough.
        let hasOOB =
            isSecure
            ? initiator.hasOOBData || responder.hasOOBData : initiator.hasOOBData && responder.hasOOBData
        let wantsProtection = initiator.authentication.union(responder.authentication).contains(.mitm)
        if hasOOB {
            self = .outOfBand
        } else if wantsProtection {
            self = Self.table(initiator.ioCapability, responder.ioCapability, isSecure)
        } else {
            self = .justWorks
        }
    }

    /// [Vol 3, Part H, 2.3.5.1], the table of IO capabilities
    private static func table(
        _ initiator: SMPIOCapability, _ responder: SMPIOCapability, _ isSecure: Bool
    ) -> AssociationModel {
        let initiatorTypes = AssociationModel.passkey(initiatorTypes: true, responderTypes: false)
        let responderTypes = AssociationModel.passkey(initiatorTypes: false, responderTypes: true)
        switch (initiator, responder) {
        case (.noInputNoOutput, _), (_, .noInputNoOutput): return .justWorks
        case (.keyboardOnly, .keyboardOnly): return .passkey(initiatorTypes: true, responderTypes: true)
        case (.keyboardOnly, _): return initiatorTypes
        case (_, .keyboardOnly): return responderTypes
        // Both can show six digits and take a yes.
        case (.displayYesNo, .displayYesNo): return isSecure ? .numericComparison : .justWorks
        case (.displayYesNo, .keyboardDisplay): return isSecure ? .numericComparison : responderTypes
        case (.keyboardDisplay, .displayYesNo): return isSecure ? .numericComparison : initiatorTypes
        case (.keyboardDisplay, .keyboardDisplay): return isSecure ? .numericComparison : responderTypes
        case (.keyboardDisplay, .displayOnly): return initiatorTypes
        case (.displayOnly, .keyboardDisplay): return responderTypes
        // A display on each side and nobody who types.
        default: return .justWorks
        }
    }
}
