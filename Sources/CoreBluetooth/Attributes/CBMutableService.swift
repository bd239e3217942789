internal import Foundation

/// A service that this program publishes. [contract 1.6]
///
/// What it holds when it's added is what centrals see; later changes have no effect until it's removed and added
/// again. [contract 88]
open class CBMutableService: CBService, @unchecked Sendable {
    private let published = Guarded(false)
    private let emulation = Guarded(false)

    /// It stands for a service of a device that is no phone: one that a phone keeps for itself may be published.
    package var isEmulated: Bool {
        get { emulation.value }
        set { emulation.withLock { $0 = newValue } }
    }

    /// A service with neither characteristics nor included services yet.
    public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(uuid: UUID, isPrimary: isPrimary) }

    /// The services it includes; each must be added before this one. [contract 89]
    open override var includedServices: [CBService]? {
        get { storage.withLock { $0.includedServices } }
        set { storage.set(\.includedServices, newValue) }
    }

    /// Its characteristics; each gets this one as its ``CBCharacteristic/service``.
    open override var characteristics: [CBCharacteristic]? {
        get { storage.withLock { $0.characteristics } }
        set {
            for characteristic in newValue ?? [] { characteristic.setService(self) }
            storage.set(\.characteristics, newValue)
        }
    }

    open override var description: String {
        "\(descriptionHead), Primary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid), "
            + "Included Services = \(includedServices?.listDescription ?? "(null)"), "
            + "Characteristics = \(characteristics?.listDescription ?? "(null)")>"
    }

    /// Marks it as added. False: it was already. [contract 87]
    func publish() -> Bool {
        published.withLock { isPublished in
            defer { isPublished = true }
            return !isPublished
        }
    }

    func unpublish() { published.withLock { $0 = false } }
}

extension Sequence where Element: NSObject {
    /// The descriptions in parentheses, as `NSArray` prints them.
    var listDescription: String { "(\(map(\.description).joined(separator: ", ")))" }
}
