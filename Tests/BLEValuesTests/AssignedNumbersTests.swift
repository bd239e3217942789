import BLEValues
import Testing

/// Names out of the tables.
@Suite struct AssignedNumbersTests {
    @Test func `names companies, members, types of advertising data and units`() {
        #expect(AssignedNumbers.name(ofCompany: 0) == "Ericsson AB")
        #expect(AssignedNumbers.name(ofCompany: 0x0499) == "Ruuvi Innovations Ltd.")
        #expect(AssignedNumbers.name(ofCompany: 0xFFFE) == nil)
        #expect(AssignedNumbers.name(ofUUID: 0x180F) == "Battery")
        #expect(AssignedNumbers.name(ofUUID: 0x1800) == "Generic Access")
        #expect(AssignedNumbers.name(ofUUID: 0xFEAA) == "Google LLC")
        #expect(AssignedNumbers.name(ofUUID: 0x2904) == "Characteristic Presentation Format")
        #expect(AssignedNumbers.name(ofUUID: 0x0001) == nil)
        #expect(AssignedNumbers.name(ofAdvertisingType: 0x09) == "Complete Local Name")
        #expect(AssignedNumbers.name(ofAdvertisingType: 0xFE) == nil)
        #expect(AssignedNumbers.name(ofUnit: 0x272F) == "°C")
        #expect(AssignedNumbers.name(ofUnit: 0x27C4) == "ppm")
        #expect(AssignedNumbers.name(ofUnit: 0x2706) == "amount of substance (mole)")
        #expect(AssignedNumbers.name(ofUnit: 0x26FF) == nil)
    }

    @Test func `names an appearance by category and subcategory`() {
        #expect(AssignedNumbers.name(ofAppearance: 0x0040) == "Phone")
        #expect(AssignedNumbers.name(ofAppearance: 0x00C1) == "Watch: Sports Watch")
        #expect(AssignedNumbers.name(ofAppearance: 0x007F) == "Phone")
        #expect(AssignedNumbers.name(ofAppearance: 0xFFFF) == nil)
    }

    @Test(
        arguments: [
            (.characteristic, "Battery Level", [0x2A19]), (.characteristic, "battery-level", [0x2A19]),
            (.characteristic, "BATTERYLEVEL", [0x2A19]), (.service, "Battery", [0x180F]),
            (.characteristic, "Battery", []),
            (.characteristic, "Current Time", [0x2A2B]), (.service, "current time", [0x1805]),
            (.characteristic, "door/window status", [0x2C20]), (.characteristic, "", []), (.characteristic, "-", []),
            (.service, "Characteristic Extended Properties", []),
        ] as [(AssignedNumbers.NamedKind, String, [UInt16])])
    func `finds UUIDs by their names, whatever is between the letters`(
        kind: AssignedNumbers.NamedKind, name: String, uuids: [UInt16]
    ) {
        #expect(AssignedNumbers.uuids(of: kind, named: name) == uuids)
    }
}
