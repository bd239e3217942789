import BLEHost
import BLEWire

/// A server with two clients. The first is the input: PDUs, and what the application does meanwhile. The second asks for
/// the device's name at the end, and must get it: a client that misbehaves costs only its own link.
enum ATTServerFuzzer: Fuzzer {
    private static let hostile = ConnectionHandle(rawValue: 1)
    private static let good = ConnectionHandle(rawValue: 2)

    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        var server = GATTServer()
        for service in services { _ = server.addService(service) }
        var configuration = GATTConfiguration()
        configuration.prepareQueueLimit = 8
        let flags = input.u8()
        configuration.security.isEncrypted = flags & 1 != 0
        configuration.security.isAuthenticated = flags & 2 != 0
        configuration.security.hasKey = flags & 4 != 0
        var connection = GATTConnection(link: hostile, configuration: configuration)
        var now = Instant.start
        var requests: [GATTRequestID] = []
        var tags: [UInt64] = []
        while !input.isAtEnd {
            var out: [GATTOutput] = []
            switch input.u8() {
            case 0:
                now += .seconds(Int64(input.u8()))
                connection.timerFired(server: &server, at: now, into: &out)
            case 1:
                let error = ATTErrorCode(rawValue: input.u8())
                if let request = requests.popLast() {
                    connection.respond(request, error, value: input.counted(), server: &server, at: now, into: &out)
                }
            case 2:
                let handle = AttributeHandle(rawValue: UInt16(input.u8()))
                connection.sendValue(
                    handle, input.counted(), indicate: input.u8() & 1 != 0,
                    token: OperationToken(rawValue: 1), at: now, into: &out)
            case 3: if let tag = tags.popLast() { connection.sent(tag, into: &out) }
            case 4:
                _ = server.removeService(AttributeHandle(rawValue: UInt16(input.u8())))
                connection.databaseChanged(server: &server, at: now, into: &out)
            case 5:
                _ = server.addService(services[0])
                connection.databaseChanged(server: &server, at: now, into: &out)
            default: connection.received(input.counted(), server: &server, at: now, into: &out)
            }
            GATTRules.check(out, mtu: connection.attMTU, requests: &requests, tags: &tags)
        }
        var out: [GATTOutput] = []
        connection.closed(reason: .connectionTimeout, into: &out)
        other(&server, now)
    }

    /// Read By Type of Device Name, as every phone does it.
    private static func other(_ server: inout GATTServer, _ now: Instant) {
        // Whoever removed the GAP service removed the name.
        guard server.database.attributes.contains(where: { $0.type == 0x2A00 }) else { return }
        var connection = GATTConnection(link: good, configuration: GATTConfiguration())
        var out: [GATTOutput] = []
        connection.received([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x2A], server: &server, at: now, into: &out)
        let answers = out.compactMap { output -> [UInt8]? in
            if case .send(let pdu, _) = output { return pdu }
            return nil
        }
        require(answers.count == 1 && answers[0].first == 0x09, "the other client gets no name: \(out)")
    }

    /// Static and dynamic values, and everything that an attribute may need.
    static let services: [GATTServiceDefinition] = [
        GATTServiceDefinition(
            uuid: 0x180D,
            characteristics: [
                .init(uuid: 0x2A37, properties: 0x10, permissions: []),
                .init(uuid: 0x2A38, properties: 0x02, permissions: .read, value: [1]),
                .init(uuid: 0x2A39, properties: 0x08, permissions: .write),
            ]),
        GATTServiceDefinition(
            uuid: BluetoothUUID(full: 0x71DA_3FD1_7E10_41C1_B16F_4430_B506_CDE7),
            characteristics: [
                .init(
                    uuid: BluetoothUUID(full: 0x71DA_3FD1_7E10_41C1_B16F_4430_B506_CDE8), properties: 0xBE,
                    permissions: [.read, .write], value: [UInt8](repeating: 7, count: 300),
                    descriptors: [.init(uuid: 0x2901, value: Array("long".utf8))]),
                .init(uuid: 0xFFF2, properties: 0x3E, permissions: [.read, .write]),
                .init(
                    uuid: 0xFFF3, properties: 0x0A, permissions: [.read, .write, .readEncrypted, .writeAuthenticated]),
            ]),
    ]
}

/// A client whose server is the input: procedures are started, whatever comes back is taken, and every procedure ends
/// exactly once.
enum ATTClientFuzzer: Fuzzer {
    static func run(_ octets: [UInt8]) {
        var input = FuzzInput(octets)
        var server = GATTServer()
        var connection = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: GATTConfiguration())
        var now = Instant.start
        var requests: [GATTRequestID] = []
        var tags: [UInt64] = []
        var open: [OperationToken] = []
        var count: UInt64 = 0
        func ended(_ out: [GATTOutput], _ open: inout [OperationToken]) {
            for case .event(.gattCompleted(_, let token, _)) in out {
                require(open.contains(token), "a procedure ends that isn't open")
                open.removeAll { $0 == token }
            }
        }
        while !input.isAtEnd {
            var out: [GATTOutput] = []
            switch input.u8() {
            case 0:
                now += .seconds(Int64(input.u8()))
                connection.timerFired(server: &server, at: now, into: &out)
            case 1:
                count += 1
                let token = OperationToken(rawValue: count)
                open.append(token)
                connection.start(procedure(&input), token: token, at: now, into: &out)
            case 2: if let tag = tags.popLast() { connection.sent(tag, into: &out) }
            default: connection.received(input.counted(), server: &server, at: now, into: &out)
            }
            GATTRules.check(out, mtu: connection.attMTU, requests: &requests, tags: &tags)
            ended(out, &open)
        }
        var out: [GATTOutput] = []
        connection.closed(reason: .connectionTimeout, into: &out)
        ended(out, &open)
        require(open.isEmpty, "\(open.count) procedures never end")
    }

    static func procedure(_ input: inout FuzzInput) -> GATTProcedure {
        let kind = input.u8()
        let handle = AttributeHandle(rawValue: UInt16(input.u8()))
        let end = AttributeHandle(rawValue: max(handle.rawValue, input.u16()))
        switch kind % 14 {
        case 0: return .exchangeMTU(input.u16())
        case 1: return .discoverServices(nil)
        case 2: return .discoverServices(0x180D)
        case 3: return .discoverSecondaryServices
        case 4: return .discoverIncludedServices(handle...end)
        case 5: return .discoverCharacteristics(handle...end)
        case 6: return .discoverDescriptors(handle...end)
        case 7: return .read(handle)
        case 8: return .readLong(handle)
        case 9: return .readByUUID(0x2A00, handle...end)
        case 10: return .readMultiple([handle, end])
        case 11: return .write(handle, input.counted())
        case 12: return .writeWithoutResponse(handle, input.counted())
        default: return .writeLong(handle, input.counted())
        }
    }
}

/// What holds for everything that a GATT connection puts out.
enum GATTRules {
    static func check(_ out: [GATTOutput], mtu: Int, requests: inout [GATTRequestID], tags: inout [UInt64]) {
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                require(pdu.count <= max(mtu, 23), "a PDU of \(pdu.count) octets at an MTU of \(mtu)")
                require((try? ATTPacket(decoding: pdu)) != nil, "a PDU that can't be read: \(Hex.string(pdu))")
                if let tag { tags.append(tag) }
            case .event(.readRequested(_, let request, _, _)): requests.append(request)
            case .event(.writeRequested(_, let request, _, let needsResponse)):
                if needsResponse { requests.append(request) }
            default: break
            }
        }
    }
}
