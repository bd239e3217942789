import BLEWire

/// Procedures that walk over a range of handles. [Vol 3, Part G, 4.4]
extension GATTClient {
    /// The request that goes on at a handle.
    mutating func continueDiscovery(_ procedure: GATTProcedure) -> Step {
        let start = AttributeHandle(rawValue: UInt16(truncatingIfNeeded: cursor))
        switch procedure {
        case .discoverServices(nil): return group(GATTType.primaryService, start)
        case .discoverSecondaryServices: return group(GATTType.secondaryService, start)
        case .discoverServices(let uuid?):
            return .request(
                .findByTypeValueRequest(
                    .init(
                        startingHandle: start, endingHandle: .last, attributeType: 0x2800,
                        value: uuid.attLittleEndian)))
        case .discoverIncludedServices(let range): return byType(GATTType.include, start, range.upperBound)
        case .discoverCharacteristics(let range): return byType(GATTType.characteristic, start, range.upperBound)
        case .readByUUID(let uuid, let range):
            return byType(
                uuid.width == .bits32 ? BluetoothUUID(full: uuid.full) : uuid, start, range.upperBound)
        case .discoverDescriptors(let range):
            return .request(
                .findInformationRequest(.init(startingHandle: start, endingHandle: range.upperBound)))
        default: return .failed(.invalidParameters("not a discovery"))
        }
    }

    private func group(_ type: BluetoothUUID, _ start: AttributeHandle) -> Step {
        .request(.readByGroupTypeRequest(.init(startingHandle: start, endingHandle: .last, groupType: type)))
    }

    private func byType(_ type: BluetoothUUID, _ start: AttributeHandle, _ end: AttributeHandle) -> Step {
        .request(.readByTypeRequest(.init(startingHandle: start, endingHandle: end, attributeType: type)))
    }

    /// Goes on behind what came, or ends where that was the last of the range.
    mutating func goOn(_ procedure: GATTProcedure, end: AttributeHandle) -> Step {
        cursor > Int(end.rawValue) ? endDiscovery(procedure) : continueDiscovery(procedure)
    }

    /// Whether a handle is behind all that came, and in the range. The next one has to be higher still.
    mutating func take(_ handle: AttributeHandle, in range: ClosedRange<AttributeHandle>) -> Bool {
        guard Int(handle.rawValue) >= cursor, handle != .none, range.contains(handle) else { return false }
        cursor = Int(handle.rawValue) + 1
        return true
    }

    /// Hands out what was gathered.
    mutating func endDiscovery(_ procedure: GATTProcedure) -> Step {
        switch procedure {
        case .discoverServices, .discoverSecondaryServices:
            defer { services = [] }
            return .done(.services(services))
        case .discoverIncludedServices:
            defer { included = [] }
            return .done(.includedServices(included))
        case .discoverCharacteristics:
            defer { characteristics = [] }
            return .done(.characteristics(characteristics))
        case .discoverDescriptors:
            defer { descriptors = [] }
            return .done(.descriptors(descriptors))
        default:
            defer { values = [] }
            return .done(.values(values))
        }
    }

    /// The next step after a list came.
    mutating func discovered(_ packet: ATTPacket, _ procedure: GATTProcedure) -> Step {
        switch (procedure, packet) {
        case (.discoverServices(nil), .readByGroupTypeResponse(let response)),
            (.discoverSecondaryServices, .readByGroupTypeResponse(let response)):
            return takeServices(response, procedure)
        case (.discoverServices(let uuid?), .findByTypeValueResponse(let response)):
            return takeServices(response, uuid, procedure)
        case (.discoverIncludedServices(let range), .readByTypeResponse(let response)):
            return takeIncluded(response, range, procedure)
        case (.discoverIncludedServices(let range), .readResponse(let response)):
            return nameIncluded(response.value, range, procedure)
        case (.discoverCharacteristics(let range), .readByTypeResponse(let response)):
            return takeCharacteristics(response, range, procedure)
        case (.discoverDescriptors(let range), .findInformationResponse(let response)):
            return takeDescriptors(response, range, procedure)
        case (.readByUUID(_, let range), .readByTypeResponse(let response)):
            return takeValues(response, range, procedure)
        default: return .failed(.invalidResponse("an answer of another kind"))
        }
    }
}
