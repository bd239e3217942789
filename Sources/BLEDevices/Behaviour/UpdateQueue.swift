/// Values that wait for room in a peripheral manager's queue.
///
/// *Limits*: of a course only the newest value waits, since an old one is of no use to anybody; of the others so many as
/// there is room for, and `push` says when there's none.
package struct UpdateQueue: Sendable {
    package static let limit = 4096
    package struct Update: Equatable, Sendable {
        package let characteristic: AttributeIndex
        package let octets: [UInt8]
        let isOfCourse: Bool
    }
    private var waiting: [Update] = []

    package init() {}
    package var first: Update? { waiting.first }
    package var isEmpty: Bool { waiting.isEmpty }

    /// False: it is dropped, since too many wait.
    @discardableResult
    package mutating func push(_ characteristic: AttributeIndex, _ octets: [UInt8], isOfCourse: Bool) -> Bool {
        if isOfCourse { waiting.removeAll { $0.isOfCourse && $0.characteristic == characteristic } }
        guard waiting.count < Self.limit else { return false }
        waiting.append(Update(characteristic: characteristic, octets: octets, isOfCourse: isOfCourse))
        return true
    }

    package mutating func removeFirst() { waiting.removeFirst() }

    /// Nobody waits for the values of this one any more.
    package mutating func forget(_ characteristic: AttributeIndex) {
        waiting.removeAll { $0.characteristic == characteristic }
    }

    package mutating func removeAll() { waiting.removeAll() }
}
