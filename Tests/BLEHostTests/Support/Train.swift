import BLEController
import BLEHost
import BLEWire

/// A controller without a host that has a periodic advertising train: set 5, events each 100 ms.
struct Train {
    let controller: ControllerID
    let address: DeviceAddress

    /// Puts it on the air of a bench; it doesn't transmit yet.
    init(_ bench: inout AirBench, address: DeviceAddress = DeviceAddress(0x0011_3300_0001)) {
        self.address = address
        controller = bench.radio.addController(ControllerProfile(address: address, name: "train"), at: bench.now)
    }

    /// Advertises the set and its train.
    func start(_ bench: inout AirBench, data: [UInt8]) {
        bench.send(
            LESetExtendedAdvertisingParameters(
                properties: [], intervalMinimum: 160, intervalMaximum: 160, setIdentifier: 5), to: controller)
        bench.send(LESetPeriodicAdvertisingParameters(intervalMinimum: 80, intervalMaximum: 80), to: controller)
        set(&bench, data: data)
        bench.send(LESetPeriodicAdvertisingEnable(enable: 1), to: controller)
        bench.send(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(handle: 0)]), to: controller)
    }

    /// Sets the data of the train; of more than 252 octets only before it runs. [Vol 4, Part E, 7.8.62]
    func set(_ bench: inout AirBench, data: [UInt8]) {
        let starts = Array(stride(from: 0, to: max(data.count, 1), by: 252))
        for start in starts {
            let operation: LEAdvertisingDataOperation =
                starts.count == 1
                ? .complete
                : start == 0 ? .firstFragment : start == starts.last ? .lastFragment : .intermediateFragment
            let part = Array(data[start..<min(start + 252, data.count)])
            bench.send(LESetPeriodicAdvertisingData(operation: operation, data: part), to: controller)
        }
    }
}

extension HostEvent {
    /// What is told of the train that was asked for under a token.
    func periodic(_ token: OperationToken) -> PeriodicEvent? {
        if case .periodic(token, let event) = self { event } else { nil }
    }
}

extension [HostEvent] {
    /// What is told of trains.
    var periodic: [PeriodicEvent] { compactMap { if case .periodic(_, let event) = $0 { event } else { nil } } }
    /// What trains have brought.
    var periodicReports: [PeriodicReport] {
        periodic.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }
}
