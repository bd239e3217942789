internal import BLEBackend
internal import BLERuntime
internal import Foundation

/// What a manager with a restore identifier has running, kept for the next run of the program. [contract 3, 124]
///
/// *Role*: holds the state of one manager and saves it at each change, so that a program may be killed at any moment;
/// hands out what the run before left. A manager that goes in an orderly way takes its state with it.
///
/// *Limits*: links end with the process, so what was connected comes back as being connected.
final class Restoration<State: RestorableState>: Sendable {
    private let key: RestorationKey
    private let device: Device
    private var store: any RestorationStore { device.restoration }
    private let state: Guarded<State>
    private let left: Guarded<State?>

    /// nil without an identifier.
    init?(_ role: SessionRole, _ identifier: Any?, _ device: Device) {
        guard let identifier = identifier as? String else { return nil }
        key = RestorationKey(role: role, identifier: identifier)
        self.device = device
        var found: State?
        let store = device.restoration
        if let octets = store.load(key) {
            do {
                found = try JSONDecoder().decode(State.self, from: Data(octets))
            } catch {
                store.setAside(key, because: "is damaged: \(Self.text(error))")
            }
            if let version = found?.version, version != State.currentVersion {
                store.setAside(key, because: "is of version \(version), not \(State.currentVersion)")
                found = nil
            }
        }
        left = Guarded(found.flatMap { $0.isEmpty ? nil : $0 })
        state = Guarded(State())
    }

    /// What the run before left, once; what was to be restored is the new state.
    func take() -> State? {
        let found = left.take()
        if let found { state.withLock { $0 = found } }
        return found
    }

    /// Changes the state and saves it.
    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let old = state
            body(&state)
            if state != old { save(state) }
        }
    }

    /// The manager goes in an orderly way: nothing is to come back.
    func end() {
        if !device.isProgramEnded { store.save(nil, for: key) }
    }

    private func save(_ state: State) {
        // A killed program's last will is what it was at that moment.
        guard !device.isProgramEnded else { return }
        guard !state.isEmpty else { return store.save(nil, for: key) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(state) else { return }
        store.save(data.octets, for: key)
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }
}

/// The state of a manager as it is kept.
protocol RestorableState: Codable, Equatable {
    static var currentVersion: Int { get }
    /// How the state is written.
    var version: Int { get }
    /// Nothing runs.
    var isEmpty: Bool { get }
    init()
}
