import CoreBluetooth
import Foundation

// Two ends of an L2CAP channel. The server sends back what it gets; the client sends so many octets and compares.
// StreamProbe server | client OCTETS

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let service = CBUUID(string: "FFA0")
let psmCharacteristic = CBUUID(string: CBUUIDL2CAPPSMCharacteristicString)

/// A channel whose streams are scheduled in the main run loop.
class ChannelUser: NSObject, StreamDelegate {
    let channel: CBL2CAPChannel
    var outbox = Data()

    init(_ channel: CBL2CAPChannel) {
        self.channel = channel
        super.init()
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
    }

    func write() {
        while !outbox.isEmpty, channel.outputStream.hasSpaceAvailable {
            let count = outbox.withUnsafeBytes { octets in
                octets.bindMemory(to: UInt8.self).baseAddress.map { start in
                    channel.outputStream.write(start, maxLength: octets.count)
                } ?? 0
            }
            guard count > 0 else { return }
            outbox.removeFirst(count)
        }
    }

    func received(_ data: Data) {}
    func ended(_ event: Stream.Event) {}

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 2048)
            let count = channel.inputStream.read(&buffer, maxLength: buffer.count)
            if count > 0 { received(Data(buffer[..<count])) }
        case .hasSpaceAvailable: write()
        case .endEncountered, .errorOccurred: if stream === channel.inputStream { ended(event) }
        default: break
        }
    }
}

final class Echo: ChannelUser {
    override func received(_ data: Data) {
        outbox.append(data)
        write()
    }
    override func ended(_ event: Stream.Event) { say(event == .endEncountered ? "channel ended" : "channel failed") }
}

final class Server: NSObject, CBPeripheralManagerDelegate {
    var manager: CBPeripheralManager?
    var users: [Echo] = []

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.publishL2CAPChannel(withEncryption: false)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
    ) {
        say("published \(PSM)")
        let published = CBMutableService(type: service, primary: true)
        published.characteristics = [
            CBMutableCharacteristic(
                type: psmCharacteristic, properties: .read, value: Data([UInt8(PSM & 0xFF), UInt8(PSM >> 8)]),
                permissions: .readable)
        ]
        peripheral.add(published)
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service]])
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        say("advertising")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
    ) {
        guard let channel else { return say("opened nothing: \(String(describing: error))") }
        users.append(Echo(channel))
        say("opened")
    }
}

final class Comparing: ChannelUser {
    let sent: Data
    var got = Data()
    var done: () -> Void = {}

    init(_ channel: CBL2CAPChannel, _ count: Int) {
        sent = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        super.init(channel)
        outbox = sent
    }

    override func received(_ data: Data) {
        got.append(data)
        guard got.count >= sent.count else { return }
        say(got == sent ? "echoed \(got.count)" : "another echo")
        done()
    }
    override func ended(_ event: Stream.Event) { say("ended early, after \(got.count)") }
}

final class Client: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    let count: Int
    var manager: CBCentralManager?
    var peripheral: CBPeripheral?
    var user: Comparing?

    init(_ count: Int) { self.count = count }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [service]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([service])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let found = peripheral.services?.first else { return say("no service") }
        peripheral.discoverCharacteristics([psmCharacteristic], for: found)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        guard let found = service.characteristics?.first else { return say("no characteristic") }
        peripheral.readValue(for: found)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard let value = characteristic.value, value.count == 2 else { return say("no PSM") }
        peripheral.openL2CAPChannel(CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return say("opened nothing: \(String(describing: error))") }
        say("opened \(channel.psm)")
        let user = Comparing(channel, count)
        self.user = user
        user.done = { [weak self] in
            user.done = {}
            channel.inputStream.close()
            channel.outputStream.close()
            self?.user = nil
        }
    }
}

let arguments = CommandLine.arguments
let server = Server()
let client = Client(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0)
switch arguments.count > 1 ? arguments[1] : "" {
case "server": server.manager = CBPeripheralManager(delegate: server, queue: nil)
case "client": client.manager = CBCentralManager(delegate: client, queue: nil)
default:
    say("usage: StreamProbe server | client OCTETS")
    exit(2)
}
RunLoop.main.run()
