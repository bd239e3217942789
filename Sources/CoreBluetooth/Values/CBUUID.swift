internal import BLEWire
public import Foundation

/// A UUID of an attribute: 16, 32 or 128 bits.
///
/// The short forms are equal to their 128-bit forms on the base UUID, also as dictionary keys. [contract 126]
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
    let bluetoothUUID: BluetoothUUID

    init(_ uuid: BluetoothUUID) { bluetoothUUID = uuid }

    /// The nil UUID: 128 bits, all zero.
    public override init() { bluetoothUUID = BluetoothUUID(full: 0) }

    /// From 4, 8 or 36 characters, in upper or lower case. Any other string ends the program, as it raises an
    /// exception on Apple's platforms. [contract 128]
    public convenience init(string theString: String) {
        guard let uuid = BluetoothUUID(theString) else {
            Report.exception("String \(theString) does not represent a valid UUID")
        }
        self.init(uuid)
    }

    /// From 2, 4 or 16 bytes, most significant first. Any other length ends the program, as it raises an exception on
    /// Apple's platforms. [contract 128]
    public convenience init(data theData: Data) {
        guard let uuid = BluetoothUUID(bigEndian: theData) else {
            Report.exception("Data \(theData.appleDescription) does not represent a valid UUID")
        }
        self.init(uuid)
    }

    /// The 128-bit form of a `UUID`.
    public convenience init(nsuuid theUUID: UUID) { self.init(BluetoothUUID(theUUID)) }

    /// The 128-bit form of a `CFUUID`.
    @available(*, deprecated, message: "Use init(nsuuid:) instead")
    public convenience init(cfuuid theUUID: CFUUID) {
        let b = CFUUIDGetUUIDBytes(theUUID)
        let octets = [
            b.byte0, b.byte1, b.byte2, b.byte3, b.byte4, b.byte5, b.byte6, b.byte7, b.byte8, b.byte9, b.byte10,
            b.byte11, b.byte12, b.byte13, b.byte14, b.byte15,
        ]
        self.init(data: Data(octets))
    }

    /// The bytes of the form it was made from, most significant first.
    open var data: Data { Data(bluetoothUUID.bigEndian) }

    /// The form it was made from, in upper case.
    open var uuidString: String { bluetoothUUID.description }

    /// The assigned name of a 16-bit UUID where there is one, else ``uuidString``. [contract 127]
    open override var description: String {
        bluetoothUUID.short16.flatMap(AssignedNames.name(of:)) ?? uuidString
    }

    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CBUUID)?.bluetoothUUID == bluetoothUUID
    }

    open override var hash: Int { bluetoothUUID.hashValue }
}

extension BluetoothUUID {
    init(_ uuid: UUID) { self.init(full: UInt128(uuid)) }
}

extension UInt128 {
    /// The bits of a UUID; the most significant octet is the one that is printed first.
    package init(_ uuid: UUID) {
        let b = uuid.uuid
        let octets = [
            b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
        ]
        self = octets.reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension UUID {
    /// The UUID of the bits.
    package init(bits: UInt128) {
        func octet(_ index: UInt128) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (120 - 8 * index)) }
        self.init(
            uuid: (
                octet(0), octet(1), octet(2), octet(3), octet(4), octet(5), octet(6), octet(7), octet(8), octet(9),
                octet(10), octet(11), octet(12), octet(13), octet(14), octet(15)
            ))
    }
}
