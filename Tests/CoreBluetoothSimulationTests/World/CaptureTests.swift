import BLEWire
import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import Testing

/// Captures of worlds, which Wireshark reads.
@Suite struct CaptureTests {
    /// Where captures are kept for a look with another program, or a folder that goes with the test.
    private let kept = ProcessInfo.processInfo.environment["RAVNING_TEST_CAPTURES"]
    private let folder: URL
    private let world = World(seed: 1)

    init() throws {
        folder =
            kept.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("ravning-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func clean() {
        if kept == nil { try? FileManager.default.removeItem(at: folder) }
    }

    private func run(_ central: CentralProgram) throws {
        world.addPeripheral(
            VirtualPeripheral("sensor").advertising().service(
                CBUUID(string: "AA00"), VirtualCharacteristic(CBUUID(string: "AA01"), .read, value: Data([5]))))
        let peripheral = try #require(central.reach("sensor"))
        peripheral.readValue(for: try #require(central.characteristic("AA01", of: peripheral)))
        central.wait(for: "value AA01 05 ok")
    }

    @Test func `the HCI packets of a phone are in its file, with virtual times`() throws {
        defer { clean() }
        let path = folder.appendingPathComponent("world-phone.btsnoop").path
        let phone = world.addPhone("phone")
        try phone.captureHCI(to: path)
        try run(CentralProgram(world, on: phone))
        let octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let (records, fault) = BTSnoopReader.records(in: octets)
        #expect(fault == nil)
        // HCI_Reset comes first, at the beginning of 2001.
        #expect(records.first?.packet == [0x01, 0x03, 0x0C, 0x00])
        #expect(records.first?.unixMicroseconds == 978_307_200_000_000)
        #expect(records.count > 50)
    }

    @Test func `the air's packets are in its file`() throws {
        defer { clean() }
        let path = folder.appendingPathComponent("world-air.pcap").path
        try world.captureAir(to: path)
        try run(CentralProgram(world, on: world.addPhone("phone")))
        var reader = PcapReader(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        var count = 0
        while reader.next() != nil { count += 1 }
        #expect(reader.fault == nil)
        #expect(reader.linkType == 256)
        #expect(count > 50)
    }

    @Test func `a file that can't be written is an error that says so`() {
        #expect(throws: CaptureError.self) { try world.captureAir(to: "/nowhere/air.pcap") }
        clean()
    }
}
