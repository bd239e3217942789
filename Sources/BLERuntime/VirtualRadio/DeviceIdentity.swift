package import BLETransport
package import BLEWire

/// Who a process is on a virtual radio: a device with a name, an address and a folder of its own, the same each time.
///
/// *Limits*: the folder is locked as long as this object lives; a second instance of the same device becomes `NAME-2`.
package final class DeviceIdentity: Sendable {
    package let name: RadioName
    package let address: DeviceAddress
    /// Where its bonds, identifiers and caches live.
    package let folder: String
    private let lock: FileLock

    private init(radio: RadioName, name: RadioName, folder: String, lock: FileLock) {
        self.name = name
        self.folder = folder
        self.lock = lock
        address = Self.address(radio: radio, device: name)
    }

    /// Instances of one device at a time.
    package static let instanceLimit = 1000

    /// Takes the first free one of `device`, `device-2`, `device-3` and so on, in the state folder.
    /// - Parameter kind: keeps apart what has the same name: `virtual` radios and real adapters.
    package static func claim(
        _ device: RadioName, on radio: RadioName, kind: String = "virtual", state: StateFolder
    ) throws(TransportError) -> DeviceIdentity {
        for number in 1...instanceLimit {
            let name = number == 1 ? device : device.numbered(number)
            let folder = try state.folder(kind, radio.fileName, name.fileName)
            switch FileLock.attempt(folder + "/lock") {
            case .taken(let lock): return DeviceIdentity(radio: radio, name: name, folder: folder, lock: lock)
            case .held: continue
            case .failed(let code): throw StateFolder.error(folder, code)
            }
        }
        throw TransportError(
            .unsupported, layer: "device state", cause: "\(instanceLimit) instances of \"\(device.text)\" are running",
            remedy: "give this one another name with RAVNING_DEVICE")
    }

    /// The public address of a device: 46 bits that come from both names, marked as assigned locally (bit 1 of the first
    /// octet), so that it is no manufacturer's. [Vol 6, Part B, 1.3.1]
    package static func address(radio: RadioName, device: RadioName) -> DeviceAddress {
        let hash = StableHash.of(Array(radio.text.utf8) + [0] + Array(device.text.utf8))
        return DeviceAddress(hash & 0xFCFF_FFFF_FFFF | 0x0200_0000_0000, .publicDevice)
    }
}

/// A hash that is the same in every process and every version: FNV-1a, with its bits mixed once more.
enum StableHash {
    static func of(_ octets: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in octets { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
