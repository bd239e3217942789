import BLEWire

/// Why a command was sent, and so what its answer means.
enum CommandPurpose: Equatable, Sendable {
    case powerOn(PowerOnStep)
    /// The reset that ends everything before the host is off.
    case powerOffReset

    case setScanParameters
    case enableScan
    case disableScan

    case setAdvertisingParameters
    case setAdvertisingAddress
    case setAdvertisingData
    case setScanResponseData
    case enableAdvertising
    case disableAdvertising

    case removeFromAcceptList(DeviceAddress)
    case addToAcceptList(DeviceAddress)
    case createConnection
    case cancelConnection

    /// The search for a periodic advertiser.
    case createSync
    case cancelSync

    /// A step of the private addresses.
    case privacy

    case disconnect(ConnectionHandle)
    case readRemoteFeatures(ConnectionHandle)
    case readRSSI(ConnectionHandle)
    case updateConnection(ConnectionHandle)
    case setPHY(ConnectionHandle, asked: Bool)
    case setDataLength(ConnectionHandle)
    case encrypt(ConnectionHandle)
    /// Only an error is of interest, for the log.
    case reply
}
