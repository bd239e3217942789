import BLEDeviceFiles
import BLEDevices
import BLEWire
import Foundation
import Testing

/// Device files out of the files of other tools. All samples were written for these tests, and describe one kettle.
@Suite struct ImportTests {
    private static func sample(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The kettle, with a description of its temperature and an encrypted switch where a format has words for these.
    private static func kettle(isDescribed: Bool, isEncrypted: Bool) -> DeviceDescription {
        let temperature = DeviceCharacteristic(
            0x2A6E, properties: [.read, .notify], value: ValueTemplate(octets: [0x66, 0x08]),
            descriptors: isDescribed ? [DeviceDescriptor(0x2901, octets: Array("water ".utf8))] : [])
        let own = BluetoothUUID(full: 0x5D1A_0002_77C2_4A0E_9B3C_3C1F_0E5A_9D10)
        let tap = DeviceCharacteristic(
            own, properties: [.read, .write, .writeWithoutResponse], encryption: isEncrypted ? [.read, .write] : [],
            value: ValueTemplate(octets: [0]))
        let level = DeviceCharacteristic(0x2A19, properties: .read, value: ValueTemplate(octets: [95]))
        return DeviceDescription(services: [
            DeviceService(
                BluetoothUUID(full: 0x5D1A_0001_77C2_4A0E_9B3C_3C1F_0E5A_9D10), characteristics: [temperature, tap]),
            DeviceService(0x180F, characteristics: [level]),
        ])
    }

    private static func json(_ name: String, _ advertisement: String? = nil) throws -> DeviceImport {
        let node = try YAML.read(Array(sample(name).utf8))
        let heard = try advertisement.map { try YAML.read(Array(sample($0).utf8)) }
        return try DeviceImport(json: node, DeviceImport.format(ofJSON: node), advertisement: heard)
    }

    /// Compares the database, reads the file that comes of it, and gives the warnings as lines.
    private func check(_ result: DeviceImport, isDescribed: Bool = true, isEncrypted: Bool = true) throws -> [String] {
        let expected = DeviceDatabase(Self.kettle(isDescribed: isDescribed, isEncrypted: isEncrypted))
        #expect(DeviceDatabase(result.device).differences(from: expected) == [])
        #expect(try device(result.device.yaml()) == result.device, "\(result.device.yaml())")
        return result.warnings.map { "\($0.position.line): \($0.text)" }
    }

    @Test func `of nRF Connect's XML`() throws {
        let result = try DeviceImport(nRFConnect: Self.sample("server.xml"))
        #expect(result.device.title == "Kettle & more")
        #expect(
            try check(result) == [
                "4: left out: kind=\"hot\"",
                "8: left out: WRITE of the descriptor 2901, which can only be read",
                "19: READ_ENCRYPTED_MITM: encryption stands for it, whoever paired",
                "18: left out: the property extended, which can't be published",
            ])
    }

    @Test func `of BTstack's lines`() throws {
        let result = try DeviceImport(btstack: Self.sample("kettle.gatt"))
        #expect(result.device.advertisement.name == "Kettle")
        #expect(
            try check(result) == [
                "6: left out: #import <device_information_service.gatt>",
                "2: the Device Name \"Kettle\" is advertised; what the system says is its own name",
                "2: left out: 2A01 = 0003, since the system has its own",
                "10: left out: writing the user description, which can only be read",
                "11: READ_AUTHENTICATED: encryption stands for it, whoever paired",
                "11: left out: the property broadcast, which can't be published",
                "14: left out: VALID_RANGE",
            ])
    }

    @Test func `of WHAD's JSON`() throws {
        let result = try Self.json("kettle.whad.json")
        #expect(result.device.advertisement.name == "Kettle" && result.device.advertisement.services == [0x180F])
        #expect(
            try check(result) == [
                "19: left out: the transmit power 4 dBm", "19: left out: bd_addr, since an adapter has its own",
                "20: left out: addr_type, since an adapter has its own",
                "13: authentication or authorization of 5D1A0002-77C2-4A0E-9B3C-3C1F0E5A9D10: encryption stands for it",
            ])
    }

    @Test func `of blew's JSON`() throws {
        let result = try Self.json("kettle.blew.json")
        #expect(result.device.advertisement.name == "Kettle" && result.device.advertisement.services.count == 2)
        #expect(
            try check(result, isDescribed: false, isEncrypted: false) == [
                "6: left out: the property fly", "8: left out: color",
            ])
    }

    @Test func `of GATTacker's JSON, with the advertisement from its own file`() throws {
        let result = try Self.json("kettle.srv.json", "kettle.adv.json")
        #expect(result.device.advertisement.name == "Kettle" && result.device.advertisement.services == [0x180F])
        #expect(
            try check(result, isEncrypted: false) == [
                "1: left out: the transmit power 4 dBm", "13: left out: hooks",
            ])
        #expect(try Self.json("kettle.srv.json").device.advertisement.services.isEmpty)
    }

    @Test(arguments: [
        ("<a/>", "f:1:1: <a>, expected <server-configuration>"), ("<a", "f:1:3: the end of the text, expected a name"),
        ("<server-configuration><b></c></server-configuration>", "f:1:26: \"<\", expected </b>"),
        ("", "f:1:1: the end of the text, expected <"),
        (
            "<server-configuration><service uuid=\"12\"/></server-configuration>",
            "f:1:23: the UUID \"12\", expected 4, 8 or 32 hexadecimal digits"
        ),
        (
            "<server-configuration>\n<service uuid=\"180F\">\n<characteristic uuid=\"2A19\" value=\"0\"/></service></server-configuration>",
            "f:3:1: the value \"0\", expected octets in hexadecimal"
        ),
    ])
    func `what is no such XML is told with its place`(text: String, complaint: String) {
        do throws(DocumentError) {
            _ = try DeviceImport(nRFConnect: text)
            Issue.record("it was read")
        } catch { #expect(error.text(file: "f") == complaint) }
    }

    @Test(arguments: [
        ("CHARACTERISTIC, 2A19, READ, 01", "f:1:1: a characteristic, expected a service first"),
        (
            "PRIMARY_SERVICE, ORG_BLUETOOTH_SERVICE_NONE",
            "f:1:1: the UUID \"ORG_BLUETOOTH_SERVICE_NONE\", expected hexadecimal digits or an assigned name"
        ),
        ("PRIMARY_SERVICE", "f:1:1: the UUID \"\", expected hexadecimal digits or an assigned name"),
    ])
    func `nor are lines of BTstack's that can't be`(text: String, complaint: String) {
        do throws(DocumentError) {
            _ = try DeviceImport(btstack: text)
            Issue.record("it was read")
        } catch { #expect(error.text(file: "f") == complaint) }
    }

    @Test func `descriptors, included services and texts of BTstack's`() throws {
        let result = try DeviceImport(
            btstack: """
                SECONDARY_SERVICE, FFE0
                PRIMARY_SERVICE, FFF0
                INCLUDE_SERVICE, FFE0
                CHARACTERISTIC, 2A4D, READ | NOTIFY | ENCRYPTION_KEY_SIZE_16, A text, with a comma
                REPORT_REFERENCE, READ, 1, 2
                CHARACTERISTIC_FORMAT, FMT, 06, FE, 272F, 01, 0000
                """)
        #expect(
            DeviceDatabase(result.device).lines == [
                "service FFE0 secondary", "service FFF0", "  includes FFE0",
                "  characteristic 2A4D [read, notify] may read encrypted read = "
                    + Hex.string(Array("A text, with a comma".utf8)),
                "    descriptor 2908 = 0102", "    descriptor 2904 = 06FE2F27010000",
            ])
    }

    @Test func `what a device file refuses is taken off and named`() throws {
        let long = String(repeating: "00", count: 600)
        let result = try DeviceImport(
            nRFConnect: """
                <server-configuration><service uuid="FFF0"><characteristic uuid="FFF1" value="\(long)">
                <permission name="READ_ENCRYPTED"/><permission name="WRITE_ENCRYPTED"/><property name="NOTIFY"/>
                </characteristic></service></server-configuration>
                """)
        #expect(
            result.warnings.map(\.text) == [
                "left out: what is behind the first 512 octets of FFF1",
                "left out: encryption for reading FFF1, which has no such property",
                "left out: encryption for writing FFF1, which has no such property",
            ])
        #expect(try device(result.device.yaml()) == result.device)
    }

    @Test func `what has no room in one packet is named`() throws {
        let text = #"""
            {"services": [], "devinfo": {"adv_data": "02010614FF4C00000102030405060708090A0B0C0D0E0F10",
             "scan_rsp": "0A094C6F6E67206E616D650616AAFE010203"}}
            """#
        let node = try YAML.read(Array(text.utf8))
        let result = try DeviceImport(json: node, .whad)
        #expect(result.device.advertisement.manufacturerData?.count == 19)
        #expect(
            result.warnings.map(\.text) == [
                "left out: the advertised name \"Long name\", for which there is no room"
            ])
    }

    @Test func `differences of databases are named`() {
        let first = DeviceDatabase(Self.kettle(isDescribed: true, isEncrypted: false), .seenFromOutside)
        let second = DeviceDatabase(Self.kettle(isDescribed: false, isEncrypted: false), .seenFromOutside)
        #expect(second.differences(from: first) == ["+ " + "    descriptor 2901 = 776174657220"])
        #expect(first.differences(from: second) == ["- " + "    descriptor 2901 = 776174657220"])
    }
}
