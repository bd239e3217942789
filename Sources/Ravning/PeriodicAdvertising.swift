internal import BLEBackend
internal import BLELocking
internal import BLEWire
public import CoreBluetooth
public import Foundation

/// Is told what a periodic advertising train brings. All calls come on the manager's queue.
public protocol PeriodicAdvertisingDelegate: AnyObject {
    /// The train was found, and is followed from now on: its ``PeriodicAdvertising/interval`` and
    /// ``PeriodicAdvertising/phy`` are known.
    func periodicAdvertisingDidStart(_ advertising: PeriodicAdvertising)
    /// Data was received, the same as the time before or not.
    func periodicAdvertising(_ advertising: PeriodicAdvertising, didReceive report: PeriodicAdvertisingReport)
    /// The train wasn't found, or is lost: the last call. It may be followed anew.
    func periodicAdvertising(_ advertising: PeriodicAdvertising, didEndWith error: PeriodicAdvertisingError)
}

extension PeriodicAdvertisingDelegate {
    public func periodicAdvertisingDidStart(_ advertising: PeriodicAdvertising) {}
}

/// A periodic advertising train that a program follows: data that a device sends at fixed intervals to everybody who
/// listens, without a connection. [Vol 3, Part C, 9.5.4]
///
/// Core Bluetooth has no name for it. A scan tells which devices have a train, by ``intervalKey`` in `advertisementData`:
///
/// ```swift
/// func centralManager(_ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
///                     advertisementData: [String: Any], rssi RSSI: NSNumber) {
///     guard advertisementData[PeriodicAdvertising.intervalKey] != nil, train == nil else { return }
///     train = central.followPeriodicAdvertising(of: peripheral, delegate: self)
/// }
/// ```
///
/// The train is followed as long as the object is kept, its manager lives and is powered on. It needs an adapter with
/// extended scanning and periodic advertising, of Bluetooth 5.0 or later; what is missing,
/// ``PeriodicAdvertisingError/description`` says.
public final class PeriodicAdvertising: @unchecked Sendable {
    /// In `advertisementData`: the interval of the device's periodic advertising in seconds, an `NSNumber`. Only where
    /// the device has some, and the adapter tells of it. [Vol 4, Part E, 7.7.65.13]
    public static let intervalKey = AdvertisementData.periodicIntervalKey
    /// In `advertisementData`: the number of the advertising set with the train (Advertising SID), an `NSNumber` of 0
    /// to 15. [Vol 4, Part E, 7.7.65.13]
    public static let setKey = AdvertisementData.periodicSetKey

    /// The device that transmits.
    public let peripheral: CBPeripheral

    /// A PHY that a train is sent on.
    public enum PHY: String, Sendable {
        /// 1 Mbit/s
        case le1M = "1M"
        /// 2 Mbit/s
        case le2M = "2M"
        /// 500 or 125 kbit/s, far away
        case coded = "Coded"
    }

    private struct State {
        weak var delegate: (any PeriodicAdvertisingDelegate)?
        var train: PeriodicTrainDescription?
        var isFollowed = false
        var isEnded = false
        var end: (@Sendable () -> Void)?
    }
    private struct Content: @unchecked Sendable { var state: State }
    private let content: Locked<Content>

    init(peripheral: CBPeripheral, delegate: (any PeriodicAdvertisingDelegate)?) {
        self.peripheral = peripheral
        content = Locked(Content(state: State(delegate: delegate)))
    }

    /// Ends following, without a further call.
    deinit { stop() }

    private func withState<Result: Sendable>(_ body: (inout sending State) -> Result) -> Result {
        content.withLock { body(&$0.state) }
    }

    /// Whether the train was found and isn't lost.
    public var isFollowing: Bool { withState { $0.isFollowed } }
    /// Seconds from one event of the train to the next; nil until it was found. [Vol 4, Part E, 7.7.65.14]
    public var interval: TimeInterval? { withState { $0.train?.interval.seconds } }
    /// The PHY that the train is sent on; nil until it was found. [Vol 4, Part E, 7.7.65.14]
    public var phy: PHY? { withState { $0.train?.phy.flatMap(PHY.init) } }
    /// The number of the advertising set (Advertising SID), 0 to 15; nil until it was found.
    public var set: Int? { withState { $0.train.map { Int($0.setIdentifier) } } }

    /// Ends the search, or following. The delegate isn't called any more, but for a call that is under way.
    public func stop() {
        let end = withState { state in
            state.isFollowed = false
            state.isEnded = true
            return state.end.take()
        }
        end?()
    }

    /// What ends it was made.
    func started(_ end: @escaping @Sendable () -> Void) {
        let isEnded = withState { state in
            if !state.isEnded { state.end = end }
            return state.isEnded
        }
        if isEnded { end() }
    }

    func apply(_ event: FollowEvent) {
        let isEnded = withState { state in
            switch event {
            case .began(let train):
                state.train = train
                state.isFollowed = !state.isEnded
            case .report: break
            case .ended: state.isFollowed = false
            }
            return state.isEnded
        }
        guard !isEnded, let delegate = content.withLock({ Content(state: $0.state) }).state.delegate else { return }
        switch event {
        case .began: delegate.periodicAdvertisingDidStart(self)
        case .report(let data, let isCut, let rssi, let power):
            let report = PeriodicAdvertisingReport(
                data: Data(data), isComplete: !isCut, rssi: rssi.map(Int.init), txPower: power.map(Int.init))
            delegate.periodicAdvertising(self, didReceive: report)
        case .ended(let error):
            withState { $0.isEnded = true }
            delegate.periodicAdvertising(self, didEndWith: PeriodicAdvertisingError(error))
        }
    }
}

extension PeriodicAdvertising.PHY {
    fileprivate init?(_ phy: LEPHY) {
        switch phy {
        case .le1M: self = .le1M
        case .le2M: self = .le2M
        case .leCoded: self = .coded
        default: return nil
        }
    }
}

/// What one event of a periodic advertising train has brought. [Vol 4, Part E, 7.7.65.15]
public struct PeriodicAdvertisingReport: Equatable, Sendable {
    /// As on the air, AD structures by the rules: 0 to 1650 octets.
    public let data: Data
    /// False where the end of the data wasn't received.
    public let isComplete: Bool
    /// How strongly it was received, dBm; nil where the adapter doesn't say.
    public let rssi: Int?
    /// What the device says that it sends with, dBm; nil where it doesn't.
    public let txPower: Int?

    /// The fields of the data, under the keys that `didDiscover` has them under.
    public var advertisementData: [String: Any] { AdvertisementData.dictionary(ofStructures: Array(data)) }
}

/// Why a periodic advertising train isn't followed.
public struct PeriodicAdvertisingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: Sendable {
        /// The adapter can't, or the backend.
        case notSupported
        /// A set, a skip or a time-out that the specification doesn't allow.
        case invalidParameters
        /// The peripheral isn't one of the manager.
        case unknownPeripheral
        /// The manager isn't powered on, or is no more.
        case notPoweredOn
        /// The train wasn't heard for the time-out.
        case lost
        /// The device was heard, and its train couldn't be found, or the adapter follows too many.
        case failed
    }
    /// The kind of the reason.
    public let code: Code
    /// The layer and the cause, in one line.
    public let description: String
}

extension PeriodicAdvertisingError {
    fileprivate init(_ error: BackendError) {
        code =
            switch error.cause {
            case .operationNotSupported: .notSupported
            case .invalidParameters: .invalidParameters
            case .unknownDevice: .unknownPeripheral
            case .notConnected: .notPoweredOn
            case .connectionTimeout: .lost
            default: .failed
            }
        description = error.underlying ?? "\(error.cause)"
    }
}

extension CBCentralManager {
    /// Follows the periodic advertising of a peripheral, which needn't be connected or connectable. The search never times
    /// out, and needs no scan of the program's own.
    ///
    /// - Parameters:
    ///   - set: the number of the advertising set (Advertising SID), 0 to 15; nil = the first one that has a train.
    ///   - skip: how many events may be left out after one that was received, to save energy: 0 to 499.
    ///   - timeout: after how many seconds without an event the train is lost: 0.1 to 163.84; nil = six of the events that
    ///     aren't left out, and a second at least.
    ///   - delegate: is told what happens; held weakly.
    /// - Returns: what to keep: letting it go ends it.
    public func followPeriodicAdvertising(
        of peripheral: CBPeripheral, set: Int? = nil, skip: Int = 0, timeout: TimeInterval? = nil,
        delegate: any PeriodicAdvertisingDelegate
    ) -> PeriodicAdvertising {
        let advertising = PeriodicAdvertising(peripheral: peripheral, delegate: delegate)
        // What isn't allowed the host refuses, with its reason.
        let end = followPeriodic(
            peripheral, setIdentifier: set, skip: skip,
            timeout: timeout.map { $0 > 0 ? .microseconds(Int64(min($0, 1000) * 1e6)) : .zero }
        ) { [weak advertising] event in
            advertising?.apply(event)
        }
        advertising.started(end)
        return advertising
    }
}
