import BLEBackend
import BLETestSupport
import Glibc
import Testing

@testable import BLERuntime

/// States of managers in the device's folder.
struct RestorationStoreTests {
    private let fixture = ProcessFixture()
    private let key = RestorationKey(role: .central, identifier: "com.example/band ☃")

    private var path: String { "\(fixture.folder)/restoration/\(key.fileName)" }

    @Test func `a state is there for the next run, for its user only`() {
        FileRestorationStore(folder: fixture.folder).save([1, 2, 3], for: key)
        #expect(FileRestorationStore(folder: fixture.folder).load(key) == [1, 2, 3])
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `an identifier may hold anything`() {
        #expect(key.fileName == "central-636f6d2e6578616d706c652f62616e6420e29883")
    }

    @Test func `roles and identifiers don't meet`() {
        let store = FileRestorationStore(folder: fixture.folder)
        store.save([1], for: key)
        #expect(store.load(RestorationKey(role: .peripheral, identifier: key.identifier)) == nil)
        #expect(store.load(RestorationKey(role: .central, identifier: "other")) == nil)
    }

    @Test func `what was taken away isn't there any more`() {
        let store = FileRestorationStore(folder: fixture.folder)
        store.save([1], for: key)
        store.save(nil, for: key)
        #expect(store.load(key) == nil)
        #expect(access(path, F_OK) != 0)
    }

    @Test func `what can't be used is set aside, not lost`() {
        let store = FileRestorationStore(folder: fixture.folder)
        store.save([1], for: key)
        store.setAside(key, because: "is damaged")
        #expect(store.load(key) == nil)
        #expect(access(path + ".damaged", F_OK) == 0)
    }

    @Test func `a folder that can't be written costs nothing but the memory`() {
        let store = FileRestorationStore(folder: fixture.folder + "/none/of/these")
        store.save([1], for: key)
        #expect(store.load(key) == nil)
    }
}
