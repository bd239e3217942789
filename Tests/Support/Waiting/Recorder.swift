import Dispatch
import BLELocking

/// Collects what happens on other threads, so that a test can wait for it with a deadline instead of sleeping.
package final class Recorder<Element: Sendable>: Sendable {
    /// Nothing of what was waited for came in time; what came instead is in the description.
    package struct TimedOut: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Waiter {
        let id: Int
        let isMatch: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<[Element], any Error>
    }
    private struct State {
        var elements: [Element] = []
        var waiters: [Waiter] = []
        var nextID = 0
    }
    private let state = Locked(State())

    package init() {}

    /// Everything that has come so far.
    package var all: [Element] { state.withLock { $0.elements } }

    package func record(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.waiters.filter { $0.isMatch(elements) }
            state.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return ready.map { ($0.continuation, elements) }
        }
        for (continuation, elements) in ready { continuation.resume(returning: elements) }
    }

    /// Waits until what has come so far fulfils the condition; gives it.
    @discardableResult
    package func wait(
        within seconds: Int = 60, until isMatch: @escaping @Sendable ([Element]) -> Bool
    ) async throws -> [Element] {
        try await withCheckedThrowingContinuation { continuation in
            let id: Int? = state.withLock { state in
                if isMatch(state.elements) { return nil }
                state.nextID += 1
                state.waiters.append(Waiter(id: state.nextID, isMatch: isMatch, continuation: continuation))
                return state.nextID
            }
            guard let id else { return continuation.resume(returning: all) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in expire(id) }
        }
    }

    /// Waits for the first element that fulfils the condition.
    @discardableResult
    package func first(
        within seconds: Int = 60, where isWanted: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let elements = try await wait(within: seconds) { $0.contains(where: isWanted) }
        guard let element = elements.first(where: isWanted) else { throw timedOut() }
        return element
    }

    private func expire(_ id: Int) {
        let waiter = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            return index.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: timedOut())
    }

    private func timedOut() -> TimedOut {
        let elements = all
        return TimedOut(description: "waited in vain; \(elements.count) came: \(elements.suffix(20))")
    }
}

extension Recorder where Element: Equatable {
    /// Waits until the element has come.
    package func contains(_ element: Element, within seconds: Int = 60) async throws {
        try await first(within: seconds) { $0 == element }
    }
}
