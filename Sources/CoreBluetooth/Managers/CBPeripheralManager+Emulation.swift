internal import BLEBackend
internal import BLEWire
internal import Foundation

// What a phone's programs can't do, and a tool that stands for a device that is no phone must. Not for users.
extension CBPeripheralManager {
    /// Advertises manufacturer data and service data beside what `startAdvertising(_:)` takes, and as a beacon where nobody
    /// is to connect; answered likewise.
    package func startAdvertising(
        localName: String?, services: [CBUUID], manufacturerData: Data?, serviceData: [(CBUUID, Data)],
        isConnectable: Bool
    ) {
        guard state == .poweredOn else { return }
        var request = AdvertisingRequest(localName: localName, services: services.map(\.bluetoothUUID))
        request.manufacturerData = manufacturerData?.octets
        request.serviceData = serviceData.map { .init(uuid: $0.bluetoothUUID, data: $1.octets) }
        request.isConnectable = isConnectable
        peripheral.startAdvertising(request)
    }

    /// Ends the link of a central.
    package func disconnect(_ central: CBCentral) { peripheral.perform(.disconnect(central.peerID)) }
}
