import BLEController
import BLEWire

/// How much radio time a second of processor time gives, and what one event on the air costs. Hosts are left out:
/// their share is measured by the benchmark of the world.
struct Scene {
    var radio = Radio(seed: 1)
    var out: [RadioOutput] = []
    var now = Instant.start
    var packets = 0
    var octets = 0
    private var count: UInt64 = 0

    mutating func add() -> (ControllerID, DeviceAddress) {
        count += 1
        var profile = ControllerProfile(address: DeviceAddress(0xC000_0000_0000 | count), name: "bench")
        profile.maximumLinks = 200
        profile.maximumLinksAsCentral = 200
        let id = radio.addController(profile, at: now)
        send(HCISetEventMask(mask: HCIEventMask(rawValue: .max)), to: id)
        return (id, profile.address)
    }

    mutating func send(_ command: some HCICommandPDU, to id: ControllerID) {
        radio.receive(command.packet(), from: id, at: now, into: &out)
        out.removeAll(keepingCapacity: true)
    }

    mutating func advertise(_ id: ControllerID, interval: UInt16 = 160) {
        var parameters = LESetAdvertisingParameters()
        parameters.intervalMinimum = interval
        parameters.intervalMaximum = interval
        send(parameters, to: id)
        send(LESetAdvertisingData(data: [UInt8](repeating: 7, count: 24)), to: id)
        send(LESetAdvertisingEnable(isEnabled: true), to: id)
    }

    mutating func scan(_ id: ControllerID) {
        send(LESetScanParameters(), to: id)
        send(LESetScanEnable(isEnabled: true, filterDuplicates: false), to: id)
    }

    mutating func connect(_ central: ControllerID, _ peripheral: (ControllerID, DeviceAddress), interval: UInt16) {
        advertise(peripheral.0, interval: 32)
        var command = LECreateConnection()
        command.peer = peripheral.1
        command.intervalMinimum = interval
        command.intervalMaximum = interval
        send(command, to: central)
        while !radio.linkLayerState(of: peripheral.0).contains(.connectedAsPeripheral) { step() }
    }

    /// One deadline.
    mutating func step() {
        guard let next = radio.nextDeadline else { return }
        now = next
        radio.advance(to: now, into: &out)
        for output in out {
            if case .packet(_, let packet) = output {
                packets += 1
                octets += packet.count
            }
        }
        out.removeAll(keepingCapacity: true)
    }

    mutating func run(_ delay: Delay) {
        let end = now + delay
        while let next = radio.nextDeadline, next <= end { step() }
        now = end
    }
}

/// Runs what the first argument is a part of; everything without one.
func isWanted(_ name: String) -> Bool { CommandLine.arguments.count < 2 || name.contains(CommandLine.arguments[1]) }

func measure(_ name: String, seconds: Int64, events: Double, _ prepare: (inout Scene) -> Void) {
    guard isWanted(name) else { return }
    var scene = Scene()
    prepare(&scene)
    scene.run(.seconds(1))
    scene.packets = 0
    let clock = ContinuousClock()
    let time = clock.measure { scene.run(.seconds(seconds)) }
    let wall = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    let perEvent = wall / (events * Double(seconds)) * 1e9
    print(
        "\(name): \(Int(Double(seconds) / wall)) x real time, \(Int(perEvent)) ns an event, "
            + "\(scene.packets) packets to hosts")
}

measure("1000 advertisers, nobody listens", seconds: 60, events: 9524) { scene in
    for _ in 0..<1000 { scene.advertise(scene.add().0) }
}
measure("1000 advertisers, one scanner", seconds: 60, events: 9524) { scene in
    for _ in 0..<1000 { scene.advertise(scene.add().0) }
    scene.scan(scene.add().0)
}
measure("100 idle links of 100 pairs at 30 ms", seconds: 60, events: 3333) { scene in
    for _ in 0..<100 {
        let central = scene.add().0
        scene.connect(central, scene.add(), interval: 24)
    }
}
measure("100 idle links of 10 centrals at 30 ms", seconds: 60, events: 3333) { scene in
    for _ in 0..<10 {
        let central = scene.add().0
        for _ in 0..<10 { scene.connect(central, scene.add(), interval: 24) }
    }
}
measure("1000 advertisers, one scanner, 100 links", seconds: 60, events: 12857) { scene in
    for _ in 0..<100 {
        let central = scene.add().0
        scene.connect(central, scene.add(), interval: 24)
    }
    for _ in 0..<1000 { scene.advertise(scene.add().0) }
    scene.scan(scene.add().0)
}

/// Data one way, 251 octets, buffers always full.
func pump() {
    var scene = Scene()
    let central = scene.add().0
    let peripheral = scene.add()
    let change = LEWriteSuggestedDefaultDataLength(maxTransmitOctets: 251, maxTransmitTime: 2120)
    scene.send(change, to: central)
    scene.connect(central, peripheral, interval: 24)
    scene.run(.seconds(1))
    guard let handle = scene.radio.linkHandles(of: central).first else { return }
    let packet = HCIACLData.packet(
        handle: handle, boundary: .firstFromHost, payload: [UInt8](repeating: 0x55, count: 251))
    var sent = 0
    let clock = ContinuousClock()
    let time = clock.measure {
        for _ in 0..<8 { scene.radio.receive(packet, from: central, at: scene.now, into: &scene.out) }
        while sent < 200_000 {
            guard let next = scene.radio.nextDeadline else { return }
            scene.now = next
            scene.radio.advance(to: next, into: &scene.out)
            var credits = 0
            for output in scene.out {
                if case .packet(central, let packet) = output, packet[1] == 0x13 { credits += Int(packet[6]) }
            }
            scene.out.removeAll(keepingCapacity: true)
            for _ in 0..<credits {
                scene.radio.receive(packet, from: central, at: scene.now, into: &scene.out)
                sent += 1
            }
        }
    }
    let wall = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    print("data of 251 octets, host to host: \(Int(Double(sent) / wall)) packets a second")
}
if isWanted("pump") { pump() }
