package import BLEDevices
import Glibc

extension WallTime {
    /// What the machine's clock shows, in its time zone.
    package static var now: WallTime {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return WallTime(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    }
}
