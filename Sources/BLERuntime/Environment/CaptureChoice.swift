package import BLETransport

/// What `RAVNING_CAPTURE` asks to be written, by the end of the file's name.
package enum CaptureChoice: Hashable, Sendable {
    /// The HCI packets of this process.
    case hci(path: String)
    /// The air of the virtual radio that this process hosts.
    case air(path: String)

    package init(_ text: String) throws(TransportError) {
        if text.hasSuffix(".btsnoop") {
            self = .hci(path: text)
        } else if text.hasSuffix(".pcap") {
            self = .air(path: text)
        } else {
            throw TransportError(
                .unsupported, layer: "RAVNING_CAPTURE", cause: "\"\(text)\" doesn't say what to write",
                remedy: "end the file's name in .btsnoop (HCI) or .pcap (the air of a virtual radio)")
        }
    }
}
