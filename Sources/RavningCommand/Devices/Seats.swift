import BLEDeviceFiles
import BLEDevices
import BLERuntime
import BLETransport
import CommandLineKit

/// The devices that a radio has itself.
enum Seats {
    /// Reads the files first: what is wrong with one is known before there is a radio.
    static func read(_ setup: RadioSetup) throws -> [(seat: RadioSetup.Seat, device: DeviceDescription)] {
        try setup.seats.map { seat in
            let text: [UInt8]
            do throws(FileError) {
                text = try contents(ofFile: seat.path)
            } catch {
                throw CommandError(.notFound, "\(seat.path) can't be read: \(systemMessage(error.code))")
            }
            do throws(DocumentError) {
                return (seat, try DeviceDescription(YAML.read(text)))
            } catch {
                throw CommandError(.other, error.text(file: seat.path))
            }
        }
    }

    /// Lets them join.
    static func fill(
        _ seats: [(seat: RadioSetup.Seat, device: DeviceDescription)], on radio: RadioName,
        in directory: RuntimeDirectory, speed: Double
    ) throws -> [HostedDevice] {
        guard !seats.isEmpty else { return [] }
        let state = try StateFolder(.process)
        return try seats.map { seat, device in
            let identity = try DeviceIdentity.claim(seat.name, on: radio, state: state)
            let name = identity.name.text
            let hosted = HostedDevice(device, as: identity, on: radio, in: directory, speed: speed) { line in
                printLine("device \(name): \(line)".printable)
            }
            hosted.start()
            return hosted
        }
    }
}
