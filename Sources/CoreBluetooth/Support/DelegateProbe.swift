internal import CDelegateProbe
internal import Foundation

/// Which delegates have a restore callback: to be known when a manager is made, long before it would be called.
/// [contract 123, 125]
///
/// The other optional methods are watched while they are called (``DelegateCall``). This one must not be called to find
/// out, so its entry in the delegate's witness table is followed to the implementation instead; see `CDelegateProbe`.
/// Nothing but a line in the log and the exception of contract 125 hangs on the answer.
enum DelegateProbe {
    /// nil where it can't be told.
    static func hasRestoreCallback(_ delegate: any CBCentralManagerDelegate) -> Bool? {
        isReliable ? follow(Central(delegate: delegate), cdp_mark_central_restore) : nil
    }

    /// nil where it can't be told.
    static func hasRestoreCallback(_ delegate: any CBPeripheralManagerDelegate) -> Bool? {
        isReliable ? follow(Peripheral(delegate: delegate), cdp_mark_peripheral_restore) : nil
    }

    // In a structure, so that the reference is passed as it is: the object, and its type's witness table.
    private struct Central { var delegate: any CBCentralManagerDelegate }
    private struct Peripheral { var delegate: any CBPeripheralManagerDelegate }

    /// The restore callback is the second requirement of both protocols. Before them stand the conformance and the
    /// table of the protocol that they refine.
    private static let entry = 3

    private static func follow<Reference>(_ reference: Reference, _ mark: @convention(c) () -> Void) -> Bool? {
        let word = MemoryLayout<UnsafeRawPointer>.size
        guard MemoryLayout<Reference>.size == 2 * word else { return nil }
        let witness = withUnsafeBytes(of: reference) { octets in
            octets.load(fromByteOffset: word, as: UnsafeRawPointer.self)
                .load(fromByteOffset: entry * word, as: UnsafeRawPointer.self)
        }
        switch cdp_follow(witness, mark) {
        case CDP_DEFAULT: return false
        case CDP_OWN: return true
        default: return nil
        }
    }

    /// Whether the compiler lays tables and code out as expected: tried on delegates whose answers are known.
    private static let isReliable =
        follow(Central(delegate: WithoutRestoring()), cdp_mark_central_restore) == false
        && follow(Central(delegate: WithRestoring()), cdp_mark_central_restore) == true
        && follow(Peripheral(delegate: WithoutRestoring()), cdp_mark_peripheral_restore) == false
        && follow(Peripheral(delegate: WithRestoring()), cdp_mark_peripheral_restore) == true

    private final class WithoutRestoring: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate {
        func centralManagerDidUpdateState(_ central: CBCentralManager) {}
        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
    }

    private final class WithRestoring: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate {
        func centralManagerDidUpdateState(_ central: CBCentralManager) {}
        func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
        func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}
    }
}
