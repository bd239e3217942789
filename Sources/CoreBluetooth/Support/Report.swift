internal import BLEBackend
internal import BLEWire

/// How the facade speaks to the person who wrote the program.
enum Report {
    /// What Apple's framework only logs: the command is ignored. The texts are Apple's. [contract 5, 6, 33, 64, 123]
    static func misuse(_ message: @autoclosure () -> String) {
        Diagnostics.log(.error, "api", "API MISUSE: \(message())")
    }

    /// Allowed, but hardly meant. [contract 67, 78, 110]
    static func warning(_ message: @autoclosure () -> String) {
        Diagnostics.log(.warning, "api", "WARNING: \(message())")
    }

    /// What raises an exception in Apple's framework: the reason is logged, then the program ends.
    /// [contract 82, 87, 90, 92, 125]
    static func exception(_ reason: String) -> Never {
        Diagnostics.emit(TraceEvent(.critical, "api", reason))
        fatalError(reason)
    }

    /// `<CBPeripheral: 0x7f…>`, as Objective-C prints an object.
    static func reference(_ object: AnyObject) -> String {
        "<\(typeName(object)): \(address(object))>"
    }

    /// The name of the object's class without its module.
    static func typeName(_ object: AnyObject) -> String { String(describing: type(of: object)) }

    /// `0x` and the object's address.
    static func address(_ object: AnyObject) -> String {
        "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    }
}
