internal import BLEBackend
internal import BLEWire

/// What a peripheral object knows of its device's attributes: the objects, and where each lies.
///
/// An attribute object is valid as long as it is found here; a new connection makes new ones. [contract 54]
struct RemoteAttributes {
    /// Primary services that the program discovered, by handle; nil before the first discovery.
    private(set) var services: [CBService]?
    /// All services that were discovered or found included, by the handle of their declaration.
    private var known: [AttributeHandle: CBService] = [:]
    private var characteristics: [AttributeHandle: CBCharacteristic] = [:]
    private var descriptors: [AttributeHandle: CBDescriptor] = [:]

    func service(_ handle: AttributeHandle) -> CBService? { known[handle] }
    func characteristic(_ valueHandle: AttributeHandle) -> CBCharacteristic? { characteristics[valueHandle] }
    func descriptor(_ handle: AttributeHandle) -> CBDescriptor? { descriptors[handle] }

    /// Services found before stay the same objects, new ones are added. [contract 60]
    mutating func discovered(_ found: [RemoteService], of peripheral: CBPeripheral) {
        var all = services ?? []
        for service in found.map({ object(for: $0, of: peripheral) }) where !all.contains(where: { $0 === service }) {
            all.append(service)
        }
        services = all.sorted { $0.startHandle < $1.startHandle }
    }

    /// The object of an included service; the program may have it already. [contract 62]
    mutating func included(_ found: [RemoteService], of peripheral: CBPeripheral) -> [CBService] {
        found.map { object(for: $0, of: peripheral) }
    }

    mutating func discovered(_ found: [RemoteCharacteristic], of service: CBService) {
        let objects = found.map { remote in
            if let known = characteristics[remote.value], known.remote == remote { return known }
            let new = CBCharacteristic(remote, service: service)
            characteristics[remote.value] = new
            return new
        }
        service.addCharacteristics(objects)
    }

    mutating func discovered(_ found: [RemoteDescriptor], of characteristic: CBCharacteristic) {
        let objects = found.map { remote in
            if let known = descriptors[remote.handle], known.uuid.bluetoothUUID == remote.uuid { return known }
            let new = CBDescriptor(remote, characteristic: characteristic)
            descriptors[remote.handle] = new
            return new
        }
        characteristic.addDescriptors(objects)
    }

    /// Takes out the services with a handle in the range, with all that belongs to them; those that the program has
    /// seen are returned. [contract 66]
    mutating func removeServices(in range: ClosedRange<AttributeHandle>) -> (shown: [CBService], old: RemoteAttributes)
    {
        let gone = known.values.filter { $0.remote?.handles.overlaps(range) ?? false }
            .sorted { $0.startHandle < $1.startHandle }
        var old = RemoteAttributes()
        for service in gone {
            known[service.startHandle] = nil
            guard let handles = service.remote?.handles else { continue }
            for (handle, characteristic) in characteristics where handles.contains(handle) {
                old.characteristics[handle] = characteristic
                characteristics[handle] = nil
            }
            for (handle, descriptor) in descriptors where handles.contains(handle) {
                old.descriptors[handle] = descriptor
                descriptors[handle] = nil
            }
        }
        let shown = (services ?? []).filter { service in gone.contains { $0 === service } }
        services = services?.filter { service in !gone.contains { $0 === service } }
        return (shown, old)
    }

    /// Empties this and returns what was there, to be let go of outside the lock.
    mutating func removeAll() -> RemoteAttributes {
        defer { self = RemoteAttributes() }
        return self
    }

    /// No notification comes to objects that are gone. [contract 55]
    func invalidate() {
        for characteristic in characteristics.values { characteristic.invalidate() }
    }

    private mutating func object(for remote: RemoteService, of peripheral: CBPeripheral) -> CBService {
        if let service = known[remote.handles.lowerBound], service.remote == remote { return service }
        let service = CBService(remote, peripheral: peripheral)
        known[remote.handles.lowerBound] = service
        return service
    }
}
