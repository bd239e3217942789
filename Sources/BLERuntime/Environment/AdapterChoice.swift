package import BLETransport

/// Which radio a process uses, as `RAVNING_ADAPTER` says. [architecture 7]
package enum AdapterChoice: Hashable, Sendable {
    /// BlueZ, else the first adapter that is free.
    case auto
    case virtual(RadioName)
    case address(TransportAddress)
    /// BlueZ's adapter hciN, or its default one.
    case blueZ(String?)

    package init(_ text: String) throws(TransportError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first ?? "", parts.count) {
        case ("auto", 1): self = .auto
        case ("virtual", 1): self = .virtual(.standard)
        case ("virtual", _): self = .virtual(try RadioName(parts[1], in: "RAVNING_ADAPTER=virtual:NAME"))
        case ("bluez", 1): self = .blueZ(nil)
        case ("bluez", _): self = .blueZ(parts[1])
        default: self = .address(try TransportAddress(text))
        }
    }
}
