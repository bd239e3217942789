import Glibc

/// A folder of one test, taken away with what is in it. Links in it are taken away as links, never followed.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = "/tmp/ravning-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        mkdir(path, 0o700)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(directory)
        rmdir(path)
    }
}
