import BLEController
import BLEWire
import Testing

/// Steps that many tests begin with.
extension TestRadio {
    mutating func advertise(
        _ id: ControllerID, type: LEAdvertisingType = .connectableAndScannable, interval: UInt16 = 160,
        data: [UInt8] = [2, 1, 6], scanResponse: [UInt8] = [4, 9, 0x61, 0x62, 0x63], channelMap: UInt8 = 7
    ) {
        var parameters = LESetAdvertisingParameters()
        parameters.intervalMinimum = interval
        parameters.intervalMaximum = interval
        parameters.type = type
        parameters.channelMap = channelMap
        send(parameters, to: id)
        var content = LESetAdvertisingData()
        content.data = data
        send(content, to: id)
        var response = LESetScanResponseData()
        response.data = scanResponse
        send(response, to: id)
        send(LESetAdvertisingEnable(isEnabled: true), to: id)
    }

    mutating func scan(
        _ id: ControllerID, active: Bool = false, interval: UInt16 = 16, window: UInt16 = 16,
        filterDuplicates: Bool = false
    ) {
        var parameters = LESetScanParameters()
        parameters.isActive = active
        parameters.interval = interval
        parameters.window = window
        send(parameters, to: id)
        send(LESetScanEnable(isEnabled: true, filterDuplicates: filterDuplicates), to: id)
    }

    @discardableResult
    mutating func initiate(
        _ id: ControllerID, to peer: DeviceAddress, interval: UInt16 = 24, latency: UInt16 = 0, timeout: UInt16 = 72
    ) -> HCIStatus? {
        var command = LECreateConnection()
        command.peer = peer
        command.intervalMinimum = interval
        command.intervalMaximum = interval
        command.latency = latency
        command.supervisionTimeout = timeout
        return status(command, to: id)
    }

    /// Makes a link and answers with its handles, the first connection events behind it.
    mutating func connect(
        _ central: ControllerID, to peripheral: ControllerID, interval: UInt16 = 24, latency: UInt16 = 0,
        timeout: UInt16 = 72
    ) throws -> (central: ConnectionHandle, peripheral: ConnectionHandle) {
        let before = (connections(central).count, connections(peripheral).count)
        advertise(peripheral, interval: 32)
        initiate(central, to: address(peripheral), interval: interval, latency: latency, timeout: timeout)
        run(atMost: .seconds(2)) {
            $0.connections(central).count > before.0 && $0.connections(peripheral).count > before.1
        }
        let own = try #require(connections(central).dropFirst(before.0).last)
        let other = try #require(connections(peripheral).dropFirst(before.1).last)
        run(.microseconds(Int64(interval) * 1250 * 3))
        return (own.handle, other.handle)
    }
}
