import BLEDeviceFiles
import BLEDevices
import BLEWire
import Foundation

/// What a device file of this text describes.
func device(_ text: String) throws -> DeviceDescription { try DeviceDescription(YAML.read(Array(text.utf8))) }

/// What is said of a text that is wrong; nil where nothing is.
func complaint(_ text: String) -> String? {
    do throws(DocumentError) {
        _ = try DeviceDescription(YAML.read(Array(text.utf8)))
        return nil
    } catch {
        return error.text(file: "f")
    }
}

/// A file with one service that has one characteristic, of these lines.
func file(_ lines: String) -> String {
    """
    services:
      - uuid: FFF0
        characteristics:
          - uuid: FFF1

    """ + lines.split(separator: "\n").map { "        " + $0 + "\n" }.joined()
}

/// The folder with the devices that come with the package.
let devicesFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Devices")

/// Their paths within it.
func readyDevices() -> [String] {
    let all = FileManager.default.enumerator(atPath: devicesFolder.path)?.allObjects as? [String] ?? []
    return all.filter { $0.hasSuffix(".yaml") }.sorted()
}

let noon = WallTime(year: 2026, month: 3, day: 4, hour: 12, minute: 5, second: 9)
