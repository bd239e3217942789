package import BLEBackend
package import BLETransport

/// What the environment says about this process's Bluetooth device. [architecture 7]
///
/// A value that isn't understood is said in one line and leaves the device without a radio: a program that was meant to
/// run on one radio must not silently run on another.
package struct ProcessSettings: Sendable {
    package var adapter = AdapterChoice.auto
    package var device: RadioName
    package var capture: CaptureChoice?
    package var log = LogLevels.warnings
    package var state: Result<StateFolder, TransportError>
    /// What is wrong, in the order of the variables.
    package private(set) var problems: [TransportError] = []

    /// - Parameter executable: the path or name that the program was started by.
    package init(_ variables: EnvironmentVariables, executable: String) {
        let name = executable.split(separator: "/").last.map(String.init) ?? ""
        device = RadioName(nearest: name)
        do throws(TransportError) {
            state = .success(try StateFolder(variables))
        } catch {
            state = .failure(error)
        }
        read(variables["RAVNING_ADAPTER"]) { settings, text throws(TransportError) in
            settings.adapter = try AdapterChoice(text)
        }
        read(variables["RAVNING_DEVICE"]) { settings, text throws(TransportError) in
            settings.device = try RadioName(text, in: "RAVNING_DEVICE")
        }
        read(variables["RAVNING_CAPTURE"]) { settings, text throws(TransportError) in
            settings.capture = try CaptureChoice(text)
        }
        read(variables["RAVNING_LOG"]) { settings, text throws(TransportError) in
            guard let levels = LogLevels(parsing: text) else {
                throw TransportError(
                    .unsupported, layer: "RAVNING_LOG", cause: "\"\(text)\" isn't understood",
                    remedy: "write a level (trace, debug, info, notice, warning, error) or att=trace,smp=debug")
            }
            settings.log = levels
        }
        if variables["RAVNING_STATE_DIR"] != nil, case .failure(let error) = state { problems.append(error) }
    }

    private mutating func read(
        _ text: String?, _ body: (inout ProcessSettings, String) throws(TransportError) -> Void
    ) {
        guard let text else { return }
        do throws(TransportError) {
            try body(&self, text)
        } catch {
            problems.append(error)
        }
    }
}
