import BLEDeviceFiles
import BLEDevices
import BLETransport
import CommandLineKit

/// Files that the command line names.
enum DeviceFiles {
    /// All of a file, or of what a pipe brings; `-` is standard input.
    static func contents(of path: String) throws -> [UInt8] {
        do throws(FileError) {
            return try BLETransport.contents(ofFile: path == "-" ? "/dev/stdin" : path)
        } catch {
            throw CommandError(.notFound, "\(path) can't be read: \(systemMessage(error.code))")
        }
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
