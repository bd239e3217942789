/// The commands of `ravning` that use a device. They are in an executable of their own, `ravning-client`, which `ravning`
/// becomes for them: so the others start without what only these need.
package enum ClientCommand: String, CaseIterable, Sendable {
    case scan, follow, explore, read, write, subscribe, info, rssi, pair, bonds, serve, convert, clone, `import`, run,
        replay, completion, manual

    /// The name of the executable, which lies beside `ravning`.
    package static let executable = "ravning-client"

    /// Whether it is to be told what commands `ravning` has besides.
    package var isAboutCommands: Bool { self == .completion || self == .manual }

    /// One sentence for the list of commands and for the command's own help.
    package var summary: String {
        switch self {
        case .scan: "Show the devices that advertise"
        case .follow: "Show the data of a device's periodic advertising"
        case .explore: "Show the services, characteristics and descriptors of a device"
        case .read: "Read a characteristic"
        case .write: "Write a characteristic"
        case .subscribe: "Show the values that a characteristic notifies or indicates"
        case .info: "Show what a device says about itself"
        case .rssi: "Show how strongly a connected device is received"
        case .pair: "Pair with a device"
        case .bonds: "List the devices that are paired, or remove one"
        case .serve: "Be the device that a file describes"
        case .convert: "Make a device file of what another tool wrote"
        case .clone: "Make a device file of a device"
        case .import: "Make device files of what a capture shows"
        case .run: "Do the steps of a script on one link"
        case .replay: "Do the steps of a script and show where the answers differ"
        case .completion: "Print what bash, zsh or fish completes these commands with"
        case .manual: "Print the manual page"
        }
    }
}
