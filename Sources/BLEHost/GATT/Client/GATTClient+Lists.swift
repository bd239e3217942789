import BLEWire

/// Lists of declarations, checked entry by entry. [Vol 3, Part G, 4.4]
extension GATTClient {
    mutating func takeServices(_ response: ATTReadByGroupTypeResponse, _ procedure: GATTProcedure) -> Step {
        guard response.length == 6 || response.length == 20,
            let list = EntryList(response.data, stride: Int(response.length))
        else { return .failed(.invalidResponse("a service list of a wrong length")) }
        for entry in list.offsets {
            guard takeService(list.handle(entry), list.handle(entry + 2), list.uuid(entry + 4, of: list.stride - 4))
            else { return .failed(.invalidResponse("services that overlap or don't rise")) }
        }
        return goOn(procedure, end: .last)
    }

    mutating func takeServices(
        _ response: ATTFindByTypeValueResponse, _ uuid: BluetoothUUID, _ procedure: GATTProcedure
    ) -> Step {
        if response.handles.isEmpty { return .failed(.invalidResponse("an empty service list")) }
        for found in response.handles {
            guard takeService(found.found, found.groupEnd, uuid) else {
                return .failed(.invalidResponse("services that overlap or don't rise"))
            }
        }
        return goOn(procedure, end: .last)
    }

    /// Takes a service that lies behind the last one.
    private mutating func takeService(
        _ start: AttributeHandle, _ end: AttributeHandle, _ uuid: BluetoothUUID
    ) -> Bool {
        guard Int(start.rawValue) >= cursor, start != .none, end >= start else { return false }
        services.append(GATTService(handles: start...end, uuid: uuid))
        cursor = Int(end.rawValue) + 1
        return true
    }

    mutating func takeIncluded(
        _ response: ATTReadByTypeResponse, _ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure
    ) -> Step {
        guard response.length == 6 || response.length == 8,
            let list = EntryList(response.data, stride: Int(response.length))
        else { return .failed(.invalidResponse("a list of included services of a wrong length")) }
        for entry in list.offsets {
            let declaration = list.handle(entry)
            let start = list.handle(entry + 2)
            let end = list.handle(entry + 4)
            guard take(declaration, in: range), start != .none, start <= end else {
                return .failed(.invalidResponse("included services that don't rise or have no range"))
            }
            let uuid: BluetoothUUID = list.stride == 8 ? list.uuid(entry + 6, of: 2) : 0
            let service = GATTIncludedService(
                declaration: declaration, service: GATTService(handles: start...end, uuid: uuid))
            if list.stride == 8 { included.append(service) } else { unnamed.append(service) }
        }
        // A UUID of 128 bits doesn't fit the declaration: it is read where the service is. [Vol 3, Part G, 4.5.1]
        unnamed.reverse()
        return nextIncluded(range, procedure)
    }

    private mutating func nextIncluded(_ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure) -> Step {
        if let service = unnamed.last {
            return .request(.readRequest(.init(handle: service.service.handles.lowerBound)))
        }
        return goOn(procedure, end: range.upperBound)
    }

    mutating func nameIncluded(
        _ value: [UInt8], _ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure
    ) -> Step {
        guard var service = unnamed.popLast(), value.count == 2 || value.count == 16,
            let list = EntryList(value, stride: value.count)
        else { return .failed(.invalidResponse("a service declaration without a UUID")) }
        service.service.uuid = list.uuid(0, of: value.count)
        included.append(service)
        return nextIncluded(range, procedure)
    }

    mutating func takeCharacteristics(
        _ response: ATTReadByTypeResponse, _ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure
    ) -> Step {
        guard response.length == 7 || response.length == 21,
            let list = EntryList(response.data, stride: Int(response.length))
        else { return .failed(.invalidResponse("a characteristic list of a wrong length")) }
        for entry in list.offsets {
            let declaration = list.handle(entry)
            let value = list.handle(entry + 3)
            let isBehind = characteristics.last.map { $0.value < declaration } ?? true
            guard take(declaration, in: range), isBehind, value > declaration, value <= range.upperBound else {
                return .failed(.invalidResponse("characteristics that don't rise or lie outside"))
            }
            characteristics.append(
                GATTCharacteristic(
                    declaration: declaration, value: value, properties: list.octets[entry + 2],
                    uuid: list.uuid(entry + 5, of: list.stride - 5)))
        }
        return goOn(procedure, end: range.upperBound)
    }

    mutating func takeDescriptors(
        _ response: ATTFindInformationResponse, _ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure
    ) -> Step {
        guard let list = EntryList(response.information, stride: response.stride) else {
            return .failed(.invalidResponse("a descriptor list of a wrong length"))
        }
        for entry in list.offsets {
            guard take(list.handle(entry), in: range) else {
                return .failed(.invalidResponse("descriptors that don't rise or lie outside"))
            }
            descriptors.append(
                GATTDescriptor(handle: list.handle(entry), uuid: list.uuid(entry + 2, of: list.stride - 2)))
        }
        return goOn(procedure, end: range.upperBound)
    }

    mutating func takeValues(
        _ response: ATTReadByTypeResponse, _ range: ClosedRange<AttributeHandle>, _ procedure: GATTProcedure
    ) -> Step {
        guard let list = EntryList(response.data, stride: Int(response.length)) else {
            return .failed(.invalidResponse("a value list of a wrong length"))
        }
        for entry in list.offsets {
            guard take(list.handle(entry), in: range) else {
                return .failed(.invalidResponse("values whose handles don't rise or lie outside"))
            }
            let value = list.octets[(entry + 2)..<(entry + list.stride)]
            values.append(GATTHandleValue(handle: list.handle(entry), value: Array(value)))
        }
        return goOn(procedure, end: range.upperBound)
    }
}

/// Entries of one length, one after the other.
private struct EntryList {
    let octets: [UInt8]
    let stride: Int

    /// nil where there's no entry, or a part of one.
    init?(_ octets: [UInt8], stride: Int) {
        guard stride > 0, !octets.isEmpty, octets.count % stride == 0 else { return nil }
        self.octets = octets
        self.stride = stride
    }

    /// Where the entries begin.
    var offsets: StrideTo<Int> { Swift.stride(from: 0, to: octets.count, by: stride) }

    func handle(_ offset: Int) -> AttributeHandle {
        AttributeHandle(rawValue: UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8)
    }

    /// A UUID of 2 or 16 octets. (By hand: the generic initializer doesn't specialise across modules.)
    func uuid(_ offset: Int, of count: Int) -> BluetoothUUID {
        var value: UInt128 = 0
        for index in (offset..<(offset + count)).reversed() { value = value << 8 | UInt128(octets[index]) }
        return count == 2 ? BluetoothUUID(UInt16(truncatingIfNeeded: value)) : BluetoothUUID(full: value)
    }
}
