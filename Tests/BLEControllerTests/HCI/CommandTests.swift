import BLEController
import BLEWire
import Testing

@Suite struct CommandTests {
    @Test(arguments: 6...12 as ClosedRange<UInt8>)
    func `every command of the bitmap is known, and no other is`(_ version: UInt8) throws {
        var radio = TestRadio()
        let id = radio.add(1) { $0.version = version }
        let answer = radio.send(HCIReadLocalSupportedCommands(), to: id)
        guard case .commandComplete(let complete)? = answer.first else { return #expect(Bool(false)) }
        let supported = try complete.returned(by: HCIReadLocalSupportedCommands.self).commands
        func isKnown<C: HCICommandPDU>(_ type: C.Type) -> Bool { radio.status(C(), to: id) != .unknownCommand }
        for type in HCICatalogue.commands where type.supportedBit != nil && type.completion != .nothing {
            #expect(isKnown(type) == supported.contains(type), "\(type.name)")
        }
        #expect(supported.contains(HCIHostNumberOfCompletedPackets.self))
    }

    @Test(arguments: 6...12 as ClosedRange<UInt8>)
    func `features and commands go together`(_ version: UInt8) throws {
        var radio = TestRadio()
        let id = radio.add(1) { $0.version = version }
        let supported = try radio.returned(by: HCIReadLocalSupportedCommands(), of: id).commands
        let features = try radio.returned(by: LEReadLocalSupportedFeatures(), of: id).features
        let pairs: [(LEFeatures, any HCICommandPDU.Type)] = [
            (.encryption, LEEnableEncryption.self), (.ping, HCIWriteAuthenticatedPayloadTimeout.self),
            (.connectionParametersRequest, LERemoteConnectionParameterRequestReply.self),
            (.dataPacketLengthExtension, LESetDataLength.self), (.privacy, LEAddDeviceToResolvingList.self),
            (.privacy, LESetAddressResolutionEnable.self), (.extendedAdvertising, LESetExtendedScanEnable.self),
            (.extendedAdvertising, LERemoveAdvertisingSet.self),
            (.periodicAdvertising, LESetPeriodicAdvertisingEnable.self),
            (.periodicAdvertising, LEPeriodicAdvertisingCreateSync.self),
            (.extendedAdvertising, LEExtendedCreateConnection.self), (.le2M, LESetPHY.self),
            (.leCoded, LESetDefaultPHY.self),
        ]
        for (feature, command) in pairs {
            #expect(features.contains(feature) == supported.contains(command), "\(command.name)")
        }
        // An LE controller has no BR/EDR beside which the host would have to name LE.
        #expect(!supported.contains(HCIWriteLEHostSupport.self))
    }

    @Test func `buffers of the second version have no isochronous ones, and power and path are those of the profile`()
        throws
    {
        var radio = TestRadio()
        let id = radio.add(1) {
            $0.version = 11
            $0.transmitPower = 4
        }
        #expect(
            try radio.returned(by: LEReadBufferSizeV2(), of: id)
                == .init(aclDataPacketLength: 251, totalACLDataPackets: 8))
        #expect(try radio.returned(by: LEReadTransmitPower(), of: id) == .init(minimum: 4, maximum: 4))
        let path = LEWriteRFPathCompensation(transmitCompensation: 0xFB00, receiveCompensation: 0x0500)
        #expect(radio.status(path, to: id) == .success)
        #expect(radio.status(LEWriteRFPathCompensation(transmitCompensation: 0xFAFF), to: id) == .invalidParameters)
        #expect(
            try radio.returned(by: LEReadRFPathCompensation(), of: id)
                == .init(transmitCompensation: 0xFB00, receiveCompensation: 0x0500))
    }

    @Test(arguments: [6, 7, 8, 9] as [UInt8])
    func `an older controller doesn't have what came later`(_ version: UInt8) {
        var radio = TestRadio()
        let id = radio.add(1) { $0.version = version }
        let unknown = HCIStatus.unknownCommand
        #expect((radio.status(LEReadMaximumDataLength(), to: id) == unknown) == (version < 8))
        #expect(
            (radio.status(LESetDefaultPHY(allPHYs: 3, transmitPHYs: 0, receivePHYs: 0), to: id) == unknown)
                == (version < 9))
        #expect((radio.status(LERemoteConnectionParameterRequestReply(), to: id) == unknown) == (version < 7))
    }

    @Test func `an unknown command is answered by Command Status with Unknown HCI Command`() {
        var radio = TestRadio()
        let id = radio.add(1)
        #expect(
            radio.send(packet: [0x01, 0x99, 0xFC, 0x00], to: id)
                == [.commandStatus(HCICommandStatus(status: .unknownCommand, opcode: HCIOpcode(rawValue: 0xFC99)))])
    }

    @Test func `a command that is cut is answered with Invalid Parameters in the form of its answer`() {
        var radio = TestRadio()
        let id = radio.add(1)
        #expect(
            radio.send(packet: [0x01, 0x06, 0x20, 0x02, 0x00, 0x08], to: id)
                == [.commandComplete(HCICommandComplete(opcode: .leSetAdvertisingParameters, returnParameters: [0x12]))]
        )
        #expect(
            radio.send(packet: [0x01, 0x06, 0x04, 0x01, 0x40], to: id)
                == [.commandStatus(HCICommandStatus(status: .invalidParameters, opcode: .disconnect))])
    }

    @Test func `version, address and buffers are those of the profile`() throws {
        var radio = TestRadio()
        let id = radio.add(7) {
            $0.version = 8
            $0.manufacturer = 0x1234
            $0.aclPacketLength = 27
            $0.aclPacketCount = 4
        }
        #expect(
            radio.send(HCIReadBDAddr(), to: id)
                == [
                    .commandComplete(
                        HCICommandComplete(opcode: .readBDAddr, returnParameters: [0, 7, 0, 0, 0xEE, 0xFF, 0xC0]))
                ])
        #expect(
            radio.send(LEReadBufferSize(), to: id)
                == [.commandComplete(HCICommandComplete(opcode: .leReadBufferSize, returnParameters: [0, 27, 0, 4]))])
        #expect(
            radio.send(HCIReadLocalVersionInformation(), to: id)
                == [
                    .commandComplete(
                        HCICommandComplete(
                            opcode: .readLocalVersionInformation,
                            returnParameters: [0, 8, 1, 0, 8, 0x34, 0x12, 1, 0]))
                ])
    }

    @Test(
        arguments: [
            (6, 0x0001), (7, 0x001F), (8, 0x007F), (9, 0x1797F),
        ] as [(UInt8, UInt64)])
    func `the features are those of the version`(_ version: UInt8, _ features: UInt64) throws {
        var radio = TestRadio()
        let id = radio.add(1) { $0.version = version }
        guard case .commandComplete(let complete)? = radio.send(LEReadLocalSupportedFeatures(), to: id).first else {
            return #expect(Bool(false))
        }
        #expect(try complete.returned(by: LEReadLocalSupportedFeatures.self).features.rawValue == features)
    }

    @Test func `a device with a static random address has no public one and may use the random one at once`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.address = DeviceAddress(0xC011_2233_4455, .randomDevice) }
        #expect(
            radio.send(HCIReadBDAddr(), to: id)
                == [.commandComplete(HCICommandComplete(opcode: .readBDAddr, returnParameters: [0, 0, 0, 0, 0, 0, 0]))])
        var parameters = LESetAdvertisingParameters()
        parameters.ownAddressType = .randomDevice
        radio.send(parameters, to: id)
        #expect(radio.status(LESetAdvertisingEnable(isEnabled: true), to: id) == .success)
    }

    @Test func `LE Encrypt is AES-128`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let command = LEEncrypt(
            key: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, plaintext: 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF)
        let result = hex("00 5AC5B47080B7CDD830047B6AD8E0C469")
        #expect(
            radio.send(command, to: id)
                == [.commandComplete(HCICommandComplete(opcode: .leEncrypt, returnParameters: result))])
    }

    @Test func `LE Rand gives another number each time`() {
        var radio = TestRadio()
        let id = radio.add(1)
        #expect(radio.send(LERand(), to: id) != radio.send(LERand(), to: id))
    }

    @Test func `joining sets address and name, and holds over a reset`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let join = HCIRavningJoin(address: DeviceAddress(0x0011_2233_4455), deviceName: "Phone")
        #expect(radio.status(join, to: id) == .success)
        #expect(radio.status(HCIReset(), to: id) == .success)
        #expect(radio.radio.profile(of: id)?.name == "Phone")
        #expect(
            radio.send(HCIReadBDAddr(), to: id)
                == [
                    .commandComplete(
                        HCICommandComplete(opcode: .readBDAddr, returnParameters: [0, 0x55, 0x44, 0x33, 0x22, 0x11, 0]))
                ])
    }

    @Test func `joining is refused while the link layer is busy, and with an address that no device may have`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let private1 = HCIRavningJoin(address: DeviceAddress(0x4011_2233_4455, .randomDevice), deviceName: "x")
        #expect(radio.status(private1, to: id) == .invalidParameters)
        radio.scan(id)
        let join = HCIRavningJoin(address: DeviceAddress(0x0011_2233_4455), deviceName: "x")
        #expect(radio.status(join, to: id) == .commandDisallowed)
    }

    @Test func `the random address can't be changed while it may be in use`() {
        var radio = TestRadio()
        let id = radio.add(1)
        let command = LESetRandomAddress(address: DeviceAddress(0xC011_2233_4455, .randomDevice))
        #expect(radio.status(command, to: id) == .success)
        radio.scan(id)
        #expect(radio.status(command, to: id) == .commandDisallowed)
    }

    @Test func `the accept list has its size and isn't changed while it filters`() {
        var radio = TestRadio()
        let id = radio.add(1) { $0.acceptListSize = 2 }
        func add(_ bits: UInt64) -> HCIStatus? {
            radio.status(LEAddDeviceToFilterAcceptList(address: DeviceAddress(bits)), to: id)
        }
        #expect(add(1) == .success)
        #expect(add(2) == .success)
        #expect(add(2) == .success)
        #expect(add(3) == .memoryCapacityExceeded)
        #expect(radio.status(LERemoveDeviceFromFilterAcceptList(address: DeviceAddress(1)), to: id) == .success)
        #expect(add(3) == .success)
        var parameters = LESetScanParameters()
        parameters.filterPolicy = 1
        radio.send(parameters, to: id)
        radio.send(LESetScanEnable(isEnabled: true, filterDuplicates: false), to: id)
        #expect(radio.status(LEClearFilterAcceptList(), to: id) == .commandDisallowed)
        radio.send(LESetScanEnable(isEnabled: false, filterDuplicates: false), to: id)
        #expect(radio.status(LEClearFilterAcceptList(), to: id) == .success)
    }

    @Test func `without its bit in the event masks no event comes`() {
        for mask in [LEEventMask(rawValue: 0), .standard] {
            var radio = TestRadio()
            let central = radio.add(1)
            let peripheral = radio.add(2)
            radio.send(LESetEventMask(mask: mask), to: central)
            radio.scan(central)
            radio.advertise(peripheral)
            radio.run(.milliseconds(300))
            #expect(radio.reports(central).isEmpty == !mask.contains(.advertisingReport))
            radio.send(HCISetEventMask(mask: .standard), to: central)
            radio.clear()
            radio.run(.milliseconds(300))
            // LE Meta isn't part of the standard mask.
            #expect(radio.reports(central).isEmpty)
        }
    }

    @Test func `a reset ends everything at once, and peers notice by their time-outs`() throws {
        var radio = TestRadio()
        let central = radio.add(1)
        let peripheral = radio.add(2)
        _ = try radio.connect(central, to: peripheral)
        radio.scan(central)
        #expect(radio.status(HCIReset(), to: central) == .success)
        #expect(radio.radio.linkLayerState(of: central) == .standby)
        radio.run(.seconds(2))
        #expect(radio.disconnections(central).isEmpty)
        #expect(radio.disconnections(peripheral).map(\.reason) == [.connectionTimeout])
    }
}
