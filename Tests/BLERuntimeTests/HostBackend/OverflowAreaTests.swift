import BLEBackend
import BLEWire
import Testing

@testable import BLERuntime

struct OverflowAreaTests {
    static let custom = AdvertisementLayoutTests.custom

    @Test func `services that don't fit are bits 35 and 9 of a mask in Apple's manufacturer data`() {
        let layout = AdvertisementLayout(AdvertisingRequest(services: Self.custom), PhoneProfile())
        #expect(Hex.string(layout.data) == "0201061106" + AdvertisementLayoutTests.customOctets)
        #expect(Hex.string(layout.scanResponse) == "14FF4C000100020000080000000000000000000000")
        #expect(layout.omitted == [Self.custom[1], Self.custom[2]])
    }

    @Test func `beside the mask a name has eight octets`() {
        let layout = AdvertisementLayout(
            AdvertisingRequest(localName: "0123456789", services: Self.custom), PhoneProfile())
        #expect(
            Hex.string(layout.data)
                == "0201061106\(AdvertisementLayoutTests.customOctets)09083031323334353637")
        #expect(Hex.string(layout.scanResponse) == "14FF4C000100020000080000000000000000000000")
        #expect(layout.shortenedName == "01234567")
    }

    @Test func `in the background everything is in the mask, and there is no name`() {
        let layout = AdvertisementLayout(
            AdvertisingRequest(localName: "Thing", services: [0x180D]), PhoneProfile(), isInBackground: true)
        #expect(Hex.string(layout.data) == "02010614FF4C000100000000000000000000400000000000")
        #expect(layout.scanResponse.isEmpty)
        #expect(layout.shortenedName == nil)
    }

    @Test func `without an overflow area what doesn't fit is left out, and said`() {
        var profile = PhoneProfile()
        profile.usesOverflowArea = false
        let request = AdvertisingRequest(localName: "0123456789A", services: Self.custom)
        let layout = AdvertisementLayout(request, profile)
        #expect(Hex.string(layout.scanResponse) == "0B0830313233343536373839")
        #expect(layout.report(of: request)?.contains("services left out: \(Self.custom[1])") == true)
    }

    @Test func `a service is found by its long form too`() {
        let area = OverflowArea([0x180D])
        #expect(area.mayContain(0x180D))
        #expect(area.mayContain(BluetoothUUID(full: 0x0000180D_0000_1000_8000_00805F9B34FB)))
        #expect(!area.mayContain(0x180F))
    }

    @Test(arguments: [
        "4C0001", "4C0002" + String(repeating: "00", count: 16), "590001" + String(repeating: "FF", count: 16),
    ])
    func `other manufacturer data is no overflow area`(octets: String) throws {
        #expect(OverflowArea(manufacturerData: try #require(Hex.octets(octets))) == nil)
    }
}
