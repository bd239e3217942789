import BLEBackend
import BLERuntime
import BLEWire
import Testing

@Suite struct AdvertisementLayoutTests {
    static let custom: [BluetoothUUID] = (0..<3).map {
        BluetoothUUID(full: 0x71DA_3FD1_7E10_41C1_B16F_4430_B506_CDE7 + UInt128($0))
    }
    static let customOctets = "E7CD06B530446FB1C141107ED13FDA71"

    struct Case: Sendable {
        var name: String?
        var services: [BluetoothUUID]
        var data: String
        var response = ""
        var shortened: String?
        var omitted: [BluetoothUUID] = []
    }

    @Test(arguments: [
        Case(name: nil, services: [], data: "020106"),
        Case(name: "OBand-75", services: [], data: "020106 09094F42616E642D3735"),
        Case(
            name: "OBand-75", services: [0xFFF0, 0xFFE0], data: "020106 0503F0FFE0FF 09094F42616E642D3735"),
        // Eighteen octets of service and ten of name are exactly the room.
        Case(
            name: "OBand-75", services: [custom[0]],
            data: "020106 1107\(customOctets) 09094F42616E642D3735"),
        // One more goes to the scan response, whole.
        Case(
            name: "OBand-750", services: [custom[0]], data: "020106 1107\(customOctets)",
            response: "0A094F42616E642D373530"),
        Case(
            name: "0123456789", services: [custom[0]], data: "020106 1107\(customOctets)",
            response: "0B0930313233343536373839"),
        // Too long for both: shortened in the place that has more.
        Case(
            name: "0123456789A", services: [custom[0]], data: "020106 1107\(customOctets)",
            response: "0B0830313233343536373839", shortened: "0123456789"),
        Case(
            name: "0123456789ABCDEFGHIJKLMNOPQRST", services: [],
            data: "020106 1B08303132333435363738394142434445464748494A4B4C4D4E4F50",
            shortened: "0123456789ABCDEFGHIJKLMNOP"),
        // Cut between code points.
        Case(
            name: "123456789é0", services: [custom[0], 0x180D], data: "020106 03030D18 1107\(customOctets)",
            response: "0A08313233343536373839", shortened: "123456789"),
        // Services that don't fit are in the overflow area, the list is marked as incomplete.
        Case(
            name: nil, services: custom, data: "020106 1106\(customOctets)",
            response: "14FF4C000100020000080000000000000000000000", omitted: [custom[1], custom[2]]),
        Case(
            name: nil, services: [custom[0], 0x180D, 0x180D], data: "020106 03030D18 1107\(customOctets)"),
    ])
    func `name and services are laid out as a phone does`(row: Case) {
        let layout = AdvertisementLayout(
            AdvertisingRequest(localName: row.name, services: row.services), PhoneProfile())
        #expect(Hex.string(layout.data) == row.data.filter { $0 != " " })
        #expect(Hex.string(layout.scanResponse) == row.response)
        #expect(layout.shortenedName == row.shortened)
        #expect(layout.omitted == row.omitted)
    }

    @Test func `what was cut is said`() {
        let request = AdvertisingRequest(localName: "A rather long name", services: Self.custom)
        let report = AdvertisementLayout(request, PhoneProfile()).report(of: request)
        #expect(report?.contains("\"A rather\"") == true)
        #expect(report?.contains(Self.custom[1].description) == true)
        let small = AdvertisingRequest(localName: "OBand-75", services: [0xFFF0])
        #expect(AdvertisementLayout(small, PhoneProfile()).report(of: small) == nil)
    }

    @Test func `room is a setting`() {
        var profile = PhoneProfile()
        profile.advertisementRoom = 10
        profile.scanResponseNameRoom = 29
        let layout = AdvertisementLayout(
            AdvertisingRequest(localName: "0123456789", services: [0x180D]), profile)
        #expect(Hex.string(layout.data) == "02010603030D18")
        #expect(Hex.string(layout.scanResponse) == "0B0930313233343536373839")
    }
}
