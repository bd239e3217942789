internal import BLEBackend
internal import BLEWire
internal import Foundation
internal import Synchronization

// Publishing services.

extension PeripheralSession {
    /// The next name for an attribute of this process.
    private static let lastID = Atomic<UInt64>(0)
    private static func nextID() -> LocalAttributeID {
        LocalAttributeID(rawValue: lastID.add(1, ordering: .relaxed).newValue)
    }

    /// Services that the system has itself; a program can't publish them in their 16-bit form. [contract 93]
    private static let ownedServices: Set<UInt16> = [0x1800, 0x1801, 0x1805, 0x180A, 0x180F, 0x1812, 0x181E]

    /// Publishes the service as it is now. [contract 88]
    func add(_ service: CBMutableService) {
        guard service.publish() else { Report.exception("Services cannot be added more than once") }
        if let code = refusal(of: service) {
            service.unpublish()
            return refuse(service, code)
        }
        publish(service)
    }

    /// Publishes a service of the run before again; nothing is told of it.
    func republish(_ service: CBMutableService) {
        guard service.publish() else { return }
        publish(service, isAnswered: true)
    }

    private func publish(_ service: CBMutableService, isAnswered: Bool = false) {
        let characteristics = (service.characteristics ?? []).compactMap { $0 as? CBMutableCharacteristic }
        for characteristic in characteristics {
            Self.checkCachedValue(of: characteristic)
            characteristic.publish(as: Self.nextID())
        }
        let id = Self.nextID()
        let local = database.withLock { database in
            let includes = (service.includedServices ?? []).compactMap(database.id(of:))
            database.insert(
                .init(id: id, service: service, characteristics: characteristics), isAnswered: isAnswered)
            let local = Self.snapshot(service, id, includes, characteristics)
            perform(.addService(local))
            return local
        }
        restoration?.change { $0.services.append(.init(local)) }
    }

    func remove(_ service: CBMutableService) {
        let entry = database.withLock { database -> PublishedDatabase.Entry? in
            guard let id = database.id(of: service) else { return nil }
            perform(.removeService(id))
            return database.remove(id)
        }
        guard let entry else { return }
        entry.unpublish()
        restoration?.change { $0.remove(entry.id) }
    }

    func removeAllServices() {
        let entries = database.withLock { database in
            perform(.removeAllServices)
            return database.removeAll()
        }
        for entry in entries { entry.unpublish() }
        restoration?.change { $0.services = [] }
    }

    /// Why the service can't be published, where Apple's framework answers with an error.
    private func refusal(of service: CBMutableService) -> CBError.Code? {
        let uuid = service.uuid.bluetoothUUID
        if !service.isEmulated, uuid.width == .bits16, let short = uuid.short16, Self.ownedServices.contains(short) {
            return .uuidNotAllowed
        }
        // Included services come first. [contract 89]
        let areIncludesPublished = database.withLock { database in
            (service.includedServices ?? []).allSatisfy { database.id(of: $0) != nil }
        }
        // Attributes found on a peripheral can't be published, nor one characteristic twice.
        let characteristics = service.characteristics ?? []
        let areCharacteristicsFree = characteristics.allSatisfy {
            guard let characteristic = $0 as? CBMutableCharacteristic else { return false }
            return characteristic.localID == nil
                && (characteristic.descriptors ?? []).allSatisfy { $0 is CBMutableDescriptor }
        }
        let isEachOnce = Set(characteristics.map(ObjectIdentifier.init)).count == characteristics.count
        return areIncludesPublished && areCharacteristicsFree && isEachOnce ? nil : .invalidParameters
    }

    private func refuse(_ service: CBMutableService, _ code: CBError.Code) {
        deliver {
            guard let manager = self.manager else { return }
            self.tellAdded(service, FrameworkError.make(code), manager)
        }
    }

    /// Only what can't change may be cached. [contract 90]
    private static func checkCachedValue(of characteristic: CBMutableCharacteristic) {
        guard characteristic.cachedValue != nil else { return }
        let isReadOnly =
            characteristic.properties.isSubset(of: .read)
            && characteristic.permissions.isSubset(of: [.readable, .readEncryptionRequired])
        if !isReadOnly { Report.exception("Characteristics with cached values must be read-only") }
    }

    private static func snapshot(
        _ service: CBMutableService, _ id: LocalAttributeID, _ includes: [LocalAttributeID],
        _ characteristics: [CBMutableCharacteristic]
    ) -> LocalService {
        var local = LocalService(
            id: id, uuid: service.uuid.bluetoothUUID, isPrimary: service.isPrimary, includes: includes,
            characteristics: characteristics.compactMap { characteristic in
                characteristic.localID.map { snapshot(characteristic, $0) }
            })
        local.isEmulated = service.isEmulated
        return local
    }

    private static func snapshot(
        _ characteristic: CBMutableCharacteristic, _ id: LocalAttributeID
    )
        -> LocalCharacteristic
    {
        LocalCharacteristic(
            id: id, uuid: characteristic.uuid.bluetoothUUID,
            properties: UInt16(truncatingIfNeeded: characteristic.properties.rawValue),
            permissions: LocalPermissions(rawValue: UInt8(truncatingIfNeeded: characteristic.permissions.rawValue)),
            value: characteristic.cachedValue?.octets,
            descriptors: (characteristic.descriptors ?? []).compactMap { $0 as? CBMutableDescriptor }.map {
                LocalDescriptor(id: nextID(), uuid: $0.uuid.bluetoothUUID, value: $0.octets)
            })
    }
}
