/* The enumerations of Core Bluetooth, declared in C.
 *
 * A C enumeration of open extensibility is imported as what these are on Apple's platforms: an `enum` whose
 * `init(rawValue:)` never fails, so that raw values without a case survive, and whose `switch` wants
 * `@unknown default`. No declaration in Swift can do that. [contract 1.8]
 *
 * Comments with three slashes come out in the documentation of CoreBluetooth.
 */
#ifndef CCOREBLUETOOTH_H
#define CCOREBLUETOOTH_H

#define RV_OPEN_ENUM(name) enum __attribute__((enum_extensibility(open))) name : long
#define RV_NAME(name) __attribute__((swift_name(name)))
#define RV_DEPRECATED(hint) __attribute__((deprecated(hint)))

/// The state of a manager.
typedef RV_OPEN_ENUM(CBManagerState) {
    /// Not known yet; an update follows.
    CBManagerStateUnknown = 0,
    /// The connection to the controller was lost; an update follows.
    CBManagerStateResetting = 1,
    /// There is no adapter that can be used.
    CBManagerStateUnsupported = 2,
    /// The program has no right to use the adapter.
    CBManagerStateUnauthorized = 3,
    /// Bluetooth is switched off.
    CBManagerStatePoweredOff = 4,
    /// Bluetooth is on: commands are accepted.
    CBManagerStatePoweredOn = 5,
} CBManagerState;

/// The older name of the central manager's state.
typedef RV_OPEN_ENUM(CBCentralManagerState) {
    /// Not known yet; an update follows.
    CBCentralManagerStateUnknown = 0,
    /// The connection to the controller was lost; an update follows.
    CBCentralManagerStateResetting = 1,
    /// There is no adapter that can be used.
    CBCentralManagerStateUnsupported = 2,
    /// The program has no right to use the adapter.
    CBCentralManagerStateUnauthorized = 3,
    /// Bluetooth is switched off.
    CBCentralManagerStatePoweredOff = 4,
    /// Bluetooth is on: commands are accepted.
    CBCentralManagerStatePoweredOn = 5,
} CBCentralManagerState RV_DEPRECATED("Use CBManagerState instead");

/// The older name of the peripheral manager's state.
typedef RV_OPEN_ENUM(CBPeripheralManagerState) {
    /// Not known yet; an update follows.
    CBPeripheralManagerStateUnknown = 0,
    /// The connection to the controller was lost; an update follows.
    CBPeripheralManagerStateResetting = 1,
    /// There is no adapter that can be used.
    CBPeripheralManagerStateUnsupported = 2,
    /// The program has no right to use the adapter.
    CBPeripheralManagerStateUnauthorized = 3,
    /// Bluetooth is switched off.
    CBPeripheralManagerStatePoweredOff = 4,
    /// Bluetooth is on: commands are accepted.
    CBPeripheralManagerStatePoweredOn = 5,
} CBPeripheralManagerState RV_DEPRECATED("Use CBManagerState instead");

/// Whether the program may use Bluetooth.
typedef RV_OPEN_ENUM(CBManagerAuthorization) {
    /// Nothing has decided yet.
    CBManagerAuthorizationNotDetermined = 0,
    /// Use is restricted by the system; not on Linux.
    CBManagerAuthorizationRestricted = 1,
    /// The program may not use Bluetooth.
    CBManagerAuthorizationDenied = 2,
    /// The program may use Bluetooth.
    CBManagerAuthorizationAllowedAlways = 3,
} CBManagerAuthorization;

/// The older form of the authorization, of the peripheral role only.
typedef RV_OPEN_ENUM(CBPeripheralManagerAuthorizationStatus) {
    /// Nothing has decided yet.
    CBPeripheralManagerAuthorizationStatusNotDetermined = 0,
    /// Use is restricted by the system; not on Linux.
    CBPeripheralManagerAuthorizationStatusRestricted = 1,
    /// The program may not use Bluetooth.
    CBPeripheralManagerAuthorizationStatusDenied = 2,
    /// The program may use Bluetooth.
    CBPeripheralManagerAuthorizationStatusAuthorized = 3,
} CBPeripheralManagerAuthorizationStatus RV_DEPRECATED("Use CBManagerAuthorization instead");

/// How quick a connection is wished to be.
typedef RV_OPEN_ENUM(CBPeripheralManagerConnectionLatency) {
    /// Answers soon, at the cost of energy.
    CBPeripheralManagerConnectionLatencyLow = 0,
    /// Between the two.
    CBPeripheralManagerConnectionLatencyMedium = 1,
    /// Saves energy, at the cost of time.
    CBPeripheralManagerConnectionLatencyHigh = 2,
} CBPeripheralManagerConnectionLatency;

/// Whether a peripheral is connected.
typedef RV_OPEN_ENUM(CBPeripheralState) {
    /// Not connected through this manager.
    CBPeripheralStateDisconnected = 0,
    /// A connection is wished for.
    CBPeripheralStateConnecting = 1,
    /// Connected through this manager.
    CBPeripheralStateConnected = 2,
    /// The connection is being ended.
    CBPeripheralStateDisconnecting = 3,
} CBPeripheralState;

/// What happened to a connection of the system.
typedef RV_OPEN_ENUM(CBConnectionEvent) {
    /// The device was disconnected.
    CBConnectionEventPeerDisconnected = 0,
    /// The device was connected.
    CBConnectionEventPeerConnected = 1,
} CBConnectionEvent;

/// Whether a write is answered.
typedef RV_OPEN_ENUM(CBCharacteristicWriteType) {
    /// The peer answers, and `didWriteValueFor` follows.
    CBCharacteristicWriteWithResponse = 0,
    /// Nothing is answered; it may be lost.
    CBCharacteristicWriteWithoutResponse = 1,
} CBCharacteristicWriteType;

/* CBChannelSoundingSessionConfiguration.Role. The names of Apple's cases aren't known; these are the specification's. */
typedef RV_OPEN_ENUM(__CBChannelSoundingRole) {
    RVChannelSoundingRoleInitiator RV_NAME("initiator") = 0,
    RVChannelSoundingRoleReflector RV_NAME("reflector") = 1,
} __CBChannelSoundingRole;

/* CBError.Code */
typedef RV_OPEN_ENUM(__CBErrorCode) {
    RVErrorUnknown RV_NAME("unknown") = 0,
    RVErrorInvalidParameters RV_NAME("invalidParameters") = 1,
    RVErrorInvalidHandle RV_NAME("invalidHandle") = 2,
    RVErrorNotConnected RV_NAME("notConnected") = 3,
    RVErrorOutOfSpace RV_NAME("outOfSpace") = 4,
    RVErrorOperationCancelled RV_NAME("operationCancelled") = 5,
    RVErrorConnectionTimeout RV_NAME("connectionTimeout") = 6,
    RVErrorPeripheralDisconnected RV_NAME("peripheralDisconnected") = 7,
    RVErrorUUIDNotAllowed RV_NAME("uuidNotAllowed") = 8,
    RVErrorAlreadyAdvertising RV_NAME("alreadyAdvertising") = 9,
    RVErrorConnectionFailed RV_NAME("connectionFailed") = 10,
    RVErrorConnectionLimitReached RV_NAME("connectionLimitReached") = 11,
    RVErrorUnknownDevice RV_NAME("unknownDevice") = 12,
    RVErrorOperationNotSupported RV_NAME("operationNotSupported") = 13,
    RVErrorPeerRemovedPairingInformation RV_NAME("peerRemovedPairingInformation") = 14,
    RVErrorEncryptionTimedOut RV_NAME("encryptionTimedOut") = 15,
    RVErrorTooManyLEPairedDevices RV_NAME("tooManyLEPairedDevices") = 16,
    RVErrorLeGattExceededBackgroundNotificationLimit RV_NAME("leGattExceededBackgroundNotificationLimit") = 17,
    RVErrorLeGattNearBackgroundNotificationLimit RV_NAME("leGattNearBackgroundNotificationLimit") = 18,
} __CBErrorCode;

/* CBATTError.Code: the codes of ATT_ERROR_RSP. [Vol 3, Part F, 3.4.1.1] */
typedef RV_OPEN_ENUM(__CBATTErrorCode) {
    RVATTErrorSuccess RV_NAME("success") = 0x00,
    RVATTErrorInvalidHandle RV_NAME("invalidHandle") = 0x01,
    RVATTErrorReadNotPermitted RV_NAME("readNotPermitted") = 0x02,
    RVATTErrorWriteNotPermitted RV_NAME("writeNotPermitted") = 0x03,
    RVATTErrorInvalidPdu RV_NAME("invalidPdu") = 0x04,
    RVATTErrorInsufficientAuthentication RV_NAME("insufficientAuthentication") = 0x05,
    RVATTErrorRequestNotSupported RV_NAME("requestNotSupported") = 0x06,
    RVATTErrorInvalidOffset RV_NAME("invalidOffset") = 0x07,
    RVATTErrorInsufficientAuthorization RV_NAME("insufficientAuthorization") = 0x08,
    RVATTErrorPrepareQueueFull RV_NAME("prepareQueueFull") = 0x09,
    RVATTErrorAttributeNotFound RV_NAME("attributeNotFound") = 0x0A,
    RVATTErrorAttributeNotLong RV_NAME("attributeNotLong") = 0x0B,
    RVATTErrorInsufficientEncryptionKeySize RV_NAME("insufficientEncryptionKeySize") = 0x0C,
    RVATTErrorInvalidAttributeValueLength RV_NAME("invalidAttributeValueLength") = 0x0D,
    RVATTErrorUnlikelyError RV_NAME("unlikelyError") = 0x0E,
    RVATTErrorInsufficientEncryption RV_NAME("insufficientEncryption") = 0x0F,
    RVATTErrorUnsupportedGroupType RV_NAME("unsupportedGroupType") = 0x10,
    RVATTErrorInsufficientResources RV_NAME("insufficientResources") = 0x11,
} __CBATTErrorCode;

#undef RV_OPEN_ENUM
#undef RV_NAME
#undef RV_DEPRECATED

#endif
