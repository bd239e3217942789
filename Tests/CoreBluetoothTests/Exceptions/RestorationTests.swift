import BLEBackend
import BLELocking
import BLERuntime
import CoreBluetooth
import Foundation
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

    @Test func `125 an identifier with a callback is accepted`() {
        let manager = central(RestoringDelegate(), options: [CBCentralManagerOptionRestoreIdentifierKey: "mine"])
        #expect(Self.logged("\(manager) has no restore identifier").isEmpty)
    }

    @Test func `which delegates have the callback is read without calling it`() {
        #expect(DelegateProbe.hasRestoreCallback(RestoringDelegate() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(Inheriting() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(FinalRestoring() as any CBCentralManagerDelegate) == true)
        #expect(DelegateProbe.hasRestoreCallback(CentralRecorder() as any CBCentralManagerDelegate) == false)
        #expect(DelegateProbe.hasRestoreCallback(PeripheralRecorder() as any CBPeripheralManagerDelegate) == false)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"version": 2, "peripherals": []}"#, #"{"version": 1, "peripherals": [{"identifier": "x"}]}"#,
        #"{"version": 1, "peripherals": 4}"#,
    ]) func `124 a state that can't be read is set aside, and the manager begins afresh`(text: String) {
        let store = MemoryRestorationStore()
        let key = RestorationKey(role: .central, identifier: "mine")
        store.save(Array(text.utf8), for: key)
        let backend = ScriptedBackend()
        let manager = Device.$attached.withValue(
            Device(backend: backend, delivery: QueueDelivery(), restoration: store)
        ) {
            CBCentralManager(
                delegate: RestoringDelegate.shared, queue: DispatchQueue(label: "restoration"),
                options: [CBCentralManagerOptionRestoreIdentifierKey: "mine"])
        }
        #expect(store.load(key) == nil)
        withExtendedLifetime(manager) {}
    }

    @Test func `124 services that lie are left out, and nothing traps`() throws {
        let lies = #"""
            {"version": 1, "services": [
              {"id": 1, "uuid": "no UUID", "isPrimary": true, "includes": [], "characteristics": []},
              {"id": 2, "uuid": "FFF0", "isPrimary": true, "includes": [9], "characteristics": []},
              {"id": 3, "uuid": "FFF1", "isPrimary": true, "includes": [], "characteristics": [
                {"uuid": "FFF2", "properties": 10, "permissions": 3, "value": "AQ==", "descriptors": []}]},
              {"id": 4, "uuid": "FFF3", "isPrimary": true, "includes": [], "characteristics": [
                {"uuid": "FFF4", "properties": 2, "permissions": 1, "descriptors": [{"uuid": "2902", "value": "AQA="}]}]},
              {"id": 5, "uuid": "FFF5", "isPrimary": false, "includes": [], "characteristics": []},
              {"id": 5, "uuid": "FFF6", "isPrimary": true, "includes": [], "characteristics": []},
              {"id": 6, "uuid": "FFF7", "isPrimary": true, "includes": [5], "characteristics": []}]}
            """#
        let state = try JSONDecoder().decode(PeripheralState.self, from: Data(lies.utf8))
        #expect(state.objects().map(\.service.uuid.uuidString) == ["FFF5", "FFF7"])
        #expect(state.objects().last?.service.includedServices?.map(\.uuid.uuidString) == ["FFF5"])
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
    nonisolated(unsafe) static let shared = RestoringDelegate()

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
