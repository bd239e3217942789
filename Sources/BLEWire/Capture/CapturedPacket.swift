/// One packet of a capture, whatever file it comes from.
package struct CapturedPacket: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// Between host and controller, with its H4 indicator.
        case hci([UInt8], BTSnoop.Record.Direction)
        /// On the air.
        case air(AirCapture)
    }

    /// Nanoseconds since 1 January 1970, as the writer's clock said.
    package var unixNanoseconds: Int64
    /// Which of the adapters, where the capture has several.
    package var adapter: UInt16
    package var content: Content
    /// Whether the writer has kept less than there was.
    package var isCut: Bool

    package init(unixNanoseconds: Int64, adapter: UInt16 = 0, content: Content, isCut: Bool = false) {
        self.unixNanoseconds = unixNanoseconds
        self.adapter = adapter
        self.content = content
        self.isCut = isCut
    }
}
