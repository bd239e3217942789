import BLEDeviceFiles
import BLEDevices
import BLERuntime
import BLEWire
import CommandLineKit
import CoreBluetooth
import Dispatch
import Foundation
import Glibc
import Ravning

/// A described device on the air: a peripheral manager, and the machine that says what it does.
final class DeviceServer {
    let device: DeviceDescription
    let output: ServeOutput
    let manager: CBPeripheralManager
    private let inbox = Inbox()
    private let events: PeripheralEvents
    private let person: Person?
    private let patience: Double

    var machine: DeviceMachine
    private var published: PublishedDevice
    private var servicesToAdd = 0
    private var isServing = false
    /// Values that the manager had no room for yet.
    private var queue = UpdateQueue()
    private var isFull = false
    /// Requests that are to be answered, by the machine's number for them.
    private var requests: [Int: CBATTRequest] = [:]
    private var lastRequest = 0
    private(set) var centrals: [CBCentral] = []

    init(_ device: DeviceDescription, _ options: ParsedOptions) throws {
        self.device = device
        output = ServeOutput(device, Output(options))
        // The same device each time, and not the one that the other commands are.
        let file = URL(fileURLWithPath: options.arguments[0]).deletingPathExtension().lastPathComponent
        try Session.chooseAdapter(options, device: RadioName(nearest: file).text)
        patience = try options.seconds("timeout") ?? 10
        machine = DeviceMachine(device)
        published = PublishedDevice(device)
        events = PeripheralEvents(inbox)
        // Who agrees to all isn't asked at all: then it is a device that has nobody in front of it.
        person = options.has("yes") ? nil : Person(inbox, agrees: false, mayPair: true)
        Signals.follow(into: inbox)
        OutputWatch.follow(into: inbox)
        if let person { Pairing.setDelegate(person, queue: DispatchQueue(label: "ravning.pairing")) }
        manager = CBPeripheralManager(delegate: events, queue: DispatchQueue(label: "ravning.peripheral"))
    }

    /// Is the device until the time is over, or until the person has had enough.
    func serve(for seconds: Double?) throws {
        var end = Instant.never
        var start = now + .nanoseconds(Int64(patience * 1e9))
        while true {
            let due = min(machine.nextDeadline, isServing ? end : start)
            let deadline = due == .never ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(due.nanoseconds))
            if let event = inbox.next(until: deadline) {
                try take(event)
            } else if now >= end {
                return
            } else if !isServing, now >= start {
                throw CommandError(.timedOut, "switching the adapter on took longer than \(Int(patience)) s")
            }
            if isServing, end == .never, let seconds { end = now + .nanoseconds(Int64(seconds * 1e9)) }
            if isServing { start = .never }
            var outputs: [DeviceMachine.Output] = []
            machine.tick(at: now, time, into: &outputs)
            try carryOut(outputs)
        }
    }

    private func take(_ event: Event) throws {
        switch event {
        case .signal(let number): throw Interrupted(signal: number)
        case .outputClosed: throw OutputClosed()
        case .state(let state): try take(state)
        case .peripheral(let event): try take(event)
        default: break
        }
    }

    private func take(_ state: CBManagerState) throws {
        switch state {
        case .poweredOn:
            forget()
            machine.start(at: now, time)
            // Objects are published once; after the radio was away they're new ones.
            published = PublishedDevice(device)
            servicesToAdd = published.services.count
            manager.removeAllServices()
            for service in published.services { manager.add(service) }
            if servicesToAdd == 0 { try advertise() }
        case .unsupported, .unauthorized:
            throw CommandError(.noAdapter, "no adapter can be used; `ravning doctor` says more")
        case .poweredOff where !isServing:
            throw CommandError(.noAdapter, "no adapter can be used; `ravning doctor` says more")
        default:
            machine.stop()
            forget()
            if isServing { try output.went() }
        }
    }

    private func forget() {
        queue.removeAll()
        isFull = false
        requests = [:]
        centrals = []
    }

    private func take(_ event: PeripheralEvent) throws {
        var outputs: [DeviceMachine.Output] = []
        switch event {
        case .added(let service, let error):
            if let error {
                throw CommandError(
                    .other, "the service \(service.uuid.uuidString) can't be published: \(Failure.text(error))")
            }
            servicesToAdd -= 1
            if servicesToAdd == 0 { try advertise() }
        case .advertising(let error):
            try Failure.check("advertising", error)
            isServing = true
            try output.began()
        case .subscribed(let central, let characteristic):
            guard let index = published.index(of: characteristic) else { return }
            try output.subscribed(index, central, isOn: true)
            machine.handle(.subscribed(index, number(of: central)), at: now, time, into: &outputs)
        case .unsubscribed(let central, let characteristic):
            guard let index = published.index(of: characteristic) else { return }
            try output.subscribed(index, central, isOn: false)
            machine.handle(.unsubscribed(index, number(of: central)), at: now, time, into: &outputs)
            if published.characteristics[index].subscribedCentrals?.isEmpty ?? true { queue.forget(index) }
        case .read(let request):
            guard let index = published.index(of: request.characteristic) else { return }
            machine.handle(
                .read(keep(request), index, offset: request.offset, number(of: request.central)), at: now, time,
                into: &outputs)
        case .writes(let all):
            guard let first = all.first else { return }
            let writes = all.compactMap { request in
                published.index(of: request.characteristic).map {
                    DeviceMachine.Write($0, offset: request.offset, Array(request.value ?? Data()))
                }
            }
            machine.handle(
                .write(keep(first), writes, number(of: first.central)), at: now, time, into: &outputs)
        case .ready:
            isFull = false
            send()
        case .settled: break
        }
        try carryOut(outputs)
    }

    private func advertise() throws {
        let advertisement = device.advertisement
        let services = advertisement.services.map { CBUUID($0) }
        if advertisement.isSilent {
            isServing = true
            return try output.began()
        }
        guard advertisement.isBeyondCoreBluetooth else {
            var data: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: services]
            if let name = advertisement.name { data[CBAdvertisementDataLocalNameKey] = name }
            return manager.startAdvertising(data)
        }
        manager.startAdvertising(
            localName: advertisement.name, services: services,
            manufacturerData: advertisement.manufacturerData.map { Data($0) },
            serviceData: advertisement.serviceData.map { (CBUUID($0.service), Data($0.octets)) },
            isConnectable: advertisement.isConnectable)
    }

    // MARK: What the machine orders

    private func carryOut(_ outputs: [DeviceMachine.Output]) throws {
        for order in outputs {
            switch order {
            case .answer(let id, let error, let value):
                guard let request = requests.removeValue(forKey: id) else { continue }
                if let value { request.value = Data(value) }
                manager.respond(to: request, withResult: CBATTError.Code(rawValue: Int(error)) ?? .unlikelyError)
            case .update(let index, let octets, let isOfCourse):
                if !queue.push(index, octets, isOfCourse: isOfCourse) { try output.dropped(index) }
            case .disconnect(let number):
                let subscribed = number < 0 ? published.characteristics[-1 - number].subscribedCentrals ?? [] : []
                for central in subscribed + [central(number)].compactMap(\.self) { manager.disconnect(central) }
            case .wrote(let index, let octets, let number, let error):
                if let central = central(number) { try output.received(index, octets, central, error: error) }
            case .says(let text): try output.said(text)
            case .failed(let index, let fault): try output.failed(index, fault)
            }
        }
        send()
    }

    /// Hands values over as long as the manager takes them.
    private func send() {
        while !isFull, let update = queue.first {
            let isTaken = manager.updateValue(
                Data(update.octets), for: published.characteristics[update.characteristic], onSubscribedCentrals: nil)
            guard isTaken else {
                isFull = true
                return
            }
            queue.removeFirst()
        }
    }

    private func keep(_ request: CBATTRequest) -> Int {
        lastRequest += 1
        requests[lastRequest] = request
        return lastRequest
    }

    private func number(of central: CBCentral) -> Int {
        if let known = centrals.firstIndex(where: { $0 === central }) { return known }
        centrals.append(central)
        return centrals.count - 1
    }

    private func central(_ number: Int) -> CBCentral? { centrals.indices.contains(number) ? centrals[number] : nil }

    private var now: Instant { Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

    private var time: WallTime { .now }

    /// Takes the device off the air; to be called whatever happened.
    func close() {
        guard manager.state == .poweredOn else { return }
        manager.stopAdvertising()
        for central in centrals { manager.disconnect(central) }
        manager.removeAllServices()
        // Orders are taken one by one: when this one is answered, all that came before it went out.
        manager.publishL2CAPChannel(withEncryption: false)
        let deadline = DispatchTime.now() + 1
        while let event = inbox.next(until: deadline) {
            if case .peripheral(.settled) = event { return }
        }
    }
}
