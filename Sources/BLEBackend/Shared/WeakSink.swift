/// A sink that is held as long as somebody else holds it.
package struct WeakSink: Sendable {
    package weak let sink: (any BackendSink)?
    package init(_ sink: any BackendSink) { self.sink = sink }
}
