import BLETransport
import Testing

@Suite struct TransportAddressTests {
    @Test(
        arguments: [
            ("hci:0", .hci(0)),
            ("unix:/run/user/1/controller", .unix(path: "/run/user/1/controller")),
            ("unix:a:b", .unix(path: "a:b")),
            ("tcp:localhost:9000", .tcp(host: "localhost", port: 9000)),
            ("tcp:[::1]:9000", .tcp(host: "::1", port: 9000)),
            ("unix-server:/run/user/1/controller", .unixServer(path: "/run/user/1/controller")),
            ("tcp-server:9000", .tcpServer(port: 9000)),
            ("tcp-server:0", .tcpServer(port: 0)),
            ("serial:/dev/ttyUSB0", .serial(device: "/dev/ttyUSB0", baud: 115_200)),
            ("serial:/dev/ttyUSB0@1000000", .serial(device: "/dev/ttyUSB0", baud: 1_000_000)),
            ("serial:/dev/ttyUSB0@1000000,flow", .serial(device: "/dev/ttyUSB0", baud: 1_000_000)),
            (
                "serial:/dev/ttyUSB0@1000000,noflow",
                .serial(device: "/dev/ttyUSB0", baud: 1_000_000, hasFlowControl: false)
            ),
            ("usb:0", .usb(.number(0))),
            ("usb:0A12:0001", .usb(.product(vendor: 0x0A12, product: 1))),
        ] as [(String, TransportAddress)])
    func `reads an address`(text: String, address: TransportAddress) throws {
        #expect(try TransportAddress(text) == address)
    }

    @Test(arguments: [
        ("", "it has no colon"),
        ("hci0", "it has no colon"),
        ("hci:", "\"\" is no adapter number"),
        ("hci:-1", "\"-1\" is no adapter number"),
        ("hci:65535", "\"65535\" is no adapter number"),
        ("pci:0", "there is no kind of adapter \"pci\""),
        ("usb:", "\"\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:256", "\"256\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:-1", "\"-1\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:a12:1", "\"a12:1\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:0a12:0001:2", "\"0a12:0001:2\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:0a12:+001", "\"0a12:+001\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("usb:0a12:", "\"0a12:\" is neither a number nor VENDOR:PRODUCT with four digits each"),
        ("unix:", "the path is missing"),
        ("tcp:9000", "the port is missing"),
        ("tcp::9000", "the host is missing"),
        ("tcp:host:0", "\"0\" is no port"),
        ("tcp:host:65536", "\"65536\" is no port"),
        ("unix-server:", "the path is missing"),
        ("tcp-server:", "\"\" is no port"),
        ("tcp-server:host:9000", "\"host:9000\" is no port"),
        ("tcp-server:65536", "\"65536\" is no port"),
        ("serial:", "the device is missing"),
        ("serial:/dev/x@", "\"\" is no baud rate"),
        ("serial:/dev/x@fast", "\"fast\" is no baud rate"),
        ("serial:/dev/x@,noflow", "\"\" is no baud rate"),
        ("serial:/dev/x@9600,", "\"\" is neither flow nor noflow"),
        ("serial:/dev/x@9600,noflow,x", "\"noflow,x\" is neither flow nor noflow"),
    ])
    func `says what is wrong with an address`(text: String, cause: String) {
        #expect {
            try TransportAddress(text)
        } throws: { error in
            let error = error as? TransportError
            return error?.kind == .unsupported && error?.cause == "\"\(text)\" isn't understood: \(cause)"
        }
    }

    @Test(arguments: [
        "hci:3", "unix:/a", "tcp:h:1", "tcp:[fe80::1]:2", "unix-server:/a", "tcp-server:1", "serial:/dev/a@9600",
        "serial:/dev/a@9600,noflow", "usb:7", "usb:0a12:0001",
    ])
    func `writes an address as it is read`(text: String) throws {
        #expect(try TransportAddress(text).description == text)
    }
}
