internal import BLEBackend
internal import Foundation

/// Reads the options of a connection.
enum ConnectionOptions {
    /// Options without an effect on Linux; their values must be Booleans all the same.
    private static let booleans: Set<String> = [
        CBConnectPeripheralOptionNotifyOnConnectionKey, CBConnectPeripheralOptionNotifyOnDisconnectionKey,
        CBConnectPeripheralOptionNotifyOnNotificationKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
        CBConnectPeripheralOptionRequiresANCS,
    ]

    /// nil where a key is unknown or a value has the wrong type; a fractional delay has. [contract 51]
    static func parse(_ options: [String: Any]?) -> ConnectOptions? {
        var result = ConnectOptions()
        for (key, value) in options ?? [:] {
            guard let number = value as? NSNumber else { return nil }
            switch key {
            case CBConnectPeripheralOptionStartDelayKey:
                guard let seconds = Int(exactly: number.doubleValue), seconds >= 0 else { return nil }
                result.startDelay = seconds
            case CBConnectPeripheralOptionEnableAutoReconnect:
                result.autoReconnect = number.boolValue
            default:
                guard booleans.contains(key) else { return nil }
            }
        }
        return result
    }
}
