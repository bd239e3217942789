internal import BLEWire
internal import Foundation

/// A descriptor that this program publishes. [contract 1.6]
open class CBMutableDescriptor: CBDescriptor, @unchecked Sendable {
    /// A user description (2901, with a `String`) or a presentation format (2904, with a `Data`). Others are the
    /// system's; they end the program, as they raise an exception on Apple's platforms. [contract 92]
    public init(type UUID: CBUUID, value: Any?) {
        switch UUID.bluetoothUUID.short16 {
        case 0x2901:
            guard value is String else {
                Report.exception("The value of a Characteristic User Description descriptor must be a String")
            }
        case 0x2904:
            guard value is Data else {
                Report.exception("The value of a Characteristic Presentation Format descriptor must be a Data")
            }
        default:
            Report.exception(
                "Descriptor \(UUID) is not supported: only Characteristic User Description and Characteristic "
                    + "Presentation Format descriptors can be published, others are created by the system")
        }
        super.init(uuid: UUID, value: value)
    }

    /// Any descriptor with its octets, for a tool that stands for a device that is no phone.
    package init(emulating UUID: CBUUID, octets: Data) { super.init(uuid: UUID, value: octets) }

    /// The value as it goes over the air.
    var octets: [UInt8] {
        (value as? String).map { Array($0.utf8) } ?? (value as? Data)?.octets ?? []
    }
}
