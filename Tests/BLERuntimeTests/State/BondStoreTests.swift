import BLETestSupport
import BLEBackend
import BLEHost
import BLERuntime
import BLEWire
import Glibc
import Testing

@Suite struct BondStoreTests {
    private let folder = TemporaryFolder()
    private static let peer = DeviceAddress(0xC0_11_22_33_44_55, .randomDevice)

    private static func bond(_ change: (inout Bond) -> Void = { _ in }) -> Bond {
        var bond = Bond(
            peer: peer, strength: PairingStrength(isAuthenticated: true, isSecureConnections: true, keySize: 16))
        bond.keyAsCentral = EncryptionKey(longTermKey: Key128(0x0102 << 112 | 3))
        bond.keyAsPeripheral = EncryptionKey(longTermKey: 9, diversifier: 0xABCD, random: 0x0123_4567_89AB_CDEF)
        bond.irk = 77
        bond.peerSigningKey = 5
        bond.peerSignCounter = 4_000_000_000
        bond.ownSigningKey = 6
        bond.ownSignCounter = 12
        bond.databaseHash = (0..<16).reversed().map { $0 }
        bond.subscriptions = [
            ClientSubscription(descriptor: AttributeHandle(rawValue: 9), value: .indications),
            ClientSubscription(descriptor: AttributeHandle(rawValue: 0x12), value: .notifications),
        ]
        change(&bond)
        return bond
    }

    private func open() -> FileBondStore {
        FileBondStore(folder: folder.path, random: SystemRandomNumberGenerator())
    }

    private var path: String { folder.path + "/bonds/C0-11-22-33-44-55-random" }

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

    private func write(_ text: String, to path: String, mode: mode_t = 0o600) {
        let file = fopen(path, "w")
        fputs(text, file)
        if let file { fclose(file) }
        chmod(path, mode)
    }

    @Test func `a bond is there in the next run as it was`() {
        open().set(Self.bond())
        #expect(open().bonds == [Self.bond()])
        let plain = Self.bond {
            $0.keyAsPeripheral = nil
            $0.irk = nil
            $0.peerSigningKey = nil
            $0.peerSignCounter = 0
            $0.ownSigningKey = nil
            $0.ownSignCounter = 0
            $0.subscriptions = []
            $0.databaseHash = []
            $0.strength = PairingStrength(isAuthenticated: false, isSecureConnections: false, keySize: 7)
        }
        open().set(plain)
        #expect(open().bonds == [plain])
    }

    @Test func `each bond has a file of its own, which is its owner's alone, and a person can read it`() {
        let store = open()
        store.set(Self.bond())
        store.set(Self.bond { $0.peer = DeviceAddress(0x0011_2233_4455) })
        #expect(mode(path) == 0o600)
        #expect(mode(folder.path + "/bonds") == 0o700)
        #expect(mode(folder.path + "/bonds/00-11-22-33-44-55-public") == 0o600)
        #expect(
            read(path) == """
                ravning-bond 1
                peer C0:11:22:33:44:55 random
                strength authenticated secure-connections 16
                key-as-central 01020000000000000000000000000003 0000 0000000000000000
                key-as-peripheral 00000000000000000000000000000009 ABCD 0123456789ABCDEF
                irk 0000000000000000000000000000004D
                peer-signing 00000000000000000000000000000005 4000000000
                own-signing 00000000000000000000000000000006 12
                database 000102030405060708090A0B0C0D0E0F
                cccd 0009 0002
                cccd 0012 0001

                """)
        #expect(open().bonds.map(\.peer.bits) == [0x0011_2233_4455, Self.peer.bits])
    }

    @Test func `a bond that is removed stays away`() {
        let store = open()
        store.set(Self.bond())
        store.remove(Self.peer)
        #expect(open().bonds.isEmpty)
        store.remove(Self.peer)
    }

    @Test func `a file can be moved to the folder of another device`() {
        open().set(Self.bond())
        let other = TemporaryFolder()
        mkdir(other.path + "/bonds", 0o700)
        rename(path, other.path + "/bonds/C0-11-22-33-44-55-random")
        #expect(FileBondStore(folder: other.path, random: SystemRandomNumberGenerator()).bonds == [Self.bond()])
    }

    /// What a file may have become: P11.
    private static let damages: [String] = {
        let whole = """
            ravning-bond 1
            peer C0:11:22:33:44:55 random
            strength 16
            key-as-central 00000000000000000000000000000003 0000 0000000000000000

            """
        return [
            "", "nonsense\u{0}", String(whole.dropLast()), String(whole.prefix(60)), String(whole.prefix(90)),
            whole.replacing("bond 1", with: "bond 2"), whole.replacing("random", with: "bent"),
            whole.replacing("C0:", with: "40:"), whole.replacing("16", with: "6"), whole.replacing("16", with: "17"),
            whole.replacing("16", with: "strong 16"), whole.replacing("key-as-central", with: "irk"),
            whole + "irk 00\n", whole + "secret 00\n", whole + whole.split(separator: "\n")[3] + "\n",
            whole + "cccd 0012 0001\n", whole + "database 00\n",
            whole + "database 000102030405060708090A0B0C0D0E0F\ncccd 0012 0004\n",
            whole + "database 000102030405060708090A0B0C0D0E0F\ncccd 0012 0001\ncccd 0012 0001\n",
            whole + "own-signing 00000000000000000000000000000006 4294967296\n", whole + "\n",
        ]
    }()

    @Test(arguments: damages)
    func `P11 a damaged file, or one of another version, is set aside and doesn't count`(text: String) {
        let store = open()
        store.set(Self.bond())
        write(text, to: path)
        #expect(store.bonds.isEmpty)
        #expect(mode(path) == nil)
        #expect(read(path + ".damaged") == text.prefix { $0 != "\u{0}" })
        // The next one that is damaged doesn't take its place.
        write("other", to: path)
        #expect(store.bonds.isEmpty)
        #expect(read(path + ".damaged-2") == "other")
        store.set(Self.bond())
        #expect(store.bonds == [Self.bond()])
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o777] as [mode_t])
    func `P11 a file that others may read is set aside`(mode: mode_t) {
        open().set(Self.bond())
        chmod(path, mode)
        #expect(open().bonds.isEmpty)
        #expect(self.mode(path + ".damaged") == mode)
    }

    @Test func `P11 a file under another peer's name, or a link, isn't used`() {
        open().set(Self.bond())
        rename(path, folder.path + "/bonds/C0-11-22-33-44-56-random")
        #expect(open().bonds.isEmpty)
        open().set(Self.bond())
        rename(path, folder.path + "/elsewhere")
        symlink(folder.path + "/elsewhere", path)
        #expect(open().bonds.isEmpty)
    }

    @Test func `P11 where nothing can be written the store goes on without a trap`() {
        let store = FileBondStore(folder: "/nonexistent/ravning", random: SystemRandomNumberGenerator())
        store.set(Self.bond())
        store.remove(Self.peer)
        #expect(store.bonds.isEmpty)
        #expect(!store.identityResolvingKey.isZero)
    }

    @Test func `the device's own key is made once`() {
        let key = open().identityResolvingKey
        #expect(!key.isZero)
        #expect(open().identityResolvingKey == key)
        #expect(mode(folder.path + "/identity") == 0o600)
        write("ravning-identity 1\nirk 00000000000000000000000000000000\n", to: folder.path + "/identity")
        #expect(!open().identityResolvingKey.isZero)
        #expect(mode(folder.path + "/identity.damaged") == 0o600)
    }

    @Test func `P12 neither a bond nor a key says what it is when it is printed`() {
        let text = "\(Self.bond()) \(String(reflecting: Self.bond()))"
        #expect(!text.contains("77") || text.contains("(secret)"))
        #expect(!text.contains("Key128(high"))
    }
}
