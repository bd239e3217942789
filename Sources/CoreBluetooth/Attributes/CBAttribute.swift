public import Foundation

/// A service, characteristic or descriptor: something with a UUID. [contract 1.6]
open class CBAttribute: NSObject, @unchecked Sendable {
    private let storedUUID: CBUUID

    init(uuid: CBUUID) { storedUUID = uuid }

    /// What it is.
    open var uuid: CBUUID { storedUUID }

    /// `<CBService: 0x…`, the beginning of every description. [contract 129]
    var descriptionHead: String { "<\(Report.typeName(self)): \(Report.address(self))" }
}
