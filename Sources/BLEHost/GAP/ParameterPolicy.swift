/// Which connection parameters a central grants when a peripheral asks. [Vol 3, Part A, 4.20]
package struct ParameterPolicy: Equatable, Sendable {
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16
    package var intervalMaximum: UInt16
    package var latencyMaximum: UInt16
    /// Units of 10 ms.
    package var timeoutMinimum: UInt16
    package var timeoutMaximum: UInt16
    /// Milliseconds that a peripheral may stay silent: interval × (latency + 1).
    package var silenceMaximum: Int

    package init(
        intervalMinimum: UInt16, intervalMaximum: UInt16, latencyMaximum: UInt16, timeoutMinimum: UInt16,
        timeoutMaximum: UInt16, silenceMaximum: Int
    ) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latencyMaximum = latencyMaximum
        self.timeoutMinimum = timeoutMinimum
        self.timeoutMaximum = timeoutMaximum
        self.silenceMaximum = silenceMaximum
    }

    /// Whatever the specification allows.
    package static let any = ParameterPolicy(
        intervalMinimum: 6, intervalMaximum: 3200, latencyMaximum: 499, timeoutMinimum: 10, timeoutMaximum: 3200,
        silenceMaximum: 32_000)
    /// About what a phone grants an accessory: 15 ms at least, silence of 6 s and a time-out of 18 s at most.
    package static let phone = ParameterPolicy(
        intervalMinimum: 12, intervalMaximum: 1600, latencyMaximum: 30, timeoutMinimum: 200, timeoutMaximum: 1800,
        silenceMaximum: 6_000)

    /// Whether the parameters are granted as they are.
    package func accepts(_ asked: ConnectionParameters) -> Bool {
        guard asked.isValid else { return false }
        return asked.intervalMaximum >= intervalMinimum && asked.intervalMinimum <= intervalMaximum
            && asked.intervalMaximum <= intervalMaximum && asked.latency <= latencyMaximum
            && (timeoutMinimum...timeoutMaximum).contains(asked.supervisionTimeout)
            && Int(asked.intervalMaximum) * 5 / 4 * (Int(asked.latency) + 1) <= silenceMaximum
    }

    /// The parameters with the lowest interval that is granted.
    package func granted(_ asked: ConnectionParameters) -> ConnectionParameters {
        var parameters = asked
        parameters.intervalMinimum = max(asked.intervalMinimum, intervalMinimum)
        return parameters
    }
}

extension ConnectionParameters {
    /// Whether they keep the limits: each value's range, minimum not above maximum, and a supervision time-out longer
    /// than twice the time that a peripheral may stay silent. [Vol 4, Part E, 7.8.18]
    package var isValid: Bool {
        guard (6...3200).contains(intervalMinimum), (6...3200).contains(intervalMaximum),
            intervalMinimum <= intervalMaximum, latency <= 499, (10...3200).contains(supervisionTimeout)
        else { return false }
        // In units of 1.25 ms: time-out × 8 > (1 + latency) × interval × 2.
        return Int(supervisionTimeout) * 8 > (1 + Int(latency)) * Int(intervalMaximum) * 2
    }
}
