import CoreBluetooth

/// Services as a program publishes them.
enum Local {
    /// FFF0 with a dynamic FFF1 that can be read, written and subscribed to.
    static func service(
        properties: CBCharacteristicProperties = [.read, .write, .notify], value: Data? = nil,
        permissions: CBAttributePermissions = [.readable, .writeable]
    ) -> (CBMutableService, CBMutableCharacteristic) {
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(string: "FFF1"), properties: properties, value: value, permissions: permissions)
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = [characteristic]
        return (service, characteristic)
    }
}
