internal import CDelegateProbe
public import CoreFoundation
public import Foundation

/// Is told what a ``CBCentralManager`` finds and connects. All calls come on the manager's queue. [contract 1]
///
/// All but ``centralManagerDidUpdateState(_:)`` may be left out, as on Apple's platforms; a misspelt one is never
/// called, and Swift on Linux can't warn of it.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// The manager's state has changed; the first call of all. [contract 2]
    func centralManagerDidUpdateState(_ central: CBCentralManager)

    /// State of an earlier run comes back. Needs a restore identifier. [contract 3]
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])

    /// An advertisement was received. [contract 18-31]
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)

    /// The peripheral is connected; its state says so already. [contract 43]
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)

    /// The connection couldn't be made. [contract 49]
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)

    /// The connection, or a pending one, has ended; no error means that the program wished it. [contract 45, 46, 48]
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)

    /// The same with the time, in seconds since 2001, and whether the system connects again by itself. A delegate that
    /// has the other form too gets only that one. [contract 52, 53]
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?)

    /// A peripheral was connected to this device, or left it, whoever connected it. [contract 56]
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)

    /// Never called on Linux: there is no notification centre to be authorized for.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
    @inline(never)
    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        cdp_mark_central_restore()
    }

    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}

    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}

    /// Forwards to the newer form, so that a delegate with both gets this one only. [contract 53]
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        DelegateCall.markDefault(self)
        let disconnection = Disconnection.current ?? Disconnection(isReconnecting: false)
        centralManager(
            central, didDisconnectPeripheral: peripheral, timestamp: disconnection.timestamp,
            isReconnecting: disconnection.isReconnecting, error: error)
    }

    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {}

    public func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) {}

    public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}
}

/// What the newer disconnect callback says more than the older one, while the call lasts.
struct Disconnection: Sendable {
    @TaskLocal static var current: Disconnection?

    var timestamp: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    var isReconnecting: Bool
}
