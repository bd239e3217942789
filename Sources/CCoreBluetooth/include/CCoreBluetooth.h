/* The enumerations of Core Bluetooth, declared in C.
 *
 * A C enumeration of open extensibility is imported as what these are on Apple's platforms: an `enum` whose
 * `init(rawValue:)` never fails, so that raw values without a case survive, and whose `switch` wants
 * `@unknown default`. No declaration in Swift can do that. [contract 1.8]
 */
#ifndef CCOREBLUETOOTH_H
#define CCOREBLUETOOTH_H

#define RV_OPEN_ENUM(name) enum __attribute__((enum_extensibility(open))) name : long
#define RV_NAME(name) __attribute__((swift_name(name)))
#define RV_DEPRECATED(hint) __attribute__((deprecated(hint)))

/* The state of a manager. */
typedef RV_OPEN_ENUM(CBManagerState) {
    CBManagerStateUnknown = 0,
    CBManagerStateResetting = 1,
    CBManagerStateUnsupported = 2,
    CBManagerStateUnauthorized = 3,
    CBManagerStatePoweredOff = 4,
    CBManagerStatePoweredOn = 5,
} CBManagerState;

/* The older name of the central manager's state. */
typedef RV_OPEN_ENUM(CBCentralManagerState) {
    CBCentralManagerStateUnknown = 0,
    CBCentralManagerStateResetting = 1,
    CBCentralManagerStateUnsupported = 2,
    CBCentralManagerStateUnauthorized = 3,
    CBCentralManagerStatePoweredOff = 4,
    CBCentralManagerStatePoweredOn = 5,
} CBCentralManagerState RV_DEPRECATED("Use CBManagerState instead");

/* The older name of the peripheral manager's state. */
typedef RV_OPEN_ENUM(CBPeripheralManagerState) {
    CBPeripheralManagerStateUnknown = 0,
    CBPeripheralManagerStateResetting = 1,
    CBPeripheralManagerStateUnsupported = 2,
    CBPeripheralManagerStateUnauthorized = 3,
    CBPeripheralManagerStatePoweredOff = 4,
    CBPeripheralManagerStatePoweredOn = 5,
} CBPeripheralManagerState RV_DEPRECATED("Use CBManagerState instead");

/* Whether the program may use Bluetooth. */
typedef RV_OPEN_ENUM(CBManagerAuthorization) {
    CBManagerAuthorizationNotDetermined = 0,
    CBManagerAuthorizationRestricted = 1,
    CBManagerAuthorizationDenied = 2,
    CBManagerAuthorizationAllowedAlways = 3,
} CBManagerAuthorization;

/* The older form of the authorization, of the peripheral role only. */
typedef RV_OPEN_ENUM(CBPeripheralManagerAuthorizationStatus) {
    CBPeripheralManagerAuthorizationStatusNotDetermined = 0,
    CBPeripheralManagerAuthorizationStatusRestricted = 1,
    CBPeripheralManagerAuthorizationStatusDenied = 2,
    CBPeripheralManagerAuthorizationStatusAuthorized = 3,
} CBPeripheralManagerAuthorizationStatus RV_DEPRECATED("Use CBManagerAuthorization instead");

/* How quick a connection is wished to be. */
typedef RV_OPEN_ENUM(CBPeripheralManagerConnectionLatency) {
    CBPeripheralManagerConnectionLatencyLow = 0,
    CBPeripheralManagerConnectionLatencyMedium = 1,
    CBPeripheralManagerConnectionLatencyHigh = 2,
} CBPeripheralManagerConnectionLatency;

/* Whether a peripheral is connected. */
typedef RV_OPEN_ENUM(CBPeripheralState) {
    CBPeripheralStateDisconnected = 0,
    CBPeripheralStateConnecting = 1,
    CBPeripheralStateConnected = 2,
    CBPeripheralStateDisconnecting = 3,
} CBPeripheralState;

/* What happened to a connection of the system. */
typedef RV_OPEN_ENUM(CBConnectionEvent) {
    CBConnectionEventPeerDisconnected = 0,
    CBConnectionEventPeerConnected = 1,
} CBConnectionEvent;

/* Whether a write is answered. */
typedef RV_OPEN_ENUM(CBCharacteristicWriteType) {
    CBCharacteristicWriteWithResponse = 0,
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
