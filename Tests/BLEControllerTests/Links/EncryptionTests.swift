import BLECrypto
import BLEController
import BLEWire
import Testing

/// The Encryption Start and Encryption Pause procedures between two controllers. [Vol 6, Part B, 5.1.3]
@Suite struct EncryptionTests {
    @Test func `both hosts hear of encryption, and the peripheral's was asked for the key by Rand and EDIV`() throws {
        var pair = try Pair()
        let status1 = pair.enable()
        #expect(status1 == .success)
        try pair.awaitKeyRequest()
        #expect(
            pair.keyRequests == [
                LELongTermKeyRequest(
                    handle: pair.other, random: 0xABCD_EF12_3456_7890, encryptedDiversifier: 0x2474)
            ])
        let status2 = pair.reply()
        #expect(status2 == .success)
        pair.radio.run(.milliseconds(300))
        let change = { HCIEncryptionChange(status: .success, handle: $0, isEnabled: 1) }
        #expect(pair.changes(pair.central) == [change(pair.own)])
        #expect(pair.changes(pair.peripheral) == [change(pair.other)])
        pair.expectExchange()
    }

    @Test func `the air shows the procedure in its order, and cipher text from LL_START_ENC_RSP on`() throws {
        var pair = try Pair()
        try pair.encrypt()
        #expect(pair.opcodes.prefix(3) == [.encReq, .encRsp, .startEncReq])
        let answers = pair.radio.linkPackets.filter { $0.pdu[0] & 3 == 3 }.dropFirst(3)
        // One octet and its check each, and not the opcode.
        #expect(answers.map(\.pdu.count) == [7, 7])
        #expect(answers.map(\.direction) == [.centralToPeripheral, .peripheralToCentral])
        pair.radio.clear()
        let text = Array("nobody may read this".utf8)
        pair.expectExchange(text, text)
        let packets = pair.radio.linkPackets.filter { $0.pdu.count > 2 }
        #expect(packets.map(\.pdu.count) == [2 + text.count + 4, 2 + text.count + 4])
        #expect(packets.allSatisfy { !$0.pdu.dropFirst(2).starts(with: text.prefix(3)) })
        #expect(packets[0].pdu.dropFirst(2) != packets[1].pdu.dropFirst(2))
    }

    @Test func `who has the key and has seen the start reads the air`() throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.radio.sendData([9, 8, 7], to: pair.central, pair.own)
        pair.radio.run(.milliseconds(100))
        var request = LLEncReq()
        var answer = LLEncRsp()
        for case (_, let control) in pair.controls.prefix(2) {
            if case .encReq(let pdu) = control { request = pdu }
            if case .encRsp(let pdu) = control { answer = pdu }
        }
        let key = LinkCipher.sessionKey(
            longTermKey: Pair.sampleKey,
            diversifier: UInt128(answer.sessionKeyDiversifier) << 64 | UInt128(request.sessionKeyDiversifier))
        let vector = UInt64(answer.initializationVector) << 32 | UInt64(request.initializationVector)
        var reader = LinkCipher(sessionKey: key, initializationVector: vector, isCentral: false)
        let sealed = try #require(pair.radio.linkPackets.last { $0.pdu.count > 2 }).pdu
        var plain = Array(sealed.dropFirst(2).dropLast(4))
        let isRight = reader.open(
            &plain, from: 0, check: sealed.count - 4, of: sealed, header: sealed[0], counter: 1)
        #expect(isRight)
        #expect(plain == [9, 8, 7])
    }

    @Test func `data waits until the link is encrypted, and then arrives`() throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        pair.radio.sendData([1], to: pair.central, pair.own)
        pair.radio.sendData([2], to: pair.peripheral, pair.other)
        pair.radio.run(.milliseconds(500))
        #expect(pair.radio.data(pair.peripheral).isEmpty)
        #expect(pair.radio.data(pair.central).isEmpty)
        pair.reply()
        pair.radio.run(.milliseconds(300))
        #expect(pair.radio.data(pair.peripheral).map(\.payloadOctets) == [[1]])
        #expect(pair.radio.data(pair.central).map(\.payloadOctets) == [[2]])
    }

    @Test func `without a key the central hears 0x06, and the link goes on in the clear`() throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        let status3 = pair.refuse()
        #expect(status3 == .success)
        pair.radio.run(.milliseconds(300))
        #expect(
            pair.changes(pair.central)
                == [HCIEncryptionChange(status: .pinOrKeyMissing, handle: pair.own, isEnabled: 0)])
        #expect(pair.changes(pair.peripheral).isEmpty)
        #expect(
            pair.controls.last?.1 == .rejectExtInd(LLRejectExtInd(rejected: .encReq, reason: .pinOrKeyMissing)))
        pair.expectExchange()
        // The next attempt works.
        try pair.encrypt()
        #expect(pair.changes(pair.central).map(\.status) == [.pinOrKeyMissing, .success])
        pair.expectExchange()
    }

    @Test func `a host that has masked the request out has no key`() throws {
        var pair = try Pair()
        pair.radio.send(LESetEventMask(mask: .standard.subtracting(.longTermKeyRequest)), to: pair.peripheral)
        pair.enable()
        pair.radio.run(.milliseconds(300))
        #expect(pair.changes(pair.central).map(\.status) == [.pinOrKeyMissing])
        pair.expectExchange()
    }

    @Test func `a peripheral that can't encrypt is told from one without a key`() throws {
        var pair = try Pair(peripheral: { $0.supportsEncryption = false })
        pair.enable()
        pair.radio.run(.milliseconds(300))
        #expect(pair.changes(pair.central).map(\.status) == [.unsupportedRemoteFeature])
        pair.expectExchange()
    }

    @Test func `keys that differ end the link with 0x3D at the peripheral`() throws {
        var pair = try Pair()
        pair.enable(1)
        try pair.awaitKeyRequest()
        pair.reply(2)
        pair.radio.run(.seconds(6))
        #expect(pair.reasons(pair.peripheral) == [.micFailure])
        #expect(pair.reasons(pair.central) == [.connectionTimeout])
        #expect(pair.changes(pair.central).isEmpty && pair.changes(pair.peripheral).isEmpty)
    }

    @Test func `a new key on an encrypted link pauses it, and both hosts hear of the refresh`() throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.radio.clear()
        try pair.encrypt(0x77)
        #expect(pair.refreshes(pair.central).map(\.status) == [.success])
        #expect(pair.refreshes(pair.peripheral).map(\.status) == [.success])
        #expect(pair.changes(pair.central).isEmpty && pair.changes(pair.peripheral).isEmpty)
        // LL_PAUSE_ENC_REQ and its answer are cipher text, the rest of the pause and the start are plain.
        let start = try #require(pair.opcodes.firstIndex(of: .pauseEncRsp))
        #expect(pair.opcodes.dropFirst(start + 1).prefix(3) == [.encReq, .encRsp, .startEncReq])
        pair.expectExchange()
    }

    @Test func `a refresh without the key ends the link with 0x06`() throws {
        var pair = try Pair()
        try pair.encrypt()
        pair.enable(5)
        try pair.awaitKeyRequest()
        pair.refuse()
        pair.radio.run(.seconds(1))
        #expect(pair.reasons(pair.central) == [.pinOrKeyMissing])
        #expect(pair.reasons(pair.peripheral) == [.localHostTerminated])
    }

    @Test func `only the central encrypts, a link that exists, and once at a time`() throws {
        var pair = try Pair()
        let command = { LEEnableEncryption(handle: $0, random: 0, encryptedDiversifier: 0, longTermKey: 1) }
        let status9 = pair.radio.status(command(pair.other), to: pair.peripheral)
        #expect(status9 == .commandDisallowed)
        let unknown = ConnectionHandle(rawValue: 0x0ABC)
        let status10 = pair.radio.status(command(unknown), to: pair.central)
        #expect(status10 == .unknownConnectionIdentifier)
        let status4 = pair.enable()
        #expect(status4 == .success)
        let status5 = pair.enable()
        #expect(status5 == .commandDisallowed)
    }

    @Test func `a key that nobody asked for is refused`() throws {
        var pair = try Pair()
        let status6 = pair.reply()
        #expect(status6 == .commandDisallowed)
        let status7 = pair.refuse()
        #expect(status7 == .commandDisallowed)
        try pair.encrypt()
        let status8 = pair.reply()
        #expect(status8 == .commandDisallowed)
        let status11 = pair.radio.status(LELongTermKeyRequestReply(handle: pair.own), to: pair.central)
        #expect(status11 == .commandDisallowed)
        pair.expectExchange()
    }

    @Test func `a host that never answers costs its link after 40 s`() throws {
        var pair = try Pair()
        pair.enable()
        try pair.awaitKeyRequest()
        pair.radio.run(.seconds(39))
        #expect(pair.reasons(pair.peripheral).isEmpty)
        pair.radio.run(.seconds(2))
        #expect(pair.reasons(pair.central) == [.llResponseTimeout])
    }

    @Test func `either host ends an encrypted link with its reason`() throws {
        for byCentral in [true, false] {
            var pair = try Pair()
            try pair.encrypt()
            let (id, handle) = byCentral ? (pair.central, pair.own) : (pair.peripheral, pair.other)
            pair.radio.send(HCIDisconnect(handle: handle, reason: .remoteUserTerminated), to: id)
            pair.radio.run(.milliseconds(300))
            #expect(pair.reasons(byCentral ? pair.peripheral : pair.central) == [.remoteUserTerminated])
            #expect(pair.reasons(id) == [.localHostTerminated])
        }
    }

    @Test func `a lossy air doesn't disturb encrypted data`() throws {
        var pair = try Pair(timeout: 3200)
        try pair.encrypt()
        pair.radio.radio.setLoss(0.2, between: pair.central, and: pair.peripheral)
        let packets = (0..<60).map { number in [UInt8](repeating: number, count: 100) }
        pair.radio.pump(pair.central, pair.own, packets, credits: 8)
        pair.radio.pump(pair.peripheral, pair.other, packets, credits: 8)
        pair.radio.run(.seconds(20))
        for id in [pair.central, pair.peripheral] {
            #expect(pair.radio.data(id).flatMap(\.payloadOctets) == packets.flatMap { $0 })
            #expect(pair.reasons(id).isEmpty)
        }
    }

    @Test func `keys leave the radio where its settings say so, and never else`() throws {
        for exports in [true, false] {
            var settings = RadioSettings()
            settings.exportsKeys = exports
            var radio = TestRadio(settings)
            let (central, peripheral) = (radio.add(1), radio.add(2))
            let handles = try radio.connect(central, to: peripheral)
            radio.send(LEEnableEncryption(handle: handles.central, longTermKey: 0x1234), to: central)
            radio.run(.milliseconds(200))
            radio.send(LELongTermKeyRequestReply(handle: handles.peripheral, longTermKey: 0x1234), to: peripheral)
            radio.run(.milliseconds(200))
            let keys = radio.log.compactMap { if case .keys(let keys) = $0.output { keys } else { nil } }
            #expect(keys.map(\.longTermKey) == (exports ? [0x1234] : []))
            let texts = radio.log.compactMap { if case .trace(_, let event) = $0.output { event.message } else { nil } }
            #expect(texts.allSatisfy { !$0.contains("1234") })
        }
    }

    @Test(arguments: ["features", "version", "parameters", "phy", "lengths"])
    func `what a peripheral asks for meanwhile is answered when the link is encrypted`(_ what: String) throws {
        var pair = try Pair()
        pair.enable()
        let (id, handle) = (pair.peripheral, pair.other)
        switch what {
        case "features": pair.radio.send(LEReadRemoteFeatures(handle: handle), to: id)
        case "version": pair.radio.send(HCIReadRemoteVersionInformation(handle: handle), to: id)
        case "parameters":
            pair.radio.send(
                LEConnectionUpdate(
                    handle: handle, intervalMinimum: 24, intervalMaximum: 24, latency: 0, supervisionTimeout: 400),
                to: id)
        case "phy":
            pair.radio.send(
                LESetPHY(handle: handle, allPHYs: 0, transmitPHYs: 2, receivePHYs: 2, options: 0), to: id)
        default: pair.radio.send(LESetDataLength(handle: handle, transmitOctets: 251, transmitTime: 2120), to: id)
        }
        try pair.awaitKeyRequest()
        pair.radio.run(.milliseconds(200))
        pair.reply()
        pair.radio.run(.milliseconds(100))
        for case .leRemoteConnectionParameterRequest in pair.radio.events(pair.central) {
            pair.radio.send(
                LERemoteConnectionParameterRequestReply(
                    handle: pair.own, intervalMinimum: 24, intervalMaximum: 24, latency: 0, supervisionTimeout: 400),
                to: pair.central)
        }
        pair.radio.run(.seconds(1))
        #expect(pair.changes(id).map(\.status) == [.success])
        let isDone = pair.radio.events(id).contains { event in
            switch event {
            case .leReadRemoteFeaturesComplete, .readRemoteVersionInformationComplete, .leConnectionUpdateComplete,
                .lePHYUpdateComplete, .leDataLengthChange:
                true
            default: false
            }
        }
        #expect(isDone)
        #expect(pair.reasons(id).isEmpty)
        pair.expectExchange()
    }
}
