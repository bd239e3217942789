import BLELocking
package import BLEWire
import Dispatch

/// What BlueZ has at this moment, for who must know before a backend is made.
package enum BlueZSurvey: Equatable, Sendable {
    case adapters([Adapter])
    /// BlueZ can't be used, and why.
    case unavailable(String)

    package struct Adapter: Equatable, Sendable {
        /// `hci0`
        package var name: String
        package var address: String
        package var isPowered: Bool
        /// Whether services and advertisements of ours can be published on it.
        package var takesServices: Bool
        package var takesAdvertisements: Bool

        package init(
            name: String, address: String, isPowered: Bool, takesServices: Bool, takesAdvertisements: Bool
        ) {
            self.name = name
            self.address = address
            self.isPowered = isPowered
            self.takesServices = takesServices
            self.takesAdvertisements = takesAdvertisements
        }
    }

    /// The adapters among BlueZ's objects, by their names.
    package init(_ objects: ObjectTree) {
        self = .adapters(
            objects.paths(with: BlueZName.adapter).compactMap { path in
                guard let properties = objects[path, BlueZName.adapter],
                    let name = path.split(separator: "/").last
                else { return nil }
                return Adapter(
                    name: String(name), address: properties["Address"]?.text ?? "",
                    isPowered: properties["Powered"]?.flag ?? false,
                    takesServices: objects[path, BlueZName.gattManager] != nil,
                    takesAdvertisements: objects[path, BlueZName.advertisingManager] != nil)
            })
    }

    /// Asks bluetoothd if it runs, and doesn't start it. Waits for the bus, `patience` at most.
    package static func take(address: String? = nil, patience: Delay = .seconds(3)) -> BlueZSurvey {
        #if BlueZ
            SurveyTaker(address: address).take(patience)
        #else
            .unavailable("this build is without BlueZ (the package's trait)")
        #endif
    }
}

#if BlueZ
    /// Asks for the owner of BlueZ's name, then for its objects.
    private final class SurveyTaker: SdBusClient, @unchecked Sendable {
        private let address: String?
        private let queue = DispatchQueue(label: "ravning bluez survey")
        private let finished = DispatchSemaphore(value: 0)
        private let result = Locked<BlueZSurvey?>(nil)
        private var bus: SdBus?

        init(address: String?) { self.address = address }

        func take(_ patience: Delay) -> BlueZSurvey {
            queue.async { [self] in start() }
            let isInTime = finished.wait(timeout: .now() + .nanoseconds(Int(patience.nanoseconds))) == .success
            queue.sync {
                bus?.close()
                bus = nil
            }
            guard isInTime, let result = result.withLock({ $0 }) else {
                return .unavailable("the system bus doesn't answer")
            }
            return result
        }

        private func start() {
            do throws(DBusFailure) {
                let bus = try SdBus(address: address, queue: queue, client: self)
                self.bus = bus
                try bus.send(
                    CallNumber(rawValue: 1),
                    DBusCall(
                        DBusName.bus, DBusName.busPath, DBusName.bus, "GetNameOwner", [.string(BlueZName.service)]))
            } catch {
                end(.unavailable("the system bus can't be reached: \(error.message)"))
            }
        }

        private func end(_ survey: BlueZSurvey) {
            let isFirst = result.withLock { result in
                defer { result = result ?? survey }
                return result == nil
            }
            if isFirst { finished.signal() }
        }

        func received(_ signal: DBusSignal) {}
        func received(_ call: IncomingCall) { bus?.answer(call.number, .unknownMethod(call)) }
        func busClosed(_ failure: DBusFailure) {
            bus = nil
            end(.unavailable("the system bus can't be reached: \(failure.message)"))
        }

        func received(_ result: Result<[DBusValue], DBusFailure>, of call: CallNumber) {
            switch (call.rawValue, result) {
            case (1, .success): askObjects()
            case (1, .failure): end(.unavailable("bluetoothd doesn't run"))
            case (_, .success(let values)):
                let objects = values.first.flatMap(ObjectTree.init(managedObjects:))
                end(objects.map(BlueZSurvey.init) ?? .unavailable("BlueZ's objects can't be read"))
            case (_, .failure(let failure)): end(.unavailable("BlueZ doesn't answer: \(failure)"))
            }
        }

        private func askObjects() {
            do throws(DBusFailure) {
                try bus?.send(
                    CallNumber(rawValue: 2),
                    DBusCall(BlueZName.service, "/", DBusName.objectManager, "GetManagedObjects"))
            } catch {
                end(.unavailable(error.message))
            }
        }
    }
#endif
