import BLEHost
import BLEWire

/// The discovery of everything, in the order in which BlueZ does it: what the server can, services, included services
/// and characteristics over the whole range, and the descriptors of each characteristic.
struct Discovery {
    private enum Stage { case exchange, features, primary, secondary, included, characteristics, descriptors, done }

    private var stage: Stage
    private let mtu: UInt16?
    private var services: [GATTService] = []
    private var characteristics: [GATTCharacteristic] = []
    private var position = -1
    /// Extended Properties that were found and are to be read.
    private var unread: [AttributeHandle] = []

    /// Descriptors, each with the position of its characteristic.
    private var descriptors: [(owner: Int, descriptor: GATTDescriptor)] = []
    private let isWhole: Bool

    /// - Parameters:
    ///   - mtu: what to ask for first; nil where nothing is to be asked.
    ///   - isWhole: false where the MTU exchange is all.
    init(mtu: UInt16?, isWhole: Bool = true) {
        self.mtu = mtu
        self.isWhole = isWhole
        stage = mtu == nil ? .primary : .exchange
    }

    /// What was found, as far as subscribing needs it.
    var database: GivenDatabase { GivenDatabase(characteristics, descriptors) }

    /// Whether an error of the step that runs changes nothing.
    var isOptional: Bool { stage == .features || stage == .primary && services.isEmpty }

    /// The next step after the outcome of the last; nil at the end.
    mutating func next(_ outcome: GATTOutcome?) -> GATTProcedure? {
        switch stage {
        case .exchange:
            stage = isWhole ? .features : .done
            return .exchangeMTU(mtu ?? 23)
        case .features:
            if case .mtu = outcome { return .readByUUID(0x2B3A, .first ... .last) }
            stage = .primary
            return next(nil)
        case .primary:
            guard case .services(let found) = outcome else { return .discoverServices(nil) }
            services = found
            stage = .secondary
            return .discoverSecondaryServices
        case .secondary:
            if case .services(let found) = outcome { services += found }
            services.sort { $0.handles.lowerBound < $1.handles.lowerBound }
            guard let range = whole else { return nil }
            stage = .included
            return .discoverIncludedServices(range)
        case .included:
            guard let range = whole else { return nil }
            stage = .characteristics
            return .discoverCharacteristics(range)
        case .characteristics:
            if case .characteristics(let found) = outcome { characteristics = found }
            stage = .descriptors
            return nextDescriptors()
        case .descriptors:
            if case .descriptors(let found) = outcome {
                descriptors += found.map { (position, $0) }
                unread += found.filter { $0.uuid == GATTType.extendedProperties }.map(\.handle)
            }
            return unread.isEmpty ? nextDescriptors() : .read(unread.removeFirst())
        case .done: return nil
        }
    }

    private var whole: ClosedRange<AttributeHandle>? {
        guard let first = services.first, let last = services.map(\.handles.upperBound).max() else { return nil }
        return first.handles.lowerBound...last
    }

    /// The descriptors of the next characteristic that has room for any.
    private mutating func nextDescriptors() -> GATTProcedure? {
        while position + 1 < characteristics.count {
            position += 1
            let characteristic = characteristics[position]
            var end = services.last { $0.handles.contains(characteristic.declaration) }?.handles.upperBound ?? .last
            if position + 1 < characteristics.count {
                let next = characteristics[position + 1].declaration
                if next <= end { end = AttributeHandle(rawValue: next.rawValue - 1) }
            }
            if characteristic.value < end {
                return .discoverDescriptors(AttributeHandle(rawValue: characteristic.value.rawValue + 1)...end)
            }
        }
        stage = .done
        return nil
    }
}
