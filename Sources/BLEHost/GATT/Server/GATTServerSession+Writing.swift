import BLECrypto
import BLEWire

/// Requests and commands that write. [Vol 3, Part F, 3.4.5]
extension GATTServerSession {
    /// [Vol 3, Part F, 3.4.5.1]
    mutating func write(
        _ request: ATTWriteRequest, _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        let outcome = write(
            request.value, to: request.handle, needsResponse: true, terms, server: &server, into: &out)
        switch outcome {
        case .done: send(.writeResponse(.init()), into: &out)
        case .refused(let error): sendError(.writeRequest, request.handle, error, into: &out)
        case .asked: break
        }
    }

    /// A command that can't be carried out is ignored. [Vol 3, Part F, 3.4.5.3]
    mutating func command(
        _ packet: ATTPacket, pdu: [UInt8], _ terms: Terms, server: inout GATTServer, into out: inout [GATTOutput]
    ) {
        if awareness.isUnaware { return }
        switch packet {
        case .writeCommand(let command):
            _ = write(command.value, to: command.handle, needsResponse: false, terms, server: &server, into: &out)
        case .signedWriteCommand(let command):
            guard isSignatureRight(pdu, terms) else { return }
            let value = Array(command.valueAndSignature.dropLast(ATTSignedWriteCommand.signatureLength))
            _ = write(value, to: command.handle, needsResponse: false, terms, server: &server, into: &out)
        default: break
        }
    }

    /// A signature counts on a plain link only, and each counter once. [Vol 3, Part C, 10.4.2]
    private mutating func isSignatureRight(_ pdu: [UInt8], _ terms: Terms) -> Bool {
        let length = ATTSignedWriteCommand.signatureLength
        guard !terms.access.security.isEncrypted, let key = peerSigningKey, pdu.count >= 3 + length,
            let counter = ATTSignature.verify(
                Array(pdu.dropLast(length)), signature: Array(pdu.suffix(length)), csrk: key.csrk),
            counter >= key.counter, counter < .max
        else { return false }
        peerSigningKey?.counter = counter + 1
        return true
    }

    private enum WriteOutcome {
        case done
        case asked
        case refused(ATTErrorCode)
    }

    private mutating func write(
        _ value: [UInt8], to handle: AttributeHandle, needsResponse: Bool, _ terms: Terms, server: inout GATTServer,
        into out: inout [GATTOutput]
    ) -> WriteOutcome {
        guard let index = server.database.index(of: handle) else { return .refused(.invalidHandle) }
        if let error = terms.access.writeError(server.database.attributes[index].permissions) { return .refused(error) }
        if let error = lengthError(value.count, at: index, server.database) { return .refused(error) }
        if case .application = server.database.attributes[index].content {
            let id = needsResponse ? ask(.writeRequest, handle, .write) : newRequestID()
            let writes = [GATTWrite(handle: handle, offset: 0, value: value)]
            out.append(.event(.writeRequested(link, id, writes, needsResponse: needsResponse)))
            return .asked
        }
        return store(value, at: index, server: &server, into: &out).map { .refused($0) } ?? .done
    }

    /// Why a value of a length can't be written. [Vol 3, Part F, 3.4.5.1]
    func lengthError(_ count: Int, at index: Int, _ database: GATTDatabase) -> ATTErrorCode? {
        switch database.attributes[index].content {
        case .clientConfiguration: count == 2 ? nil : .invalidAttributeValueLength
        case .clientSupportedFeatures: (1...gattMaximumValueLength).contains(count) ? nil : .invalidAttributeValueLength
        default: count <= gattMaximumValueLength ? nil : .invalidAttributeValueLength
        }
    }

    /// Writes what the server keeps itself, whole; answers with the reason where the value isn't allowed.
    mutating func store(
        _ value: [UInt8], at index: Int, server: inout GATTServer, into out: inout [GATTOutput]
    ) -> ATTErrorCode? {
        switch server.database.attributes[index].content {
        case .stored: server.store(value, at: index)
        case .clientConfiguration: return configure(value, at: index, server.database, into: &out)
        case .clientSupportedFeatures:
            // Bits may be set and never cleared; those that aren't known are ignored. [Vol 3, Part G, 7.2]
            let features = (value.first ?? 0) & ChangeAwareness.knownFeatures
            if awareness.features & ~features != 0 { return .valueNotAllowed }
            awareness.features = features
        case .application, .databaseHash, .indicatedOnly: return .writeNotPermitted
        }
        return nil
    }

    /// [Vol 3, Part G, 3.3.3.3]
    private mutating func configure(
        _ value: [UInt8], at index: Int, _ database: GATTDatabase, into out: inout [GATTOutput]
    ) -> ATTErrorCode? {
        let attribute = database.attributes[index]
        let wanted = ClientConfiguration(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
        // Bits whose meaning isn't known here can't be promised.
        if wanted.rawValue & ~3 != 0 { return .valueNotAllowed }
        let canNotify = attribute.properties & GATTProperties.notify != 0
        let canIndicate = attribute.properties & GATTProperties.indicate != 0
        if wanted.contains(.notifications) && !canNotify || wanted.contains(.indications) && !canIndicate {
            return .clientCharacteristicConfigurationImproper
        }
        let before = configurations[attribute.handle] ?? []
        if wanted == before { return nil }
        configurations[attribute.handle] = wanted.isEmpty ? nil : wanted
        if let characteristic = database.valueHandle(of: index) {
            out.append(.event(.subscriptionChanged(link, characteristic, wanted)))
        }
        return nil
    }
}
