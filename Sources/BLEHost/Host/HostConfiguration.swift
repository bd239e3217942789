package import BLEWire

/// What is set once about a host: who it is, what it asks for by itself, and what it lets others have.
///
/// *Limits*: values outside what the specification allows are brought to the nearest allowed one when they're used.
package struct HostConfiguration: Equatable, Sendable {
    /// The value of Device Name in the GAP service. [Vol 3, Part C, 12.1]
    package var deviceName = "Ravning"
    /// The value of Appearance in the GAP service. [Vol 3, Part C, 12.2]
    package var appearance: UInt16 = 0
    /// The ATT_MTU that this host names in an MTU exchange, 23 to 517. [Vol 3, Part F, 3.4.2]
    package var preferredMTU = 517
    package var ownAddress = OwnAddressPolicy.publicOrStatic
    /// What is asked for by itself on a new link as central, and as peripheral.
    package var asCentral = LinkPolicy.central
    package var asPeripheral = LinkPolicy.peripheral
    /// What a peripheral may have when it asks for connection parameters.
    package var acceptedParameters = ParameterPolicy.phone
    package var advertising = AdvertisingPolicy()
    package var scanning = ScanningPolicy()
    package var connecting = ConnectingPolicy()
    package var following = FollowingPolicy()
    package var controller = ControllerPolicy()
    /// L2CAP PDUs that may wait for the controller on one link. What a user sends beyond is refused; a link whose peer
    /// makes us exceed it by four times is ended.
    package var linkQueueLimit = 1024
    /// How this host pairs; may be changed later by a command.
    package var pairing = PairingPolicy()
    /// The key that resolves this host's private addresses, for its bonded peers; 0 = it uses none.
    /// [Vol 3, Part H, 2.4.2.1]
    package var identityResolvingKey: Key128 = 0
    package var privacy = PrivacyPolicy()
    /// How each link's ATT and GATT behave; `receiveMTU` is `preferredMTU`.
    package var gatt = GATTConfiguration()
    /// What the server publishes besides the user's services; name and appearance are those above.
    package var server = GATTServerConfiguration()
    /// How LE credit based channels behave.
    package var channels = ChannelConfiguration()

    package init() {}
}

/// Which address a host uses for advertising, scanning and connecting. [Vol 6, Part B, 1.3]
package enum OwnAddressPolicy: Equatable, Sendable {
    /// The controller's public address; without one, a random static address made once in the life of the machine.
    case publicOrStatic
    /// This random static address. Its two top bits are set if they aren't. [Vol 6, Part B, 1.3.2.1]
    case staticRandom(UInt64)
}

/// What a host asks for by itself once a link is there.
package struct LinkPolicy: Equatable, Sendable {
    /// The longest packets that the controller can send. [Vol 4, Part E, 7.8.33] Where either role asks for them, the
    /// controller also offers them when peers ask. [Vol 4, Part E, 7.8.35]
    package var requestsDataLength: Bool
    /// The PHYs preferred, if the controller has them; nil = asks for nothing. [Vol 4, Part E, 7.8.49]
    package var preferredPHYs: PHYSet?
    /// Exchange of the ATT_MTU. [Vol 3, Part F, 3.4.2]
    package var exchangesMTU: Bool

    package init(requestsDataLength: Bool, preferredPHYs: PHYSet?, exchangesMTU: Bool) {
        self.requestsDataLength = requestsDataLength
        self.preferredPHYs = preferredPHYs
        self.exchangesMTU = exchangesMTU
    }

    /// As a phone does.
    package static let central = LinkPolicy(requestsDataLength: true, preferredPHYs: .le2M, exchangesMTU: true)
    /// The central asks.
    package static let peripheral = LinkPolicy(requestsDataLength: false, preferredPHYs: nil, exchangesMTU: false)
    /// Nothing by itself: a test decides.
    package static let none = LinkPolicy(requestsDataLength: false, preferredPHYs: nil, exchangesMTU: false)
}

/// How a host advertises beyond what the command says.
package struct AdvertisingPolicy: Equatable, Sendable {
    /// A connection ends connectable advertising [Vol 4, Part E, 7.8.9]; whether it is started again as soon as the
    /// controller lets it, which may be when a link has ended.
    package var continuesAfterConnection = true
    /// Whether data that legacy PDUs don't hold is advertised with extended ones, which older scanners don't hear. Without
    /// it, or with a controller that doesn't have them, such data is refused.
    package var usesExtendedPDUs = false
    package init() {}
}

/// How a host scans beyond what the command says.
package struct ScanningPolicy: Equatable, Sendable {
    /// Whether it listens on the Coded PHY too, where the controller has it. That takes a quarter of the time from 1M, where
    /// nearly everything advertises; phones don't.
    package var listensOnCoded = false
    package init() {}
}

/// How pending connections are served.
package struct ConnectingPolicy: Equatable, Sendable {
    /// Further attempts after Connection Failed to be Established (0x3E), each a supervision time-out after the one
    /// before. [Vol 1, Part F, 2.59]
    package var establishmentRetries = 3
    /// Further attempts after Command Disallowed (0x0C).
    package var disallowedRetries = 3
    /// Time between those.
    package var disallowedPause = Delay.milliseconds(100)
    /// How long one attempt lasts where attempts with different settings, or more than the Filter Accept List holds,
    /// take turns, and where the controller can't scan and initiate at a time.
    package var initiatingTurn = Delay.seconds(2)
    /// How long the scan lasts in between where the controller can't scan and initiate at a time.
    package var scanningTurn = Delay.seconds(2)
    /// Whether the Filter Accept List may be used for several pending connections. [Vol 6, Part B, 4.3.1]
    package var usesFilterAcceptList = true
    package init() {}
}

/// How periodic advertisers are looked for.
package struct FollowingPolicy: Equatable, Sendable {
    /// Further attempts after a train whose advertiser was heard wasn't found (0x3E).
    package var establishmentRetries = 3
    /// How long the controller looks for one train where others wait.
    package var turn = Delay.seconds(5)
    package init() {}
}

/// How patient a host is with its controller.
package struct ControllerPolicy: Equatable, Sendable {
    /// How long a command may be without an answer, or without a credit to be sent.
    package var commandTimeout = Delay.seconds(2)
    /// Whether the extended commands of advertising, scanning and connecting are used where the controller has them.
    package var usesExtendedCommands = true
    /// How often HCI_Reset is tried before the controller is given up.
    package var resetAttempts = 5
    /// How long links may take to end when the host is powered off.
    package var powerOffTimeout = Delay.seconds(2)
    /// How long a peer may take to answer an L2CAP signalling request. [Vol 3, Part A, 6.2.1]
    package var signallingTimeout = Delay.seconds(30)
    package init() {}
}
