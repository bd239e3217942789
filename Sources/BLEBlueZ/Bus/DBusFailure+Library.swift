import Glibc

extension DBusFailure {
    /// sd-bus refused something: the negative error number that it answers.
    static func library(_ result: Int32, _ what: String) -> DBusFailure {
        local("\(what): \(String(cString: strerror(-result)))")
    }
}
