package import BLEWire

/// What a virtual controller is and can do: what its host reads from it and what bounds it on the air.
///
/// The standard values are those of a good Bluetooth 5 chip.
package struct ControllerProfile: Hashable, Sendable {
    /// The public address, or the static random one that a host reads where it has no public one.
    package var address: DeviceAddress
    /// For people: traces and lists show it. It is not what the device advertises.
    package var name: String
    /// HCI and LL version: 6 is Core 4.0, 9 is 5.0, 13 is 5.4. [Assigned Numbers, 2.1]
    package var version: UInt8 = 0x0D
    /// 0xFFFF is kept for tests and for those without a company identifier. [Assigned Numbers, 7.1]
    package var manufacturer: UInt16 = 0xFFFF
    package var subversion: UInt16 = 0x0001

    /// Octets of an ACL data packet from the host. [Vol 4, Part E, 7.8.2]
    package var aclPacketLength = 251
    /// ACL data packets that the controller holds for all links together.
    package var aclPacketCount = 8

    /// Links in all, as central and as peripheral. One above gives Connection Limit Exceeded (0x09).
    package var maximumLinks = 20
    package var maximumLinksAsCentral = 20
    package var maximumLinksAsPeripheral = 20

    /// The longest payload of a data channel PDU: 27 to 251 octets. [Vol 6, Part B, 4.5.10]
    package var maximumDataLength = 251
    package var supportsEncryption = true
    /// LL Privacy: private addresses that the controller makes and resolves. [Vol 6, Part B, 4.6.7]
    package var supportsPrivacy = true
    package var supports2M = true
    package var supportsCoded = true
    package var supportsChannelSelection2 = true
    /// Advertising sets, and packets of advertising beside the primary channels. [Vol 6, Part B, 4.6.10]
    package var supportsExtendedAdvertising = true
    /// Periodic advertising, and following it; only beside extended advertising. [Vol 6, Part B, 4.6.11]
    package var supportsPeriodicAdvertising = true
    package var periodicAdvertiserListSize = 8
    package var advertisingSets = 8
    /// Octets of the data of an advertising set: 31 to 1650. [Vol 4, Part E, 7.8.57]
    package var maximumAdvertisingDataLength = 1650

    package var acceptListSize = 32
    package var resolvingListSize = 32
    /// Advertisers that the duplicate filter remembers; the oldest is forgotten first.
    package var duplicateFilterSize = 4096
    /// In dBm.
    package var transmitPower: Int8 = 0

    package init(address: DeviceAddress, name: String) {
        self.address = address
        self.name = name
    }
}
