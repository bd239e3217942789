import BLEDeviceFiles
import BLEDevices
import CommandLineKit
import Foundation

/// Files that describe devices.
enum DeviceFiles {
    static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError(.notFound, "\(path) can't be read")
        }
        return Array(data)
    }

    static func device(at path: String) throws -> DeviceDescription {
        let text = try contents(of: path)
        do throws(DocumentError) {
            return try DeviceDescription(YAML.read(text))
        } catch {
            throw CommandError(.other, error.text(file: path))
        }
    }
}
