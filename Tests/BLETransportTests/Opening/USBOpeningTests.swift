import BLETransport
import Testing

@Suite struct USBOpeningTests {
    @Test(
        arguments: [
            (-3, .unauthorized, "no right to open the device", "udev rule"),
            (-4, .unavailable, "no such Bluetooth controller on USB", "lsusb"),
            (-5, .unavailable, "no such Bluetooth controller on USB", "lsusb"),
            (-6, .unavailable, "another program has the device", "end that program"),
            (-12, .unsupported, "can't hand over the device", "hci:N"),
            (-99, .unavailable, "(libusb -99)", "plug it in again"),
        ] as [(Int32, TransportError.Kind, String, String)])
    func `says why a controller on USB can't be had`(
        code: Int32, kind: TransportError.Kind, cause: String, remedy: String
    ) {
        let error = usbError(.product(vendor: 0x0A12, product: 1), code: code)
        #expect(error.kind == kind)
        #expect(error.layer == "usb:0a12:0001")
        #expect(error.cause.contains(cause))
        #expect(error.remedy.contains(remedy))
    }

    /// Whatever the package was built with: there is no 200th controller on any machine.
    @Test func `opening what isn't there is one line`() {
        #expect {
            try TransportAddress.usb(.number(200)).open()
        } throws: { error in
            guard let error = error as? TransportError else { return false }
            return error.layer == "usb:200"
                && (error.cause.contains("no such Bluetooth controller") || error.cause.contains("built without USB"))
        }
    }
}
