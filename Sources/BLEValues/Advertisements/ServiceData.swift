/// What sensors and beacons say in service data.
package enum ServiceData {
    /// What the data says; nil where its form isn't known. Known: Eddystone, BTHome, MiBeacon, ATC and pvvx.
    ///
    /// - Parameters:
    ///   - address, open: For what is encrypted, as in `BTHome.decode(service:_:address:open:)`.
    package static func decode(
        service: UInt16, _ data: [UInt8], address: [UInt8]? = nil, open: (BTHome.Sealed) -> [UInt8]? = { _ in nil }
    ) -> DecodedValue? {
        switch service {
        case Eddystone.service: Eddystone.decode(data).map { DecodedValue($0) }
        case MiBeacon.service: MiBeacon.decode(data)
        case Thermometer.service: Thermometer.decode(data)
        default: BTHome.decode(service: service, data, address: address, open: open)
        }
    }
}
