package import BLEBackend
import BLELocking

/// A Bluetooth device that managers attach to: a backend and how its callbacks reach the program.
///
/// On a phone there is one; here it is the process's (from `RAVNING_ADAPTER`), or one of a world's.
package final class Device: Sendable {
    package let backend: any Backend
    package let delivery: any Delivery
    /// What managers with a restore identifier left for the next run of the program.
    package let restoration: any RestorationStore
    private let program = Locked(Program())

    private struct Program {
        var sessions: [SessionID] = []
        var isEnded = false
    }

    package init(
        backend: any Backend, delivery: any Delivery, restoration: any RestorationStore = MemoryRestorationStore()
    ) {
        self.backend = backend
        self.delivery = delivery
        self.restoration = restoration
    }

    /// Opens a session of the program; nil once that has ended.
    package func openSession(_ role: SessionRole, sink: any BackendSink) -> SessionID? {
        program.withLock { program in
            guard !program.isEnded else { return nil }
            let id = backend.openSession(role, sink: sink)
            program.sessions.append(id)
            return id
        }
    }

    package func closeSession(_ session: SessionID) {
        program.withLock { $0.sessions.removeAll { $0 == session } }
        backend.closeSession(session)
    }

    /// Whether the program on the device was ended: its managers neither hear nor do anything more.
    package var isProgramEnded: Bool { program.withLock { $0.isEnded } }

    /// Ends the program on the device as a kill does: its sessions end, what it left to be restored stays.
    package func endProgram() {
        let sessions = program.withLock { program in
            program.isEnded = true
            defer { program.sessions = [] }
            return program.sessions
        }
        for session in sessions { backend.closeSession(session) }
    }

    /// The device that a world's `phone.run { … }` attaches managers to.
    @TaskLocal package static var attached: Device?
}
