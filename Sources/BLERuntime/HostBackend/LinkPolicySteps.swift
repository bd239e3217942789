import BLEWire

/// What a phone does on a link for itself: it exchanges the MTU at once; while programs want nothing it reads the device's
/// name and subscribes to Service Changed. [contract 37, 65, 75] The Database Hash of a bonded peer is read at the latest
/// before something is discovered.
///
/// Each step is one GATT procedure, so that an operation of a program waits for one at most. Errors are only traced.
struct LinkPolicySteps: Equatable {
    enum Step: Equatable {
        case exchangeMTU
        /// [Vol 3, Part G, 7.3]
        case readDatabaseHash
        case readDeviceName
        /// Finds the GATT service. [Vol 3, Part G, 7]
        case findGATTService
        case findServiceChanged(ClosedRange<AttributeHandle>)
        case findConfiguration(ClosedRange<AttributeHandle>)
        case subscribe(AttributeHandle)
    }
    /// Steps that are still to be done, the next one first.
    var steps: [Step] = []
    /// Where the peer's Device Name is. [Vol 3, Part C, 12.1]
    var deviceName: AttributeHandle?
    /// Where the peer's Service Changed is. [Vol 3, Part G, 7.1]
    var serviceChanged: AttributeHandle?
    /// Changes of the peer's database will be told by Service Changed, or the peer has none and never changes it.
    /// [Vol 3, Part G, 2.5.2]
    var followsChanges = false

    init() {}

    init(_ profile: PhoneProfile) {
        if profile.exchangesMTU { steps.append(.exchangeMTU) }
        if profile.readsDeviceName { steps.append(.readDeviceName) }
        if profile.followsServiceChanges { steps.append(.findGATTService) }
    }

    mutating func readDatabaseHash() {
        if !steps.contains(.readDatabaseHash) {
            steps.insert(.readDatabaseHash, at: steps.first == .exchangeMTU ? 1 : 0)
        }
    }

    /// Whether the next step goes before what a program wants.
    func goesBefore(_ operation: ClientOperation) -> Bool {
        switch steps.first {
        case .exchangeMTU: true
        case .readDatabaseHash: operation.isDiscovery
        default: false
        }
    }

    /// Handles of the peer that were learned in the range are worth nothing any more. [Vol 3, Part G, 2.5.2]
    mutating func invalidate(_ range: ClosedRange<AttributeHandle>, _ profile: PhoneProfile) {
        if let handle = deviceName, range.contains(handle) { deviceName = nil }
        if profile.readsDeviceName, deviceName == nil, !steps.contains(.readDeviceName) {
            steps.append(.readDeviceName)
        }
        guard profile.followsServiceChanges, let handle = serviceChanged, range.contains(handle) else { return }
        followsChanges = false
        // The handle stays valid for indications until a new one was found.
        if !steps.contains(.findGATTService) { steps.append(.findGATTService) }
    }
}
