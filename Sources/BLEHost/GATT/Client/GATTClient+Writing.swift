import BLEWire

/// Writes by way of the prepare queue. [Vol 3, Part G, 4.9.4], [Vol 3, Part G, 4.9.5]
extension GATTClient {
    mutating func beginPreparing(_ writes: [GATTWrite], mtu: Int) -> Step {
        preparedCount = 0
        for write in writes {
            guard write.offset >= 0, write.offset + write.value.count <= gattMaximumValueLength else {
                return .failed(.att(.invalidAttributeValueLength))
            }
            // An empty value is prepared too, as one empty part.
            var start = 0
            repeat {
                let end = min(start + mtu - 5, write.value.count)
                parts.append(
                    GATTWrite(
                        handle: write.handle, offset: write.offset + start, value: Array(write.value[start..<end])))
                start = end
            } while start < write.value.count
        }
        return parts.isEmpty ? .failed(.invalidParameters("nothing to write")) : prepareNext()
    }

    private func prepareNext() -> Step {
        guard preparedCount < parts.count else { return .request(.executeWriteRequest(.init(flags: 1))) }
        let part = parts[preparedCount]
        return .request(
            .prepareWriteRequest(.init(handle: part.handle, offset: UInt16(part.offset), value: part.value)))
    }

    mutating func prepared(_ response: ATTPrepareWriteResponse, _ procedure: GATTProcedure, mtu: Int) -> Step {
        guard preparedCount < parts.count else { return .failed(.invalidResponse("a part that wasn't prepared")) }
        let part = parts[preparedCount]
        preparedCount += 1
        if case .writeReliable = procedure,
            part != GATTWrite(handle: response.handle, offset: Int(response.offset), value: response.value)
        {
            return cancel(.invalidResponse("a prepared write came back changed"))
        }
        return prepareNext()
    }

    /// Empties the server's queue; then the procedure fails with the reason. [Vol 3, Part F, 3.4.6.3]
    mutating func cancel(_ reason: HostError) -> Step {
        cancelReason = reason
        return .request(.executeWriteRequest(.init(flags: 0)))
    }
}
