/// What the link layer of a device is doing; several state machines may run at once, none is Standby.
/// [Vol 6, Part B, 1.1]
package struct LinkLayerState: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let standby: LinkLayerState = []
    package static let advertising = LinkLayerState(rawValue: 1 << 0)
    package static let scanning = LinkLayerState(rawValue: 1 << 1)
    package static let initiating = LinkLayerState(rawValue: 1 << 2)
    /// At least one link in the Connection state, Central role.
    package static let connectedAsCentral = LinkLayerState(rawValue: 1 << 3)
    /// At least one link in the Connection state, Peripheral role.
    package static let connectedAsPeripheral = LinkLayerState(rawValue: 1 << 4)

    package var description: String {
        let names: [(LinkLayerState, String)] = [
            (.advertising, "advertising"), (.scanning, "scanning"), (.initiating, "initiating"),
            (.connectedAsCentral, "connected as central"), (.connectedAsPeripheral, "connected as peripheral"),
        ]
        let set = names.filter { contains($0.0) }.map(\.1)
        return set.isEmpty ? "standby" : set.joined(separator: ", ")
    }
}
