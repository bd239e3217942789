import BLEController
import BLEWire
import Testing

/// Extended advertising, scanning and connecting as hosts begin them.
extension TestRadio {
    /// Sets up a set and lets it advertise; its data goes in fragments where one command doesn't hold it.
    mutating func advertiseSet(
        _ id: ControllerID, handle: UInt8 = 0, _ properties: LEAdvertisingProperties = [], data: [UInt8] = [],
        scanResponse: [UInt8] = [], primary: LEPHY = .le1M, secondary: LEPHY = .le1M, interval: UInt32 = 160,
        duration: UInt16 = 0, maximumEvents: UInt8 = 0,
        _ change: (inout LESetExtendedAdvertisingParameters) -> Void = { _ in }
    ) -> HCIStatus? {
        var parameters = LESetExtendedAdvertisingParameters(
            handle: handle, properties: properties, intervalMinimum: interval, intervalMaximum: interval,
            primaryPHY: primary, secondaryPHY: secondary, setIdentifier: 5)
        change(&parameters)
        let status = self.status(parameters, to: id)
        guard status == .success else { return status }
        if !data.isEmpty {
            for (operation, part) in TestRadio.fragments(data) {
                send(LESetExtendedAdvertisingData(handle: handle, operation: operation, data: part), to: id)
            }
        }
        if !scanResponse.isEmpty {
            for (operation, part) in TestRadio.fragments(scanResponse) {
                send(LESetExtendedScanResponseData(handle: handle, operation: operation, data: part), to: id)
            }
        }
        let set = LESetExtendedAdvertisingEnable.AdvertisingSet(
            handle: handle, duration: duration, maximumEvents: maximumEvents)
        return self.status(LESetExtendedAdvertisingEnable(isEnabled: true, sets: [set]), to: id)
    }

    static func fragments(_ data: [UInt8]) -> [(LEAdvertisingDataOperation, [UInt8])] {
        guard data.count > 251 else { return [(.complete, data)] }
        let starts = Array(stride(from: 0, to: data.count, by: 200))
        return starts.map { start in
            let part = Array(data[start..<min(start + 200, data.count)])
            if start == 0 { return (.firstFragment, part) }
            return (start == starts.last ? .lastFragment : .intermediateFragment, part)
        }
    }

    @discardableResult
    mutating func scanExtended(
        _ id: ControllerID, active: Bool = false, phys: PHYSet = .le1M, interval: UInt16 = 16, window: UInt16 = 16,
        filterDuplicates: UInt8 = 0, duration: UInt16 = 0, period: UInt16 = 0
    ) -> HCIStatus? {
        let settings = LESetExtendedScanParameters.Settings(isActive: active, interval: interval, window: window)
        let parameters = LESetExtendedScanParameters(
            scanningPHYs: phys.rawValue,
            settings: Array(repeating: settings, count: phys.rawValue.nonzeroBitCount))
        let first = status(parameters, to: id)
        guard first == .success else { return first }
        let enable = LESetExtendedScanEnable(
            isEnabled: true, filterDuplicates: filterDuplicates, duration: duration, period: period)
        return status(enable, to: id)
    }

    @discardableResult
    mutating func initiateExtended(
        _ id: ControllerID, to peer: DeviceAddress, phys: PHYSet = .le1M, interval: UInt16 = 24
    ) -> HCIStatus? {
        var settings = LEExtendedCreateConnection.Settings()
        settings.intervalMinimum = interval
        settings.intervalMaximum = interval
        let command = LEExtendedCreateConnection(
            peer: peer, initiatingPHYs: phys.rawValue,
            settings: Array(repeating: settings, count: phys.rawValue.nonzeroBitCount))
        return status(command, to: id)
    }

    func extendedReports(_ id: ControllerID) -> [LEExtendedAdvertisingReport.Report] {
        events(id).flatMap { event -> [LEExtendedAdvertisingReport.Report] in
            if case .leExtendedAdvertisingReport(let event) = event { event.reports } else { [] }
        }
    }

    func terminations(_ id: ControllerID) -> [LEAdvertisingSetTerminated] {
        events(id).compactMap { if case .leAdvertisingSetTerminated(let event) = $0 { event } else { nil } }
    }

    /// The packets of extended advertising on the air, with the fields of their headers.
    var extendedPackets: [(packet: AirPacket, payload: LLExtendedAdvertising, fields: LLExtendedHeader)] {
        air.compactMap { packet in
            guard let read = try? LLAdvertisingPacket(decoding: packet.pdu), case .extended(let payload) = read.payload,
                let fields = try? payload.fields()
            else { return nil }
            return (packet, payload, fields)
        }
    }
}
