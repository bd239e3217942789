package import BLEBlueZ
import BLELocking
import Dispatch
import Glibc

/// A message bus of a test's own, by a dbus-daemon that ends with it.
package final class PrivateBus: Sendable {
    package let address: String
    private let folder = TemporaryFolder()
    private let daemon: ChildProcess

    package init() async throws {
        let path = folder.path + "/bus.conf"
        let socket = folder.path + "/bus"
        let text = """
            <busconfig><type>session</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow eavesdrop="false"/><allow own="*"/></policy>
            </busconfig>
            """
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        _ = write(file, text, text.utf8.count)
        close(file)
        address = "unix:path=\(socket)"
        daemon = try ChildProcess(
            "/usr/bin/dbus-daemon", ["--config-file=\(path)", "--nofork", "--print-address=1"],
            environment: ["PATH": "/usr/bin:/bin"])
        try await daemon.lines.first { $0.contains("unix:path=") }
    }
}

#if BlueZ
    /// A `FakeBlueZ` on a bus, under BlueZ's name.
    package final class BusFake: SdBusClient, @unchecked Sendable {
        private let queue = DispatchQueue(label: "fake bluetoothd", qos: .userInitiated)
        private var daemon: FakeBlueZ
        private var bus: SdBus?
        private var client = ""
        /// Paths of the client's objects that calls of ours are about.
        private var asked: [CallNumber: String] = [:]
        private var callers: [CallNumber: IncomingCall.Number] = [:]
        private var nextNumber: UInt64 = 1
        /// Methods that were called, in order.
        package let called = Recorder<String>()
        /// What came by sockets that the client has handed over.
        package let received = Recorder<[UInt8]>()
        /// Answers to calls that a test has made on the client's objects.
        package let answers = Recorder<Result<[DBusValue], DBusFailure>>()

        package init(_ daemon: FakeBlueZ = FakeBlueZ()) { self.daemon = daemon }

        package func start(on address: String) throws {
            try queue.sync {
                let bus = try SdBus(address: address, queue: queue, client: self) { [received] event in
                    if case .received(_, let octets) = event { received.record(octets) }
                }
                try bus.requestName(BlueZName.service)
                self.bus = bus
            }
        }

        /// As if bluetoothd were killed.
        package func stop() {
            queue.sync {
                bus?.close()
                bus = nil
            }
        }

        package func does(_ body: @escaping @Sendable (inout FakeBlueZ) -> Void) {
            queue.async { [self] in
                body(&daemon)
                carryEffects()
            }
        }

        /// Calls an object of the client.
        package func call(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
            queue.async { [self] in send(path, interface, member, arguments) }
        }

        /// What of the client's objects is registered.
        package var registered: [String] { queue.sync { daemon.registered } }

        package func received(_ call: IncomingCall) {
            client = call.sender
            let number = CallNumber(rawValue: nextNumber)
            nextNumber += 1
            callers[number] = call.number
            daemon.receive(
                number, DBusCall(BlueZName.service, call.path, call.interface, call.member, call.arguments))
            carryEffects()
            called.record(call.member)
        }

        package func received(_ result: Result<[DBusValue], DBusFailure>, of call: CallNumber) {
            if let path = asked.removeValue(forKey: call) { daemon.answered(path, result) }
            answers.record(result)
            carryEffects()
        }

        package func received(_ signal: DBusSignal) {}
        package func busClosed(_ failure: DBusFailure) { bus = nil }

        private func carryEffects() {
            let effects = daemon.effects
            daemon.effects = []
            for effect in effects {
                switch effect {
                case .answer(let number, let result):
                    if let caller = callers.removeValue(forKey: number) { bus?.answer(caller, result) }
                case .signal(let signal): try? bus?.send(signal)
                case .call(let path, let interface, let member, let arguments):
                    asked[CallNumber(rawValue: nextNumber)] = path
                    send(path, interface, member, arguments)
                }
            }
        }

        private func send(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
            let number = CallNumber(rawValue: nextNumber)
            nextNumber += 1
            try? bus?.send(number, DBusCall(client, path, interface, member, arguments))
        }
    }
#endif
