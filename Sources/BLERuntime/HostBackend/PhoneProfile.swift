package import BLEHost
package import BLEWire

/// How the phone behaves that a device plays: what nothing in the API can set.
///
/// The defaults are about those of a current iPhone.
package struct PhoneProfile: Equatable, Sendable {
    /// The GAP Device Name that others read. [Vol 3, Part C, 12.1]
    package var deviceName = "Ravning"
    /// The GAP Appearance; 64 = generic phone. [Vol 3, Part C, 12.2]
    package var appearance: UInt16 = 64
    /// The ATT_MTU that is named in an exchange: as server the answer, as client the request. [Vol 3, Part F, 3.4.2]
    package var mtu = 517
    /// Whether the exchange is asked for after connecting as central. [contract 75]
    package var exchangesMTU = true
    /// Whether the longest packets are asked for after connecting as central. [Vol 4, Part E, 7.8.33]
    package var requestsDataLength = true
    /// PHYs asked for after connecting as central; nil = none. [Vol 4, Part E, 7.8.49]
    package var preferredPHYs: PHYSet? = .le2M
    /// Whether the GAP Device Name is read after connecting as central. [contract 37]
    package var readsDeviceName = true
    /// Whether Service Changed is subscribed to after connecting as central. [contract 65]
    package var followsServiceChanges = true
    /// Whether the databases of bonded peers are remembered from connection to connection. [Vol 3, Part G, 2.5.2]
    package var remembersDatabases = true

    /// How the phone pairs where no program stands for its person: as one whose user says yes.
    package var pairing = PhoneProfile.agreeingPairing

    /// Parameters of the links that are made as central.
    package var connection = ConnectionParameters()
    /// What peripherals may have when they ask for parameters.
    package var acceptedParameters = ParameterPolicy.phone
    /// What `setDesiredConnectionLatency` asks for: low, medium, high.
    package var latencies = LatencyParameters()

    package var scan = ScanSettings()
    /// Units of 0.625 ms.
    package var advertisingInterval: UInt16 = 160
    /// Octets of AD structures, headers included, beside the flags. [contract 112]
    package var advertisementRoom = 28
    /// Octets of the name that may go to the scan response, header not included. [contract 112]
    package var scanResponseNameRoom = 10
    /// Whether services that don't fit are hashed into the overflow area. Not on the air that phones hear: the hash is
    /// ours, and they would find services there that nobody has. [contract 113]
    package var usesOverflowArea = true
    /// Whether advertising goes on after a central has connected, as far as the controller has links.
    package var advertisesWhileConnected = true

    /// Writes without response that may wait for the controller, for each link. [contract 77]
    package var writeQueueDepth = 20
    /// Updates that may wait for the controller, for each peripheral manager. [contract 104]
    package var updateQueueDepth = 20

    /// How L2CAP channels behave: what they offer to peers, and what they keep.
    package var channels = ChannelConfiguration()
    /// Octets that a program may write to a channel before the first of them went to the host.
    package var channelRoom = 16_384
    /// How long a channel that the program has closed may still send what was written before.
    package var channelLinger = Delay.seconds(2)

    /// Further attempts to establish a link, before `didFailToConnect`. [contract 49]
    package var establishmentRetries = 3
    /// Time before the first further attempt of an automatic reconnection that failed; doubles up to the longest.
    package var reconnectPause = Delay.seconds(1)
    package var longestReconnectPause = Delay.seconds(60)
    /// Whether the device is known to strangers by private addresses only, as an iPhone is. Off, so that a device of a
    /// virtual radio has a lasting address that a person can look for; bonded peers know it in either case.
    package var usesPrivateAddresses = false
    /// How long a private address is used.
    package var privateAddressLifetime = Delay.seconds(900)
    /// How the host treats its controller.
    package var controller = ControllerPolicy()

    package init() {}

    /// Parameters for each `ConnectionLatency`.
    package struct LatencyParameters: Equatable, Sendable {
        package var low = ConnectionParameters(interval: 12...24, timeout: 200)
        package var medium = ConnectionParameters(interval: 48...96, timeout: 400)
        package var high = ConnectionParameters(interval: 160...320, timeout: 600)
        package init() {}
    }

    /// For virtual radios: Just Works and numeric comparison are agreed to, and told in the log.
    package static var agreeingPairing: PairingPolicy {
        var policy = PairingPolicy()
        policy.ioCapability = .displayYesNo
        policy.person = .agrees
        return policy
    }

    /// For real adapters without a program that stands for a person: what needs one is refused.
    package static var unattendedPairing: PairingPolicy {
        var policy = PairingPolicy()
        policy.person = .absent
        return policy
    }

    /// The settings of the host that plays this phone. The exchange of the MTU is left to the backend, which knows
    /// what waits for it.
    package var hostConfiguration: HostConfiguration {
        var host = HostConfiguration()
        host.deviceName = deviceName
        host.appearance = appearance
        host.preferredMTU = mtu
        host.asCentral = LinkPolicy(
            requestsDataLength: requestsDataLength, preferredPHYs: preferredPHYs, exchangesMTU: false)
        host.acceptedParameters = acceptedParameters
        host.advertising.continuesAfterConnection = advertisesWhileConnected
        host.connecting.establishmentRetries = establishmentRetries
        host.controller = controller
        host.channels = channels
        host.pairing = pairing
        host.privacy.isEnabled = usesPrivateAddresses
        host.privacy.lifetime = privateAddressLifetime
        return host
    }
}

extension ConnectionParameters {
    /// Intervals in units of 1.25 ms, supervision time-out in units of 10 ms. [Vol 4, Part E, 7.8.18]
    fileprivate init(interval: ClosedRange<UInt16>, timeout: UInt16) {
        self.init()
        intervalMinimum = interval.lowerBound
        intervalMaximum = interval.upperBound
        supervisionTimeout = timeout
    }
}
