import BLETestSupport
import BLEHost
import BLERuntime
import BLEWire
import Glibc
import Testing

/// What is remembered of a bonded peer's database, in its file beside the bond.
@Suite struct DatabaseFileTests {
    private let folder = TemporaryFolder()
    private static let peer = DeviceAddress(0xC0_11_22_33_44_55, .randomDevice)
    private var path: String { folder.path + "/bonds/C0-11-22-33-44-55-random.database" }

    private func open() -> FileBondStore {
        FileBondStore(folder: folder.path, random: SystemRandomNumberGenerator())
    }

    private static func database(hash: [UInt8]? = (0..<16).reversed()) -> RememberedDatabase {
        var database = RememberedDatabase(hash: hash)
        let long = BluetoothUUID("0D563A58-196A-48CE-ACE2-DFEC78ACC814") ?? 0
        let answers: [(GATTProcedure, GATTOutcome)] = [
            (
                .discoverServices(nil),
                .services([
                    GATTService(handles: 0x0001...0x0005, uuid: 0x1800),
                    GATTService(handles: 0x0010...0xFFFF, uuid: long),
                ])
            ),
            (.discoverServices(0x180D), .services([])),
            (
                .discoverIncludedServices(0x0010...0xFFFF),
                .includedServices([
                    GATTIncludedService(
                        declaration: 0x0011, service: GATTService(handles: 0x0001...0x0005, uuid: 0x1800))
                ])
            ),
            (
                .discoverCharacteristics(0x0010...0xFFFF),
                .characteristics([
                    GATTCharacteristic(declaration: 0x0012, value: 0x0013, properties: 0x9A, uuid: 0x2A37)
                ])
            ),
            (
                .discoverDescriptors(0x0014...0xFFFF),
                .descriptors([GATTDescriptor(handle: 0x0014, uuid: 0x2902), GATTDescriptor(handle: 0x0015, uuid: long)])
            ),
        ]
        for (procedure, outcome) in answers {
            let isNew = database.note(outcome, of: procedure)
            #expect(isNew)
        }
        return database
    }

    private static let whole = """
        ravning-database 1
        peer C0:11:22:33:44:55 random
        hash 000102030405060708090A0B0C0D0E0F
        services all
        service 0001 0005 1800
        service 0010 FFFF 0D563A58-196A-48CE-ACE2-DFEC78ACC814
        services 180D
        includes 0010 FFFF
        include 0011 0001 0005 1800
        characteristics 0010 FFFF
        characteristic 0012 0013 9A 2A37
        descriptors 0014 FFFF
        descriptor 0014 2902
        descriptor 0015 0D563A58-196A-48CE-ACE2-DFEC78ACC814

        """

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private func write(_ text: String) {
        mkdir(folder.path + "/bonds", 0o700)
        let file = fopen(path, "w")
        fputs(text, file)
        if let file { fclose(file) }
        chmod(path, 0o600)
    }

    @Test(arguments: [Array(0..<16), nil] as [[UInt8]?])
    func `a database is there in the next run as it was`(hash: [UInt8]?) {
        open().setDatabase(Self.database(hash: hash), of: Self.peer)
        #expect(open().database(of: Self.peer) == Self.database(hash: hash))
    }

    @Test func `its file is its owner's alone, and a person can read it`() {
        open().setDatabase(Self.database(), of: Self.peer)
        #expect(mode(path) == 0o600)
        #expect(read(path) == Self.whole)
        // It isn't taken for a bond.
        #expect(open().bonds.isEmpty)
        #expect(mode(path) == 0o600)
    }

    @Test func `it goes with the bond, and by itself`() {
        let store = open()
        store.setDatabase(Self.database(), of: Self.peer)
        store.remove(Self.peer)
        #expect(mode(path) == nil)
        store.setDatabase(Self.database(), of: Self.peer)
        store.setDatabase(nil, of: Self.peer)
        #expect(store.database(of: Self.peer) == nil)
        #expect(mode(path) == nil)
    }

    /// What a file may have become: P11.
    private static let damages: [String] = [
        "", "nonsense", String(whole.dropLast()), String(whole.prefix(40)),
        whole.replacing("database 1", with: "database 2"), whole.replacing("C0:", with: "40:"),
        whole.replacing("44:55", with: "44:56"), whole.replacing("0E0F\n", with: "0E\n"),
        whole.replacing("hash ", with: "hush "), whole.replacing("services all\n", with: ""),
        whole.replacing("services 180D", with: "services all"), whole.replacing("services 180D", with: "services 18"),
        whole.replacing("service 0010", with: "service 0005"), whole.replacing("service 0001", with: "service 0000"),
        whole.replacing("0001 0005 1800", with: "0006 0005 1800"), whole.replacing("0013 9A", with: "0012 9A"),
        whole.replacing("0013 9A", with: "0013 9A9A"), whole.replacing("0013 9A", with: "0013"),
        whole.replacing("descriptor 0015", with: "descriptor 0014"),
        whole.replacing("descriptor 0014", with: "service 0014"), whole.replacing("includes 0010", with: "includes 10"),
        whole + "\n", whole + "secret 00\n", whole + "services all\n",
    ]

    @Test(arguments: damages)
    func `P11 a damaged file, or another peer's, is set aside and answers nothing`(text: String) {
        #expect(text != Self.whole)
        write(text)
        let store = open()
        #expect(store.database(of: Self.peer) == nil)
        #expect(mode(path) == nil)
        #expect(read(path + ".damaged") == text)
        store.setDatabase(Self.database(), of: Self.peer)
        #expect(store.database(of: Self.peer) == Self.database())
        #expect(store.bonds.isEmpty)
    }

    @Test func `P11 a file that lists more than can be remembered is set aside`() {
        let lines = (1...5000).map { String($0, radix: 16, uppercase: true) }
            .map { "descriptor \(String(repeating: "0", count: 4 - $0.count))\($0) 2902\n" }.joined()
        write("ravning-database 1\npeer C0:11:22:33:44:55 random\ndescriptors 0001 FFFF\n" + lines)
        #expect(open().database(of: Self.peer) == nil)
        #expect(mode(path) == nil)
    }
}
