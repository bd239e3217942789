package import BLEWire

/// A call of ours that waits for its answer.
package struct CallNumber: Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A method call on the bus.
package struct DBusCall: Equatable, Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
    /// How long the answer is waited for.
    package var patience: Delay

    package init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        patience: Delay = .seconds(25)
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.patience = patience
    }
}

/// A signal that came, or that goes out (then without a sender).
package struct DBusSignal: Equatable, Sendable {
    /// The unique name of who sent it: the bus vouches for it.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(
        sender: String = "", _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A method call on an object of ours that waits for our answer.
package struct IncomingCall: Equatable, Sendable {
    package struct Number: Hashable, Comparable, Sendable {
        package var rawValue: UInt64
        package init(rawValue: UInt64) { self.rawValue = rawValue }
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
    package var number: Number
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(
        _ number: Number, sender: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [DBusValue] = []
    ) {
        self.number = number
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// An error on the bus: a name in the form of an interface's, and a text for people.
package struct DBusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var name: String
    package var message: String
    package init(_ name: String, _ message: String = "") {
        self.name = name
        self.message = message
    }

    package var description: String { message.isEmpty ? name : "\(name): \(message)" }
}
