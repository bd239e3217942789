package import BLEBackend
import BLETransport
import BLEWire
import BLELocking
import Synchronization

/// The Bluetooth device of a process, as its environment asks for it: host, engine, transport, capture, memory.
///
/// *Limits*: lives as long as the process. What is wrong with the environment is said in one line each, and leaves the
/// device without a radio: managers report `unsupported` or `unauthorized`. [architecture 7]
package final class ProcessDevice: Sendable {
    package let device: Device
    private let radio: ProcessRadio
    /// Holds the lock on the device's name.
    private let identity: DeviceIdentity?

    package convenience init(_ variables: EnvironmentVariables, executable: String) {
        let settings = ProcessSettings(variables, executable: executable)
        Diagnostics.setLevelsOfEnvironment(settings.log)
        for problem in settings.problems.dropFirst() { EngineDriver.report(problem) }
        do throws(TransportError) {
            if let problem = settings.problems.first { throw problem }
            try self.init(ProcessParts(settings, variables))
        } catch {
            self.init(ProcessParts(error, name: settings.device))
        }
    }

    private init(_ parts: ProcessParts) {
        identity = parts.identity
        radio = ProcessRadio(parts)
        device = Device(backend: radio.backend, delivery: QueueDelivery(), restoration: parts.restoration)
        if let agent = Device.processPairingAgent { radio.backend.setPairingAgent(agent) }
        radio.start()
    }

    /// Whether this process hosts the virtual radio that it's on.
    package var isRadioHost: Bool { radio.isHost() }

    /// Lets go of the radio, for tests; a process just ends.
    package func stop() { radio.stop() }
}

extension Diagnostics {
    /// Said once, when a capture can't be written any more; the program goes on.
    static let captureFailed: @Sendable (String) -> Void = { message in
        Diagnostics.emit(TraceEvent(.error, "capture", message))
    }
}

extension Device {
    /// The device of this process, as the environment says it; made when the first manager needs it. [architecture 7]
    package static var process: Device { shared.device }

    /// The process's device if there is one already: asking must not open a radio. [contract 15]
    package static var existingProcess: Device? { isProcessMade.load(ordering: .acquiring) ? process : nil }

    /// Chooses by code what the environment says else. Answers what is wrong, for a person; nothing is changed then.
    package static func chooseProcess(adapter: String, device: String?, capture: String?) -> String? {
        do throws(TransportError) {
            _ = try AdapterChoice(adapter)
            if let capture { _ = try CaptureChoice(capture) }
        } catch {
            return error.description
        }
        var variables = ["RAVNING_ADAPTER": adapter]
        variables["RAVNING_DEVICE"] = device
        variables["RAVNING_CAPTURE"] = capture
        return choice.withLock { choice in
            if isProcessMade.load(ordering: .acquiring) {
                return "the process has managers already, so it has its adapter; choose it before the first one"
            }
            choice = choice.replacing(variables)
            return nil
        }
    }

    /// Who stands for the person in front of the process's device.
    package static var processPairingAgent: (any PairingAgent)? { agent.withLock { $0 } }

    /// Sets who does; the device needn't be there yet.
    package static func setProcessPairingAgent(_ new: (any PairingAgent)?) {
        agent.withLock { $0 = new }
        existingProcess?.backend.setPairingAgent(new)
    }

    private static let agent = Locked<(any PairingAgent)?>(nil)
    private static let isProcessMade = Atomic(false)
    private static let choice = Locked(EnvironmentVariables.process)
    private static let shared = {
        let variables = choice.withLock { choice in
            isProcessMade.store(true, ordering: .releasing)
            return choice
        }
        return ProcessDevice(variables, executable: CommandLine.arguments.first ?? "")
    }()
}
