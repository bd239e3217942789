import BLEHost
import BLEWire
import Testing

/// Two GATT connections whose PDUs go straight across: `central` asks, `peripheral` serves.
struct GATTPair {
    var central: GATTConnection
    var peripheral: GATTConnection
    var server: GATTServer
    private var noServer = GATTServer(configuration: .empty)
    var centralEvents: [HostEvent] = []
    var peripheralEvents: [HostEvent] = []
    /// Every PDU that the central sent.
    var requests: [[UInt8]] = []
    var now = Instant.start
    /// Answers requests of dynamic attributes.
    var application: (HostEvent) -> (ATTErrorCode, [UInt8]) = { _ in (.success, []) }
    private var toPeripheral: [[UInt8]] = []
    private var toCentral: [[UInt8]] = []

    init(_ server: GATTServer, mtu: Int = 23) {
        var configuration = GATTConfiguration()
        configuration.receiveMTU = mtu
        central = GATTConnection(link: ConnectionHandle(rawValue: 1), configuration: configuration)
        peripheral = GATTConnection(link: ConnectionHandle(rawValue: 2), configuration: configuration)
        self.server = server
        if mtu > 23 { _ = run(.exchangeMTU(UInt16(mtu))) }
    }

    /// Runs a procedure to its end.
    mutating func run(_ procedure: GATTProcedure) -> Result<GATTOutcome, HostError>? {
        let token = OperationToken(rawValue: UInt64(centralEvents.count) + 1_000_000)
        var out: [GATTOutput] = []
        central.start(procedure, token: token, at: now, into: &out)
        takeCentral(out)
        settle()
        for event in centralEvents.reversed() {
            if case .gattCompleted(_, token, let result) = event { return result }
        }
        return nil
    }

    mutating func notify(_ handle: AttributeHandle, _ value: [UInt8], indicate: Bool, token: UInt64) {
        var out: [GATTOutput] = []
        peripheral.sendValue(
            handle, value, indicate: indicate, token: OperationToken(rawValue: token), at: now, into: &out)
        takePeripheral(out)
    }

    /// Carries PDUs until none is on its way.
    mutating func settle() {
        while !toPeripheral.isEmpty || !toCentral.isEmpty {
            let requests = toPeripheral
            toPeripheral = []
            for pdu in requests {
                var out: [GATTOutput] = []
                peripheral.received(pdu, server: &server, at: now, into: &out)
                takePeripheral(out)
            }
            let answers = toCentral
            toCentral = []
            for pdu in answers {
                var out: [GATTOutput] = []
                central.received(pdu, server: &noServer, at: now, into: &out)
                takeCentral(out)
            }
        }
    }

    private mutating func takeCentral(_ out: [GATTOutput]) {
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                toPeripheral.append(pdu)
                requests.append(pdu)
                if let tag {
                    var more: [GATTOutput] = []
                    central.sent(tag, into: &more)
                    takeCentral(more)
                }
            case .event(let event): centralEvents.append(event)
            default: break
            }
        }
    }

    private mutating func takePeripheral(_ out: [GATTOutput]) {
        for output in out {
            switch output {
            case .send(let pdu, let tag):
                toCentral.append(pdu)
                if let tag {
                    var more: [GATTOutput] = []
                    peripheral.sent(tag, into: &more)
                    takePeripheral(more)
                }
            case .event(let event):
                peripheralEvents.append(event)
                answer(event)
            default: break
            }
        }
    }

    private mutating func answer(_ event: HostEvent) {
        let id: GATTRequestID
        switch event {
        case .readRequested(_, let request, _, _): id = request
        case .writeRequested(_, let request, _, let needsResponse) where needsResponse: id = request
        default: return
        }
        let (error, value) = application(event)
        var out: [GATTOutput] = []
        peripheral.respond(id, error, value: value, server: &server, at: now, into: &out)
        takePeripheral(out)
    }
}
