import BLEBackend
import BLETestSupport
import Glibc
import Testing

@testable import BLERuntime

/// States of managers in the device's folder.
struct RestorationStoreTests {
    private let folder = TemporaryFolder()
    private let key = RestorationKey(role: .central, identifier: "com.example/band ☃")

    private var path: String { "\(folder.path)/restoration/\(key.fileName)" }

    @Test func `a state is there for the next run, for its user only`() {
        FileRestorationStore(folder: folder.path).save([1, 2, 3], for: key)
        #expect(FileRestorationStore(folder: folder.path).load(key) == [1, 2, 3])
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `an identifier may hold anything`() {
        #expect(key.fileName == "central-636F6D2E6578616D706C652F62616E6420E29883")
    }

    @Test func `long identifiers of the same beginning and length have names of their own that a file can have`() {
        let beginning = String(repeating: "x", count: 200)
        let names = ["a", "b"].map { RestorationKey(role: .peripheral, identifier: beginning + $0).fileName }
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.utf8.count <= 255 })
    }

    @Test func `roles and identifiers don't meet`() {
        let store = FileRestorationStore(folder: folder.path)
        store.save([1], for: key)
        #expect(store.load(RestorationKey(role: .peripheral, identifier: key.identifier)) == nil)
        #expect(store.load(RestorationKey(role: .central, identifier: "other")) == nil)
    }

    @Test func `what was taken away isn't there any more`() {
        let store = FileRestorationStore(folder: folder.path)
        store.save([1], for: key)
        store.save(nil, for: key)
        #expect(store.load(key) == nil)
        #expect(access(path, F_OK) != 0)
    }

    @Test func `what can't be used is set aside, not lost`() {
        let store = FileRestorationStore(folder: folder.path)
        store.save([1], for: key)
        store.setAside(key, because: "is damaged")
        #expect(store.load(key) == nil)
        #expect(access(path + ".damaged", F_OK) == 0)
    }

    @Test func `a folder that can't be written costs nothing but the memory`() {
        let store = FileRestorationStore(folder: folder.path + "/none/of/these")
        store.save([1], for: key)
        #expect(store.load(key) == nil)
    }
}
