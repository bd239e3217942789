import BLERuntime
import BLETransport

extension World {
    /// Writes every packet on the air to a file from now on, for Wireshark: pcap with link type 256. Times are virtual.
    /// - Parameters:
    ///   - path: nil ends the capture.
    ///   - keys: a file for the keys of links that are encrypted from now on, with which the capture can be read
    ///     (`Scripts/decrypt_air.py`); nil keeps them secret. Keys are never written anywhere else.
    public func captureAir(to path: String?, exportingKeysTo keys: String? = nil) throws {
        do { try driver.captureAir(to: path, keys: keys) } catch { throw CaptureError(error) }
    }
}

extension WorldDevice {
    /// Writes the HCI packets between the device's host and its controller to a file from now on, for Wireshark:
    /// btsnoop. Times are virtual.
    /// - Parameter path: nil ends the capture.
    public func captureHCI(to path: String?) throws {
        do { try driver.captureHCI(of: id, to: path) } catch { throw CaptureError(error) }
    }
}

/// A file can't be written.
public struct CaptureError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person.
    public let description: String

    init(_ error: TransportError) { description = error.cause }
}
