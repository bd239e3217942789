package import BLETransport
import Glibc

/// Finds an adapter by itself where BlueZ has none: `RAVNING_ADAPTER=auto`, and what happens without the variable.
///
/// *Limits*: takes only an adapter that is down and that nobody has; one in use is left alone. Never falls to the virtual
/// radio: a program that is to use it says so.
package struct AutomaticOpener: TransportOpener {
    private let classFolder: String
    private let withoutBlueZ: String
    private let openAdapter: @Sendable (UInt16) throws(TransportError) -> any HCITransport

    /// - Parameter withoutBlueZ: why it isn't BlueZ's adapter that is used.
    package init(
        withoutBlueZ: String, classFolder: String = "/sys/class/bluetooth",
        openAdapter: @escaping @Sendable (UInt16) throws(TransportError) -> any HCITransport = {
            number throws(TransportError) in try TransportAddress.hci(number).open()
        }
    ) {
        self.withoutBlueZ = withoutBlueZ
        self.classFolder = classFolder
        self.openAdapter = openAdapter
    }

    package let name = "auto"
    package let reconnect = ReconnectPolicy.adapter

    package func open() throws(TransportError) -> any HCITransport {
        var tried = [withoutBlueZ]
        var isUnauthorized = false
        let adapters = self.adapters
        if adapters.isEmpty { tried.append("the kernel has no Bluetooth adapter") }
        for number in adapters {
            do throws(TransportError) {
                return try openAdapter(number)
            } catch {
                tried.append("hci\(number): \(error.cause)")
                if error.kind == .unauthorized { isUnauthorized = true }
            }
        }
        throw TransportError(
            isUnauthorized ? .unauthorized : .unsupported, layer: "auto",
            cause: "no Bluetooth adapter can be used (\(tried.joined(separator: "; ")))",
            remedy: "set RAVNING_ADAPTER=virtual, which needs no hardware, or name an adapter")
    }

    /// The kernel's adapters, lowest number first.
    private var adapters: [UInt16] { Self.adapters(in: classFolder) }

    package static func adapters(in classFolder: String = "/sys/class/bluetooth") -> [UInt16] {
        // Links of an adapter are there as `hci0:1`.
        numberedEntries(of: classFolder, prefix: "hci").compactMap(UInt16.init(exactly:))
    }
}

/// Stands for an adapter that can't be: opening it says why.
package struct ImpossibleOpener: TransportOpener {
    private let error: TransportError
    package init(_ error: TransportError) { self.error = error }
    package var name: String { error.layer }
    package let reconnect = ReconnectPolicy.adapter
    package func open() throws(TransportError) -> any HCITransport { throw error }
}
