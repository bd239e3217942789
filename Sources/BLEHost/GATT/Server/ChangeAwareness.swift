import BLEWire

/// Whether a client knows that the database changed. [Vol 3, Part G, 2.5.2.1]
struct ChangeAwareness: Sendable {
    /// Bits of Client Supported Features that are known here: robust caching, EATT, multiple notifications.
    static let knownFeatures: UInt8 = 0x07

    /// What the client wrote to Client Supported Features. [Vol 3, Part G, 7.2]
    var features: UInt8 = 0
    private var state = State.aware

    private enum State { case aware, unaware, toldOutOfSync, readHash }

    var robustCaching: Bool { features & 1 == 1 }
    /// Commands of such a client are ignored, and it gets no values.
    var isUnaware: Bool { robustCaching && state != .aware }

    /// The database changed while the client was connected.
    mutating func databaseChanged() { state = .unaware }

    /// The client confirmed a Service Changed indication.
    mutating func confirmed() { state = .aware }

    /// The opcode of a request that gets Database Out Of Sync; nil where it is to be carried out.
    mutating func refuses(_ packet: ATTPacket) -> ATTOpcode? {
        switch state {
        case .aware: return nil
        case .toldOutOfSync, .readHash:
            // Another request after the one that told it: the client knows.
            state = .aware
            return nil
        case .unaware: break
        }
        switch packet {
        case .readRequest: return outOfSync(.readRequest)
        case .readBlobRequest: return outOfSync(.readBlobRequest)
        case .readMultipleRequest: return outOfSync(.readMultipleRequest)
        case .readMultipleVariableRequest: return outOfSync(.readMultipleVariableRequest)
        case .writeRequest: return outOfSync(.writeRequest)
        case .prepareWriteRequest: return outOfSync(.prepareWriteRequest)
        case .readByTypeRequest(let request):
            if request.attributeType == GATTType.databaseHash { state = .readHash }
            let isWhole = request.startingHandle == .first && request.endingHandle == .last
            let isDiscovery =
                request.attributeType == GATTType.include || request.attributeType == GATTType.characteristic
            return isWhole || isDiscovery ? nil : outOfSync(.readByTypeRequest)
        default: return nil
        }
    }

    private mutating func outOfSync(_ opcode: ATTOpcode) -> ATTOpcode {
        state = .toldOutOfSync
        return opcode
    }
}
