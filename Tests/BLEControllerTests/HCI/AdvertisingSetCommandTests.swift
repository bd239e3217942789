import BLEController
import BLEWire
import Testing

/// What controllers refuse of advertising sets and extended scans. [Vol 4, Part E, 7.8.53]
@Suite struct AdvertisingSetCommandTests {
    private static let set = LESetExtendedAdvertisingEnable.AdvertisingSet(handle: 0)

    private func radio() -> (TestRadio, ControllerID) {
        var radio = TestRadio()
        let id = radio.add(1)
        return (radio, id)
    }

    @Test(
        arguments: [
            ([.connectable, .scannable], .invalidParameters), (.highDutyCycle, .invalidParameters),
            ([.anonymous, .connectable], .invalidParameters), ([.legacy, .connectable], .invalidParameters),
            ([.legacy, .anonymous], .invalidParameters), ([.connectable], .success),
            ([.scannable, .directed], .success),
            ([.legacy, .scannable], .success), ([.legacy, .connectable, .directed, .highDutyCycle], .success),
        ] as [(LEAdvertisingProperties, HCIStatus)])
    func `properties go together, or don't`(_ properties: LEAdvertisingProperties, _ expected: HCIStatus) {
        var (radio, id) = radio()
        #expect(radio.status(LESetExtendedAdvertisingParameters(properties: properties), to: id) == expected)
    }

    @Test func `a set that isn't there is unknown`() {
        var (radio, id) = radio()
        let unknown = HCIStatus.unknownAdvertisingIdentifier
        let address = DeviceAddress(0xC011_2233_4455, .randomDevice)
        #expect(radio.status(LESetExtendedAdvertisingData(data: [1]), to: id) == unknown)
        #expect(radio.status(LESetAdvertisingSetRandomAddress(handle: 0, address: address), to: id) == unknown)
        #expect(radio.status(LERemoveAdvertisingSet(handle: 0), to: id) == unknown)
        #expect(radio.status(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [Self.set]), to: id) == unknown)
        #expect(radio.status(LESetExtendedAdvertisingEnable(isEnabled: true), to: id) == .invalidParameters)
        #expect(radio.status(LESetExtendedAdvertisingEnable(isEnabled: false), to: id) == .success)
    }

    @Test func `data is given whole, or in fragments from the first to the last`() {
        var (radio, id) = radio()
        func set(_ operation: LEAdvertisingDataOperation, _ count: Int) -> HCIStatus? {
            radio.status(
                LESetExtendedAdvertisingData(operation: operation, data: [UInt8](repeating: 1, count: count)), to: id)
        }
        func enable() -> HCIStatus? {
            radio.status(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [Self.set]), to: id)
        }
        radio.send(LESetExtendedAdvertisingParameters(), to: id)
        #expect(set(.intermediateFragment, 10) == .invalidParameters)
        #expect(set(.firstFragment, 0) == .invalidParameters)
        #expect(set(.firstFragment, 251) == .success)
        #expect(enable() == .commandDisallowed)
        for _ in 0..<5 { #expect(set(.intermediateFragment, 251) == .success) }
        #expect(set(.lastFragment, 144) == .success)
        #expect(set(.firstFragment, 251) == .success)
        for _ in 0..<5 { #expect(set(.intermediateFragment, 251) == .success) }
        // One octet more than 1650.
        #expect(set(.lastFragment, 145) == .memoryCapacityExceeded)
        #expect(set(.complete, 30) == .success)
        #expect(enable() == .success)
        #expect(set(.firstFragment, 30) == .commandDisallowed)
        #expect(set(.complete, 40) == .success)
    }

    @Test func `legacy PDUs hold 31 octets, and connectable advertising one packet`() {
        var (radio, id) = radio()
        func set(_ count: Int, _ handle: UInt8) -> HCIStatus? {
            radio.status(
                LESetExtendedAdvertisingData(handle: handle, data: [UInt8](repeating: 1, count: count)), to: id)
        }
        func enable(_ handle: UInt8) -> HCIStatus? {
            let set = LESetExtendedAdvertisingEnable.AdvertisingSet(handle: handle)
            return radio.status(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [set]), to: id)
        }
        radio.send(LESetExtendedAdvertisingParameters(handle: 1, properties: [.legacy, .scannable]), to: id)
        #expect(set(32, 1) == .invalidParameters)
        #expect(set(31, 1) == .success)
        radio.send(LESetExtendedAdvertisingParameters(handle: 2, properties: .connectable), to: id)
        #expect(set(246, 2) == .success)
        #expect(enable(2) == .packetTooLong)
        #expect(set(245, 2) == .success)
        #expect(enable(2) == .success)
        #expect(set(246, 2) == .packetTooLong)
        radio.send(LESetExtendedAdvertisingParameters(handle: 3, properties: .scannable), to: id)
        #expect(set(1, 3) == .invalidParameters)
        #expect(enable(3) == .commandDisallowed)
    }

    @Test func `a set needs its own random address, and doesn't change it while it may be connected to`() {
        var (radio, id) = radio()
        let address = DeviceAddress(0xC011_2233_4455, .randomDevice)
        radio.send(LESetRandomAddress(address: address), to: id)
        radio.send(
            LESetExtendedAdvertisingParameters(properties: .connectable, ownAddressType: .randomDevice), to: id)
        let enable = LESetExtendedAdvertisingEnable(isEnabled: true, sets: [Self.set])
        #expect(radio.status(enable, to: id) == .invalidParameters)
        let own = LESetAdvertisingSetRandomAddress(handle: 0, address: address)
        #expect(radio.status(own, to: id) == .success)
        #expect(radio.status(enable, to: id) == .success)
        #expect(radio.status(own, to: id) == .commandDisallowed)
        #expect(radio.status(LERemoveAdvertisingSet(handle: 0), to: id) == .commandDisallowed)
        #expect(radio.status(LEClearAdvertisingSets(), to: id) == .commandDisallowed)
        radio.send(LESetExtendedAdvertisingEnable(isEnabled: false, sets: [Self.set]), to: id)
        #expect(radio.status(LEClearAdvertisingSets(), to: id) == .success)
        #expect(radio.status(enable, to: id) == .unknownAdvertisingIdentifier)
    }

    @Test func `who uses one family of commands can't use the other until a reset`() {
        var (radio, id) = radio()
        #expect(radio.status(LEReadNumberOfSupportedAdvertisingSets(), to: id) == .success)
        #expect(radio.status(LESetScanParameters(), to: id) == .success)
        #expect(radio.status(LESetExtendedScanParameters(), to: id) == .commandDisallowed)
        #expect(radio.status(LEExtendedCreateConnection(), to: id) == .commandDisallowed)
        radio.send(HCIReset(), to: id)
        #expect(radio.status(LESetExtendedScanParameters(), to: id) == .success)
        #expect(radio.status(LESetAdvertisingData(data: [1]), to: id) == .commandDisallowed)
        #expect(radio.status(LECreateConnection(), to: id) == .commandDisallowed)
    }

    @Test func `an extended scan has PHYs with primary channels, and periods that hold its durations`() {
        var (radio, id) = radio()
        #expect(radio.scanExtended(id, phys: .le2M) == .unsupportedFeature)
        #expect(radio.scanExtended(id, interval: 16, window: 17) == .invalidParameters)
        #expect(radio.scanExtended(id, duration: 128, period: 1) == .invalidParameters)
        #expect(radio.scanExtended(id, filterDuplicates: 2) == .invalidParameters)
        #expect(radio.scanExtended(id, filterDuplicates: 2, duration: 127, period: 1) == .success)
        #expect(radio.status(LESetExtendedScanParameters(), to: id) == .commandDisallowed)
        let none = radio.add(2) { $0.supportsCoded = false }
        #expect(radio.scanExtended(none, phys: .leCoded) == .unsupportedFeature)
        #expect(radio.initiateExtended(none, to: DeviceAddress(1), phys: .leCoded) == .unsupportedFeature)
        #expect(radio.initiateExtended(none, to: DeviceAddress(1), phys: .le2M) == .invalidParameters)
    }

    @Test func `a controller without extended advertising knows none of its commands`() throws {
        var radio = TestRadio()
        let id = radio.add(1) { $0.supportsExtendedAdvertising = false }
        #expect(radio.status(LESetExtendedScanParameters(), to: id) == .unknownCommand)
        #expect(radio.status(LEReadNumberOfSupportedAdvertisingSets(), to: id) == .unknownCommand)
        let features = try radio.returned(by: LEReadLocalSupportedFeatures(), of: id).features
        #expect(!features.contains(.extendedAdvertising))
    }
}
