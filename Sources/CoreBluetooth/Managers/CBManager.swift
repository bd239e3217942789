public import Foundation

/// What central and peripheral managers have in common: a state and a right to use Bluetooth. [contract 1.2]
open class CBManager: NSObject, @unchecked Sendable {
    let session: ManagerSession

    init(session: ManagerSession) { self.session = session }

    /// The manager's state: `.unknown` until the first call of the delegate's `…DidUpdateState`. [contract 2]
    open var state: CBManagerState { session.state }

    /// Whether this program may use Bluetooth. It asks nobody for anything and needs no manager. [contract 15]
    ///
    /// On Linux it is `.denied` where the rights to the adapter are missing (the state is then `.unauthorized`, and the
    /// log says which right it is), else `.allowedAlways`. [contract 14]
    open class var authorization: CBManagerAuthorization {
        CurrentDevice.isUnauthorized ? .denied : .allowedAlways
    }

    /// The same, of this manager.
    @available(*, deprecated, message: "Use the class property instead")
    open var authorization: CBManagerAuthorization {
        session.state == .unauthorized ? .denied : .allowedAlways
    }

    open override var description: String { Report.reference(self) }
}
