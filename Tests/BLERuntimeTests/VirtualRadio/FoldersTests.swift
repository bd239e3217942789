import BLETestSupport
import BLERuntime
import BLETransport
import BLEWire
import Glibc
import Testing

/// Root of a user namespace has no other users to give a folder to.
private let canGiveAway: Bool = {
    let path = "/tmp/ravning-give-away-\(getpid())"
    guard mkdir(path, 0o700) == 0 else { return false }
    defer { rmdir(path) }
    return chown(path, 65534, 65534) == 0
}()

@Suite struct RuntimeDirectoryTests {
    private let folder = TemporaryFolder()

    private func cause(_ body: () throws -> RuntimeDirectory) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? TransportError)?.cause
        }
    }

    @Test func `is made in the user's runtime folder, closed to others`() throws {
        let directory = try RuntimeDirectory(EnvironmentVariables(["XDG_RUNTIME_DIR": folder.path]))
        #expect(directory.path == folder.path + "/ravning")
        var status = stat()
        #expect(stat(directory.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
    }

    @Test func `is in /tmp under the user's number without such a folder`() throws {
        #expect(try RuntimeDirectory(EnvironmentVariables([:])).path == "/tmp/ravning-\(geteuid())")
    }

    @Test func `is refused when others could put sockets there`() {
        let path = folder.path + "/open"
        mkdir(path, 0o700)
        chmod(path, 0o770)
        #expect(
            cause { try RuntimeDirectory(path: path) } == "the folder for its sockets, \(path), is open to other users")
    }

    @Test func `is refused when it's a link`() {
        let path = folder.path + "/link"
        symlink(folder.path, path)
        #expect(cause { try RuntimeDirectory(path: path) } == "the folder for its sockets, \(path), is no folder")
    }

    @Test(.enabled(if: canGiveAway, "only root of the whole machine can give a folder away"))
    func `is refused when it's another user's`() {
        let path = folder.path + "/theirs"
        mkdir(path, 0o700)
        chown(path, 65534, 65534)
        #expect(
            cause { try RuntimeDirectory(path: path) } == "the folder for its sockets, \(path), belongs to user 65534")
    }

    @Test func `lists the radios that somebody hosts`() throws {
        let directory = try RuntimeDirectory(path: folder.path)
        for name in ["b", "a", "gone"] {
            let socket = directory.socket(of: try RadioName(name, in: "test"))
            close(open(socket, O_CREAT | O_WRONLY, 0o600))
        }
        let locks = try ["a", "b"].map { FileLock.attempt(directory.lock(of: try RadioName($0, in: "test"))) }
        withExtendedLifetime(locks) { #expect(directory.radios.map(\.text) == ["a", "b"]) }
    }
}

@Suite struct FileLockTests {
    private let folder = TemporaryFolder()

    @Test func `has one holder at a time, and is free when the holder is gone`() {
        let path = folder.path + "/lock"
        do {
            let first = FileLock.attempt(path)
            guard case .taken = first else {
                Issue.record("not taken: \(first)")
                return
            }
            guard case .held = FileLock.attempt(path) else {
                Issue.record("taken twice")
                return
            }
            withExtendedLifetime(first) { #expect(FileLock.isHeld(path)) }
        }
        #expect(!FileLock.isHeld(path))
        guard case .taken = FileLock.attempt(path) else {
            Issue.record("not free again")
            return
        }
    }

    @Test func `fails where no file can be`() {
        guard case .failed(ENOENT) = FileLock.attempt(folder.path + "/none/lock") else {
            Issue.record("no ENOENT")
            return
        }
    }
}

@Suite struct DeviceIdentityTests {
    private let folder = TemporaryFolder()
    private var state: StateFolder { StateFolder(path: folder.path) }
    private func name(_ text: String) -> RadioName { RadioName(nearest: text) }

    @Test func `has the same address each time, another on another radio`() throws {
        let first = try DeviceIdentity.claim(name("Band"), on: .standard, state: state).address
        let again = try DeviceIdentity.claim(name("Band"), on: .standard, state: state).address
        let other = try DeviceIdentity.claim(name("Band"), on: name("lab"), state: state).address
        #expect(first == again)
        #expect(first != other)
    }

    @Test func `keeps the address that it has always had`() {
        // Written down once: programs know devices by it, so it must not change between versions.
        let address = DeviceIdentity.address(radio: .standard, device: name("BandPeripheral"))
        #expect(address.description == "AA:50:6F:31:04:7E")
        #expect(address.kind == .publicDevice)
        #expect(address.bits >> 40 & 0b11 == 0b10)
    }

    @Test func `calls further instances by a number`() throws {
        let first = try DeviceIdentity.claim(name("Band"), on: .standard, state: state)
        let second = try DeviceIdentity.claim(name("Band"), on: .standard, state: state)
        let third = try DeviceIdentity.claim(name("Band"), on: .standard, state: state)
        withExtendedLifetime((first, second, third)) {
            #expect([first, second, third].map(\.name.text) == ["Band", "Band-2", "Band-3"])
            #expect(Set([first, second, third].map(\.address)).count == 3)
            #expect(second.folder == folder.path + "/virtual/default/Band-2")
        }
    }

    @Test func `gives the name to the next when an instance has ended`() throws {
        _ = try DeviceIdentity.claim(name("Band"), on: .standard, state: state)
        #expect(try DeviceIdentity.claim(name("Band"), on: .standard, state: state).name.text == "Band")
    }

    @Test func `says where its folder can't be`() {
        let file = folder.path + "/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        #expect {
            try DeviceIdentity.claim(name("Band"), on: .standard, state: StateFolder(path: file))
        } throws: { error in
            (error as? TransportError)?.remedy == "set RAVNING_STATE_DIR to a folder of yours"
        }
    }
}
