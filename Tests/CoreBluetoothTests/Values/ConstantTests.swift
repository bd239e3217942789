import CoreBluetooth
import Testing

/// Contract 1.8, 1.9 and 1.11: values that programs store and print.
struct ConstantTests {
    @Test(arguments: [
        (CBAdvertisementDataLocalNameKey, "kCBAdvDataLocalName"),
        (CBAdvertisementDataTxPowerLevelKey, "kCBAdvDataTxPowerLevel"),
        (CBAdvertisementDataServiceUUIDsKey, "kCBAdvDataServiceUUIDs"),
        (CBAdvertisementDataServiceDataKey, "kCBAdvDataServiceData"),
        (CBAdvertisementDataManufacturerDataKey, "kCBAdvDataManufacturerData"),
        (CBAdvertisementDataOverflowServiceUUIDsKey, "kCBAdvDataOverflowServiceUUIDs"),
        (CBAdvertisementDataIsConnectable, "kCBAdvDataIsConnectable"),
        (CBAdvertisementDataSolicitedServiceUUIDsKey, "kCBAdvDataSolicitedServiceUUIDs"),
        (CBCentralManagerOptionShowPowerAlertKey, "kCBInitOptionShowPowerAlert"),
        (CBCentralManagerOptionRestoreIdentifierKey, "kCBInitOptionRestoreIdentifier"),
        (CBCentralManagerOptionDeviceAccessForMedia, "kCBInitOptionDeviceAccessForMedia"),
        (CBCentralManagerScanOptionAllowDuplicatesKey, "kCBScanOptionAllowDuplicates"),
        (CBCentralManagerScanOptionSolicitedServiceUUIDsKey, "kCBScanOptionSolicitedServiceUUIDs"),
        (CBConnectPeripheralOptionNotifyOnConnectionKey, "kCBConnectOptionNotifyOnConnection"),
        (CBConnectPeripheralOptionNotifyOnDisconnectionKey, "kCBConnectOptionNotifyOnDisconnection"),
        (CBConnectPeripheralOptionNotifyOnNotificationKey, "kCBConnectOptionNotifyOnNotification"),
        (CBConnectPeripheralOptionStartDelayKey, "kCBConnectOptionStartDelay"),
        (CBConnectPeripheralOptionEnableTransportBridgingKey, "kCBConnectOptionEnableTransportBridging"),
        (CBConnectPeripheralOptionRequiresANCS, "kCBConnectOptionRequiresANCS"),
        (CBConnectPeripheralOptionEnableAutoReconnect, "kCBConnectOptionEnableAutoReconnect"),
        (CBCentralManagerRestoredStatePeripheralsKey, "kCBRestoredPeripherals"),
        (CBCentralManagerRestoredStateScanServicesKey, "kCBRestoredScanServices"),
        (CBCentralManagerRestoredStateScanOptionsKey, "kCBRestoredScanOptions"),
        (CBPeripheralManagerOptionShowPowerAlertKey, "kCBInitOptionShowPowerAlert"),
        (CBPeripheralManagerOptionRestoreIdentifierKey, "kCBInitOptionRestoreIdentifier"),
        (CBPeripheralManagerRestoredStateServicesKey, "kCBRestoredServices"),
        (CBPeripheralManagerRestoredStateAdvertisementDataKey, "kCBRestoredAdvertisement"),
        (CBErrorDomain, "CBErrorDomain"), (CBATTErrorDomain, "CBATTErrorDomain"),
        (CBUUIDL2CAPPSMCharacteristicString, "ABDD3056-28FA-441D-A470-55A75A52553A"),
    ])
    func `1,11 strings`(constant: String, value: String) { #expect(constant == value) }

    @Test func `1,9 and T1,2 the property mask`() {
        let properties: [CBCharacteristicProperties] = [
            .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
            .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
        ]
        #expect(properties.map(\.rawValue) == [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200])
        let permissions: [CBAttributePermissions] = [
            .readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired,
        ]
        #expect(permissions.map(\.rawValue) == [0x01, 0x02, 0x04, 0x08])
    }

    @Test func `1,8 enumerations`() {
        let states: [CBManagerState] = [
            .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let links: [CBPeripheralState] = [.disconnected, .connecting, .connected, .disconnecting]
        #expect(links.map(\.rawValue) == [0, 1, 2, 3])
        #expect(CBCharacteristicWriteType.withResponse.rawValue == 0)
        #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
        #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
        #expect(CBPeripheralManagerConnectionLatency.high.rawValue == 2)
        #expect(CBConnectionEvent.peerConnected.rawValue == 1)
    }
}
