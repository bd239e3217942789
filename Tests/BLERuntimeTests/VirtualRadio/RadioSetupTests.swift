import BLEController
import BLERuntime
import BLETransport
import BLEWire
import Testing

/// What is told about a radio's devices, as text and on the air.
@Suite struct RadioSetupTests {
    private let tag = RadioName(nearest: "tag")
    private let phone = RadioName(nearest: "phone")

    @Test func `reads doors, orders and their times`() throws {
        let setup = try RadioSetup(
            path: "setup",
            text: """
                # a tag that comes into range
                tcp 6402 tag
                unix /run/tag.hci\ttag
                path-loss 45.5 2.5
                loss 0.125\r
                corruption phone tag 1
                place tag 1000 -2 3    # far away
                after 0.5
                rssi phone tag -70

                after 2
                rssi phone tag none
                place tag 1 0
                lose 3 tag phone
                """)
        #expect(
            setup.doors == [
                .init(place: .tcp(port: 6402), device: tag), .init(place: .unix(path: "/run/tag.hci"), device: tag),
            ])
        let pair = RadioPair(first: phone, second: tag)
        let orders: [(Delay, RadioOrder)] = [
            (.zero, .pathLoss(atOneMetre: 45.5, exponent: 2.5)), (.zero, .loss(nil, 0.125)),
            (.zero, .corruption(pair, 1)), (.zero, .place(tag, Position(x: 1000, y: -2, z: 3))),
            (.milliseconds(500), .rssi(phone, tag, -70)), (.milliseconds(2500), .rssi(phone, tag, nil)),
            (.milliseconds(2500), .place(tag, Position(x: 1, y: 0))),
            (.milliseconds(2500), .loseNext(3, from: tag, to: phone)),
        ]
        #expect(setup.orders.elementsEqual(orders) { $0 == $1 })
    }

    @Test func `reads devices of its own, with their files beside the setup`() throws {
        let setup = try RadioSetup(
            path: "/etc/radio/setup",
            text: "device lock.yaml 3 0\ndevice /srv/b.c/lamp.x.yaml -1 2 3 as porch\ndevice sub/fan 0 0\n")
        let names = ["lock", "porch", "fan"].map { RadioName(nearest: $0) }
        let places = [Position(x: 3, y: 0), Position(x: -1, y: 2, z: 3), Position(x: 0, y: 0)]
        let paths = ["/etc/radio/lock.yaml", "/srv/b.c/lamp.x.yaml", "/etc/radio/sub/fan"]
        #expect(
            setup.seats
                == (0..<3).map { .init(path: paths[$0], name: names[$0], position: places[$0]) })
        #expect(
            setup.orders.elementsEqual((0..<3).map { (Delay.zero, RadioOrder.place(names[$0], places[$0])) }) {
                $0 == $1
            })
        #expect(try RadioSetup(path: "setup", text: "device lock.yaml 3 0").seats[0].path == "lock.yaml")
    }

    @Test(arguments: [
        ("place tag 1", "\"place\" wants NAME X Y [Z], in metres"),
        ("place tag 1 far", "\"far\" isn't between -1000000.0 and 1000000.0 (metres)"),
        ("place tag nan 0", "\"nan\" isn't between -1000000.0 and 1000000.0 (metres)"),
        ("rssi phone tag -200", "\"-200\" isn't between -127.0 and 20.0 (dBm)"),
        ("loss 1.5", "\"1.5\" isn't between 0.0 and 1.0 (probability)"),
        ("loss phone 0.5", "\"loss\" wants [NAME NAME] PROBABILITY"),
        ("lose phone tag 3", "\"phone\" isn't between 0.0 and 1000000.0 (packets)"),
        ("after", "\"after\" wants seconds"), ("after soon", "\"soon\" isn't between 0.0 and 1000000.0 (seconds)"),
        ("tcp tag", "\"tcp\" wants PORT NAME"), ("tcp 65536 tag", "\"65536\" is no port"),
        ("after 1\ntcp 1 tag", "\"tcp\" stands before the first \"after\""),
        ("device lock.yaml 1", "\"device\" wants FILE X Y [Z] [as NAME]"),
        ("device lock.yaml 1 2 as", "\"as\" isn't between -1000000.0 and 1000000.0 (metres)"),
        ("device lock.yaml 1 2\ndevice b/lock.yaml 3 4", "there are two devices \"lock\": say \"as NAME\""),
        ("after 1\ndevice lock.yaml 1 2", "\"device\" stands before the first \"after\""),
        ("move tag 1 2", "there is no order \"move\""),
    ])
    func `says what is wrong with a line, and with which`(text: String, cause: String) {
        #expect(throws: TransportError.self) { try RadioSetup(path: "setup", text: text) }
        do throws(TransportError) {
            _ = try RadioSetup(path: "setup", text: "# first\n" + text)
        } catch {
            let line = text.contains("\n") ? 3 : 2
            #expect(error.description == "radio setup: setup, line \(line): \(cause); correct the line")
        }
    }

    /// A phone that scans and a tag that advertises, on a radio with this setup.
    private func heard(_ text: String) throws -> (RadioClient, HostedRadio, DeviceAddress) {
        let radio = HostedRadio(HostedRadioSettings(name: RadioName(nearest: "test"), seed: 1))
        radio.follow(try RadioSetup(path: "setup", text: text))
        let scanner = RadioClient(radio)
        // Who says who it is after it has joined is placed then.
        try scanner.perform(HCIRavningJoin(address: DeviceAddress(0x0211_2233_4455), deviceName: "phone"))
        let advertiser = RadioClient(radio, as: tag)
        let address = try advertiser.perform(HCIReadBDAddr()).address
        try scanner.enableScanning()
        try advertiser.enableAdvertising()
        kept.append(advertiser)
        return (scanner, radio, address)
    }
    private let kept = Kept()

    /// Keeps clients for the time of a test.
    private final class Kept {
        private var clients: [RadioClient] = []
        func append(_ client: RadioClient) { clients.append(client) }
    }

    @Test func `who comes through a door is its device`() throws {
        let (_, radio, address) = try heard("")
        defer { radio.stop() }
        #expect(address == DeviceIdentity.address(radio: RadioName(nearest: "test"), device: tag))
        let second = try RadioClient(radio, as: tag).perform(HCIReadBDAddr()).address
        #expect(second == DeviceIdentity.address(radio: RadioName(nearest: "test"), device: tag.numbered(2)))
    }

    @Test func `places and levels hold for devices that come later`() throws {
        // 40 dB over the first metre and 20 dB for ten times as far: 40 + 20 = 60.
        let (scanner, radio, address) = try heard("place phone 0 0\nplace tag 6 8")
        defer { radio.stop() }
        #expect(try scanner.nextRSSI(of: address) == -60)
        radio.perform(.rssi(tag, phone, -77))
        while try scanner.nextRSSI(of: address) != -77 {}
        radio.perform(.rssi(phone, tag, nil))
        radio.perform(.place(tag, Position(x: 1)))
        while try scanner.nextRSSI(of: address) != -40 {}
        radio.perform(.pathLoss(atOneMetre: 50, exponent: 2))
        while try scanner.nextRSSI(of: address) != -50 {}
    }

    @Test func `what is to happen later happens when its time on the radio has come`() throws {
        // Nothing is heard before the loss ends, so the first report has the level that is told after it.
        let (scanner, radio, address) = try heard("loss 1\nafter 0.1\nrssi phone tag -33\nloss 0")
        defer { radio.stop() }
        #expect(try scanner.nextRSSI(of: address) == -33)
    }
}
