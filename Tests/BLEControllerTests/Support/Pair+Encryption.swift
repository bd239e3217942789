import BLEController
import BLEWire
import Testing

/// Encrypting the link of a pair, as its hosts do it.
extension Pair {
    /// The long term key of the specification's sample. [Vol 6, Part C, 1]
    static let sampleKey: UInt128 = 0x4C68_3841_39F5_74D8_36BC_F34E_9DFB_01BF

    /// The central's host asks for encryption.
    @discardableResult
    mutating func enable(_ key: UInt128 = sampleKey) -> HCIStatus? {
        radio.status(
            LEEnableEncryption(
                handle: own, random: 0xABCD_EF12_3456_7890, encryptedDiversifier: 0x2474, longTermKey: key),
            to: central)
    }

    /// Lets time pass until the peripheral's host is asked for the key, once more than before.
    mutating func awaitKeyRequest() throws {
        let before = keyRequests.count
        let isAsked = radio.run(atMost: .seconds(3)) { [peripheral] radio in
            Self.requests(radio, peripheral).count > before
        }
        try #require(isAsked)
    }

    @discardableResult
    mutating func reply(_ key: UInt128 = sampleKey) -> HCIStatus? {
        radio.status(LELongTermKeyRequestReply(handle: other, longTermKey: key), to: peripheral)
    }

    @discardableResult
    mutating func refuse() -> HCIStatus? {
        radio.status(LELongTermKeyRequestNegativeReply(handle: other), to: peripheral)
    }

    /// Both hosts have the same key: the link is encrypted, or has a new session key.
    mutating func encrypt(_ key: UInt128 = sampleKey) throws {
        enable(key)
        try awaitKeyRequest()
        reply(key)
        radio.run(.milliseconds(300))
    }

    var keyRequests: [LELongTermKeyRequest] { Self.requests(radio, peripheral) }

    private static func requests(_ radio: TestRadio, _ id: ControllerID) -> [LELongTermKeyRequest] {
        radio.events(id).compactMap { if case .leLongTermKeyRequest(let event) = $0 { event } else { nil } }
    }

    func changes(_ id: ControllerID) -> [HCIEncryptionChange] {
        radio.events(id).compactMap { if case .encryptionChange(let event) = $0 { event } else { nil } }
    }

    func refreshes(_ id: ControllerID) -> [HCIEncryptionKeyRefreshComplete] {
        radio.events(id).compactMap { if case .encryptionKeyRefreshComplete(let event) = $0 { event } else { nil } }
    }

    func reasons(_ id: ControllerID) -> [HCIStatus] { radio.disconnections(id).map(\.reason) }

    /// Data goes over the link both ways.
    mutating func expectExchange(
        _ first: [UInt8] = [1, 2, 3], _ second: [UInt8] = [4, 5], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = (radio.data(central).count, radio.data(peripheral).count)
        radio.sendData(first, to: peripheral, other)
        radio.sendData(second, to: central, own)
        radio.run(.milliseconds(300))
        let atCentral = radio.data(central).dropFirst(before.0).map(\.payloadOctets)
        let atPeripheral = radio.data(peripheral).dropFirst(before.1).map(\.payloadOctets)
        #expect(atCentral == [first], sourceLocation: sourceLocation)
        #expect(atPeripheral == [second], sourceLocation: sourceLocation)
    }
}
