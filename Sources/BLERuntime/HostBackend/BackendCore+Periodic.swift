import BLEBackend
import BLEHost
import BLEWire

/// A periodic advertising train that the host follows, or looks for, for one or more programs.
struct FollowedTrain {
    struct Follower: Equatable {
        var session: SessionID
        var id: FollowID
    }
    let token: OperationToken
    let request: FollowRequest
    var followers: [Follower]
    /// Once it is followed.
    var description: PeriodicTrainDescription?

    /// Whether it is what somebody else asks for; how often it is listened to, the first one has said.
    func serves(_ other: FollowRequest) -> Bool {
        guard request.peer == other.peer else { return false }
        return request.setIdentifier == other.setIdentifier || other.setIdentifier == nil
            || description.map { Int($0.setIdentifier) } == other.setIdentifier
    }
}

// Following periodic advertising: a train once for all sessions.
extension BackendCore {
    mutating func follow(_ id: FollowID, _ request: FollowRequest, in session: SessionID) {
        guard sessions[session]?.role == .central else { return }
        func refuse(_ error: BackendError) { emit(.periodic(id, .ended(error)), to: session) }
        guard state == .poweredOn else { return refuse(BackendError(following: .notPoweredOn)) }
        guard let address = store.address(of: request.peer) else {
            return refuse(BackendError(.unknownDevice, underlying: "this device has never heard \(request.peer)"))
        }
        if let fault = request.fault { return refuse(BackendError(following: .invalidParameters(fault))) }
        if let index = trains.firstIndex(where: { $0.serves(request) }) {
            trains[index].followers.append(.init(session: session, id: id))
            if let description = trains[index].description { emit(.periodic(id, .began(description)), to: session) }
            return
        }
        var settings = PeriodicSettings(address, setIdentifier: request.setIdentifier.map { UInt8(clamping: $0) })
        settings.skip = UInt16(clamping: request.skip)
        settings.timeout = request.timeout.map { UInt16(clamping: $0 / .milliseconds(10)) }
        let token = token()
        trains.append(
            FollowedTrain(token: token, request: request, followers: [.init(session: session, id: id)]))
        ask(.followPeriodic(token, settings))
    }

    mutating func stopFollowing(_ id: FollowID, in session: SessionID) {
        dropFollowers { $0 == .init(session: session, id: id) }
    }

    /// The session is gone.
    mutating func stopFollowing(in session: SessionID) {
        dropFollowers { $0.session == session }
    }

    private mutating func dropFollowers(where isGone: (FollowedTrain.Follower) -> Bool) {
        for index in trains.indices.reversed() {
            trains[index].followers.removeAll(where: isGone)
            if trains[index].followers.isEmpty { ask(.stopFollowing(trains.remove(at: index).token)) }
        }
    }

    mutating func periodicEvent(_ event: PeriodicEvent, of token: OperationToken) {
        // Not of one that nobody follows any more.
        guard let index = trains.firstIndex(where: { $0.token == token }) else { return }
        switch event {
        case .established(let info):
            let description = PeriodicTrainDescription(
                setIdentifier: info.setIdentifier, interval: .periodic(info.interval), phy: info.phy)
            trains[index].description = description
            tell(.began(description), to: trains[index])
        case .report(let report):
            tell(
                .report(
                    data: report.data, isCut: report.isCut, rssi: report.rssi.known,
                    transmitPower: report.transmitPower.known), to: trains[index])
        case .failed(let error), .ended(let error):
            tell(.ended(BackendError(following: error)), to: trains.remove(at: index))
        case .lost:
            let error = BackendError(.connectionTimeout, underlying: "the train wasn't heard for its time-out")
            tell(.ended(error), to: trains.remove(at: index))
        }
    }

    /// The radio is off or was reset, and knows of no train any more.
    mutating func endTrains(_ error: BackendError) {
        for train in trains { tell(.ended(error), to: train) }
        trains = []
    }

    private mutating func tell(_ event: FollowEvent, to train: FollowedTrain) {
        for follower in train.followers { emit(.periodic(follower.id, event), to: follower.session) }
    }
}

extension FollowRequest {
    /// What no command could say. What the specification doesn't allow beyond that, the host refuses.
    fileprivate var fault: String? {
        if let setIdentifier, UInt8(exactly: setIdentifier) == nil { return "an Advertising SID of \(setIdentifier)" }
        if UInt16(exactly: skip) == nil { return "\(skip) events to be left out" }
        return nil
    }
}

extension BackendError {
    /// Why a train isn't followed.
    init(following error: HostError) {
        let cause: Cause =
            switch error {
            case .unsupported, .hci(.unsupportedFeature), .hci(.unknownCommand): .operationNotSupported
            case .invalidParameters, .hci(.invalidParameters): .invalidParameters
            case .hci(.memoryCapacityExceeded), .hci(.limitReached): .outOfSpace
            case .notPoweredOn, .transport, .commandTimeout, .hci(.hardwareFailure): .notConnected
            case .cancelled: .operationCancelled
            default: .connectionFailed
            }
        self.init(cause, underlying: error.text)
    }
}

extension Delay {
    /// A periodic advertising interval, told in units of 1.25 ms.
    static func periodic(_ units: UInt16) -> Delay { .microseconds(Int64(units) * 1250) }
}

extension Int8 {
    /// dBm; 127 stands for what isn't known. [Vol 4, Part E, 7.7.65.15]
    fileprivate var known: Int8? { self == 127 ? nil : self }
}
