import BLEBackend
import BLELocking
import BLERuntime
import CoreBluetooth
import Testing

@testable import CoreBluetooth

/// Contract 123 and 125: restore identifiers and restore callbacks.
struct RestorationTests {
    @Test func `123 a restore callback without an identifier is logged`() {
        let manager = central(RestoringDelegate(), options: nil)
        #expect(
            Self.logged(
                "API MISUSE: \(manager) has no restore identifier but the delegate implements the "
                    + "centralManager:willRestoreState: method. Restoring will not be supported"
            ).count == 1)
    }

    @Test func `123 the same of a peripheral manager`() {
        let manager = peripheral(RestoringDelegate(), options: nil)
        #expect(
            Self.logged(
                "API MISUSE: \(manager) has no restore identifier but the delegate implements the "
                    + "peripheralManager:willRestoreState: method."
            ).count == 1)
    }

    @Test func `123 a delegate without the callback is not blamed`() {
        let managers: [CBManager] = [
            central(CentralRecorder(), options: nil), peripheral(PeripheralRecorder(), options: nil),
        ]
        for manager in managers { #expect(Self.logged("\(manager) has no restore identifier").isEmpty) }
    }

    @Test func `125 an identifier with a callback is accepted, and the log says that nothing is restored`() {
        let manager = central(RestoringDelegate(), options: [CBCentralManagerOptionRestoreIdentifierKey: "mine"])
        #expect(Self.logged("\(manager) has no restore identifier").isEmpty)
        #expect(Self.logged("State isn't restored: \(manager)").count == 1)
    }

    @Test func `which delegates have the callback is read without calling it`() {
        #expect(DelegateProbe.hasRestoreCallback(RestoringDelegate() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(Inheriting() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(FinalRestoring() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(CentralRecorder() as any CBCentralManagerDelegate) == false)
        #expect(DelegateProbe.hasRestoreCallback(PeripheralRecorder() as any CBPeripheralManagerDelegate) == false)
    }

    /// Managers that are never let go of: what they log comes at once, and no later one must have their address.
    private static let kept = Locked<[CBManager]>([])

    private static func keep<Manager: CBManager>(_ manager: Manager) -> Manager {
        kept.withLock { $0.append(manager) }
        return manager
    }

    private static func logged(_ text: String) -> [String] { LogCapture.lines(since: 0, with: text) }

    private func central(_ delegate: any CBCentralManagerDelegate, options: [String: Any]?) -> CBCentralManager {
        LogCapture.install()
        return Self.keep(
            Device.$attached.withValue(Device(backend: ScriptedBackend(), delivery: QueueDelivery())) {
                CBCentralManager(delegate: delegate, queue: DispatchQueue(label: "restoration"), options: options)
            })
    }

    private func peripheral(
        _ delegate: any CBPeripheralManagerDelegate, options: [String: Any]?
    ) -> CBPeripheralManager {
        LogCapture.install()
        return Self.keep(
            Device.$attached.withValue(Device(backend: ScriptedBackend(), delivery: QueueDelivery())) {
                CBPeripheralManager(delegate: delegate, queue: DispatchQueue(label: "restoration"), options: options)
            })
    }
}

private class RestoringDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        Issue.record("nothing was to be restored")
    }
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        Issue.record("nothing was to be restored")
    }
}

/// Has the method of its superclass.
private final class Inheriting: RestoringDelegate {}

private final class FinalRestoring: NSObject, CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) { print(dict) }
}
