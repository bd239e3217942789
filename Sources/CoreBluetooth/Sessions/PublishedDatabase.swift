internal import BLEBackend
internal import BLEWire

/// The services that a peripheral manager has published or is publishing, by the names that the backend knows them by.
struct PublishedDatabase {
    struct Entry {
        var id: LocalAttributeID
        var service: CBMutableService
        var characteristics: [CBMutableCharacteristic]

        /// Marks the objects as free to be added again.
        func unpublish() {
            service.unpublish()
            for characteristic in characteristics { characteristic.unpublish() }
        }
    }

    /// In the order in which they were added.
    private var entries: [Entry] = []
    private var characteristicsByID: [LocalAttributeID: CBMutableCharacteristic] = [:]
    /// Services whose publication the backend hasn't answered yet; one that is removed meanwhile is answered too.
    private var unanswered: [LocalAttributeID: CBMutableService] = [:]

    /// - Parameter isAnswered: nobody waits for the backend's answer.
    mutating func insert(_ entry: Entry, isAnswered: Bool = false) {
        entries.append(entry)
        if !isAnswered { unanswered[entry.id] = entry.service }
        for characteristic in entry.characteristics {
            if let id = characteristic.localID { characteristicsByID[id] = characteristic }
        }
    }

    /// The backend has answered: the service, and what is taken out because it failed.
    mutating func answered(_ id: LocalAttributeID, failed: Bool) -> (service: CBMutableService, removed: Entry?)? {
        guard let service = unanswered.removeValue(forKey: id) else { return nil }
        return (service, failed ? remove(id) : nil)
    }

    /// Takes a service out. What is taken out is marked and let go of outside the lock.
    mutating func remove(_ id: LocalAttributeID) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        let entry = entries.remove(at: index)
        for characteristic in entry.characteristics {
            if let id = characteristic.localID { characteristicsByID[id] = nil }
        }
        return entry
    }

    /// Takes everything out.
    mutating func removeAll() -> [Entry] {
        defer {
            entries = []
            characteristicsByID = [:]
        }
        return entries
    }

    /// The backend has none of it any more, nor will it answer.
    mutating func reset() -> [Entry] {
        unanswered = [:]
        return removeAll()
    }

    /// The name of a service that is published or being published.
    func id(of service: CBService) -> LocalAttributeID? { entries.first { $0.service === service }?.id }

    func characteristic(_ id: LocalAttributeID) -> CBMutableCharacteristic? { characteristicsByID[id] }

    /// All characteristics, in the order in which they were published.
    var characteristics: [CBMutableCharacteristic] { entries.flatMap(\.characteristics) }
}
