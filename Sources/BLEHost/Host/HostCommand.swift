package import BLEWire

/// What the user of a host asks of it.
package enum HostCommand: Equatable, Sendable {
    /// Resets the controller, reads what it can do and configures it; ends in `.stateChanged(.poweredOn)`.
    case powerOn
    /// Ends all links, scan and advertising; ends in `.stateChanged(.poweredOff)`.
    case powerOff

    case startScanning(ScanSettings)
    case stopScanning
    case startAdvertising(AdvertisingSettings)
    case stopAdvertising
    /// Joins the queue of pending connections. Ends in `.connected` or `.connectFailed`; never by time.
    case connect(DeviceAddress, ConnectionSettings)
    case cancelConnect(DeviceAddress)
    case disconnect(ConnectionHandle, reason: HCIStatus)

    /// Looks for a periodic advertising train and follows it, with a scan of its own where none runs. Its events have the
    /// token; never ends by time before the train was heard.
    case followPeriodic(OperationToken, PeriodicSettings)
    /// Ends the search, or following: `.failed` or `.ended` with `.cancelled`.
    case stopFollowing(OperationToken)

    case readRSSI(ConnectionHandle)
    /// As central: a connection update. As peripheral: a request to the central.
    case updateConnection(ConnectionHandle, ConnectionParameters)
    case setPHY(ConnectionHandle, transmit: PHYSet, receive: PHYSet)
    case setDataLength(ConnectionHandle, octets: UInt16, time: UInt16)

    /// Raises the security of a link: with the key of a bond, else by pairing. Ends in `.securityRaised`. As peripheral
    /// it asks the central to. [Vol 3, Part C, 10.3.1]
    case raiseSecurity(ConnectionHandle)
    /// Pairs anew, bond or not. Ends in `.pairingEnded`.
    case pair(ConnectionHandle)
    /// Answers `.pairingAsked`; `.reject` calls a pairing off at any time.
    case answerPairing(ConnectionHandle, PairingAnswer)
    /// A key of the passkey was pressed. [Vol 3, Part H, 3.5.8]
    case pressPasskeyKey(ConnectionHandle, SMPKeypress)
    case setPairingPolicy(PairingPolicy)
    /// What has come by another way for the pairing with a peer; nil forgets it. [Vol 3, Part H, 2.3.5.6.4]
    case setOutOfBandData(DeviceAddress, OutOfBandData?)
    /// Bonds of earlier runs; they replace those with the same peers. No event tells of them.
    case loadBonds([Bond])
    /// Forgets a bond and ends the link to the peer. Ends in `.bondRemoved` where there was one.
    case removeBond(DeviceAddress)

    /// A GATT client procedure; ends in `.gattCompleted` with the token. Procedures of one link keep their order.
    case gatt(ConnectionHandle, OperationToken, GATTProcedure)

    /// Adds a service behind the last one; ends in `.serviceAdded`. Connected clients get Service Changed.
    case addService(OperationToken, GATTServiceDefinition)
    /// Removes the service that begins at the handle.
    case removeService(AttributeHandle)
    /// Sends a notification or indication; ends in `.valueSent`: a notification's when it has left for the controller,
    /// an indication's when it was confirmed.
    case sendValue(ConnectionHandle, OperationToken, AttributeHandle, [UInt8], indicate: Bool)
    /// Answers `.readRequested` or `.writeRequested`.
    case respond(ConnectionHandle, GATTRequestID, ATTErrorCode, value: [UInt8])

    /// Lets peers open channels to the SPSM from now on, 0x0001 to 0x00FF. [Vol 3, Part A, 4.22]
    case listen(spsm: UInt16, ChannelListener)
    /// Lets no peer open channels to the SPSM any more; those that are open stay.
    case stopListening(spsm: UInt16)
    case channel(ConnectionHandle, ChannelCommand)
}

/// How to scan. Times in units of 0.625 ms. [Vol 4, Part E, 7.8.10]
package struct ScanSettings: Equatable, Sendable {
    package var isActive = true
    package var interval: UInt16 = 0x0060
    package var window: UInt16 = 0x0060
    package var filterDuplicates = false
    package init() {}
}

/// How and what to advertise. Times in units of 0.625 ms. [Vol 4, Part E, 7.8.5]
package struct AdvertisingSettings: Equatable, Sendable {
    package var isConnectable = true
    package var isScannable = true
    package var intervalMinimum: UInt16 = 0x00A0
    package var intervalMaximum: UInt16 = 0x00A0
    /// AD structures, 31 octets at most.
    package var data: [UInt8] = []
    package var scanResponse: [UInt8] = []
    package init() {}
}

/// How to make a connection. [Vol 4, Part E, 7.8.12]
package struct ConnectionSettings: Equatable, Sendable {
    package var parameters = ConnectionParameters()
    /// Units of 0.625 ms.
    package var scanInterval: UInt16 = 0x0060
    package var scanWindow: UInt16 = 0x0060
    package init() {}
}

/// Parameters of a link. [Vol 4, Part E, 7.8.18]
package struct ConnectionParameters: Hashable, Sendable {
    /// Units of 1.25 ms.
    package var intervalMinimum: UInt16 = 24
    package var intervalMaximum: UInt16 = 24
    /// Connection events that a peripheral may leave out.
    package var latency: UInt16 = 0
    /// Units of 10 ms.
    package var supervisionTimeout: UInt16 = 72
    package init() {}
}
