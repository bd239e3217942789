import BLEBlueZ
import BLERuntime
import BLETransport
import CommandLineKit

/// `ravning doctor`: what adapters and rights there are, which layer fails, and what to do.
let doctorCommand = Command(
    name: "doctor", summary: "Say which adapters can be used, and what stands in the way",
    options: [
        Option("adapter", short: "a", value: "TEXT", help: "The adapter, as in RAVNING_ADAPTER"),
        Option("json", short: "j", help: "Print a JSON object a line"),
    ], run: runDoctor)

/// Something that was looked at.
private struct Finding {
    let layer: String
    /// nil = neither good nor bad.
    let isGood: Bool?
    let text: String
    var remedy: String?

    /// One line for a person.
    var line: String {
        let mark =
            switch isGood {
            case true?: "+ "
            case false?: "- "
            case nil: "  "
            }
        return mark + layer + ": " + text + (remedy.map { "; " + $0 } ?? "")
    }

    var json: JSON {
        .object([
            ("event", .text("finding")), ("layer", .text(layer)), ("good", isGood.map(JSON.flag)),
            ("text", .text(text)), ("remedy", remedy.map(JSON.text)),
        ])
    }

    init(_ layer: String, _ isGood: Bool?, _ text: String, remedy: String? = nil) {
        self.layer = layer
        self.isGood = isGood
        self.text = text
        self.remedy = remedy
    }

    init(_ error: TransportError) {
        self.init(error.layer, false, error.cause, remedy: error.remedy)
    }
}

@Sendable private func runDoctor(_ options: ParsedOptions) throws -> Int32 {
    let chosen = options.text("adapter") ?? EnvironmentVariables.process["RAVNING_ADAPTER"] ?? "auto"
    let choice: AdapterChoice
    do throws(TransportError) {
        choice = try AdapterChoice(chosen)
    } catch {
        throw UsageError(error.description)
    }
    let verdict = tryAdapter(choice)
    for finding in surroundings() + [verdict] {
        guard printLine(options.has("json") ? finding.json.line : finding.line) else { return 0 }
    }
    let isUsable = verdict.isGood == true
    let text = isUsable ? "\(chosen) can be used" : "\(chosen) can't be used"
    let json = JSON.object([("event", .text("verdict")), ("adapter", .text(chosen)), ("usable", .flag(isUsable))])
    printLine(options.has("json") ? json.line : text)
    return isUsable ? ExitCode.success.rawValue : ExitCode.noAdapter.rawValue
}

/// What there is, whatever is chosen.
private func surroundings() -> [Finding] {
    var findings: [Finding] = []
    let adapters = AutomaticOpener.adapters().map { "hci\($0)" }
    findings.append(
        adapters.isEmpty
            ? Finding("kernel", nil, "no Bluetooth adapter")
            : Finding("kernel", true, "adapters " + adapters.joined(separator: ", ")))
    findings += blueZ(BlueZSurvey.take())
    for radioSwitch in RadioSwitch.all() {
        if radioSwitch.isHardBlocked {
            findings.append(
                Finding("rfkill", false, "\(radioSwitch.name) is blocked by a switch of the machine", remedy: "turn it")
            )
        } else if radioSwitch.isSoftBlocked {
            findings.append(
                Finding("rfkill", false, "\(radioSwitch.name) is blocked", remedy: "run `rfkill unblock bluetooth`"))
        } else {
            findings.append(Finding("rfkill", true, "\(radioSwitch.name) isn't blocked"))
        }
    }
    for holder in AdapterHolder.all() {
        findings.append(Finding("programs", nil, "\(holder.program) (process \(holder.process)) uses Bluetooth"))
    }
    do throws(TransportError) {
        let radios = try RuntimeDirectory(.process).radios.map(\.text)
        findings.append(
            Finding(
                "virtual radios", nil, radios.isEmpty ? "none is hosted" : radios.joined(separator: ", ") + " hosted"))
    } catch {
        findings.append(Finding(error))
    }
    return findings
}

/// What BlueZ has, which every user may ask.
private func blueZ(_ survey: BlueZSurvey) -> [Finding] {
    switch survey {
    case .unavailable(let cause): return [Finding("bluez", nil, cause)]
    case .adapters(let adapters) where adapters.isEmpty: return [Finding("bluez", nil, "bluetoothd has no adapter")]
    case .adapters(let adapters):
        return adapters.map { adapter in
            var text = "\(adapter.name) (\(adapter.address)) is \(adapter.isPowered ? "on" : "off")"
            if !adapter.takesServices { text += ", takes no services of programs" }
            if !adapter.takesAdvertisements { text += ", takes no advertisements of programs" }
            return Finding("bluez", adapter.isPowered, text, remedy: adapter.isPowered ? nil : switchingOn)
        }
    }
}

private let switchingOn = "run `bluetoothctl power on`"

/// Whether a program could use BlueZ's adapter of that name, or any.
private func tryBlueZ(_ wanted: String?) -> Finding {
    let layer = wanted.map { "bluez:\($0)" } ?? "bluez"
    switch BlueZSurvey.take() {
    case .unavailable(let cause):
        return Finding(layer, false, cause, remedy: "run `systemctl start bluetooth`")
    case .adapters(let adapters):
        let fitting = adapters.filter { wanted == nil || $0.name == wanted }
        guard let adapter = fitting.first(where: \.isPowered) ?? fitting.first else {
            let list = adapters.map(\.name).joined(separator: ", ")
            return Finding(
                layer, false, adapters.isEmpty ? "bluetoothd has no adapter" : "bluetoothd only has \(list)",
                remedy: "name one that there is, or use RAVNING_ADAPTER=virtual")
        }
        return Finding(
            layer, adapter.isPowered, "\(adapter.name) is \(adapter.isPowered ? "on" : "off")",
            remedy: adapter.isPowered ? nil : switchingOn)
    }
}

/// Opens the adapter as a program would, and closes it again.
private func tryAdapter(_ choice: AdapterChoice) -> Finding {
    do throws(TransportError) {
        switch choice {
        case .virtual(let name):
            let isHosted = try RuntimeDirectory(.process).radios.contains(name)
            return Finding(
                "virtual:\(name.text)", true, isHosted ? "is hosted" : "will be hosted by the first program on it")
        case .auto:
            let survey = BlueZSurvey.take()
            if case .adapters(let adapters) = survey, !adapters.isEmpty { return tryBlueZ(nil) }
            try AutomaticOpener(withoutBlueZ: survey.absence).open().close()
        case .address(let address): try address.open().close()
        case .blueZ(let adapter): return tryBlueZ(adapter)
        }
        return Finding("adapter", true, "was opened and closed again")
    } catch {
        return Finding(error)
    }
}
