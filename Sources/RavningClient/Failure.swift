import CommandLineKit
import CoreBluetooth
import Foundation

/// Errors of Core Bluetooth as a command ends with them.
enum Failure {
    /// - Parameter action: what failed.
    static func of(_ action: String, _ error: (any Error)?) -> CommandError {
        guard let error else { return CommandError(.other, "\(action) failed") }
        return CommandError(
            code(of: error), "\(action): \(text(error))", attributeError: (error as? CBATTError)?.code.rawValue)
    }

    static func lost(_ error: (any Error)?) -> CommandError {
        CommandError(.other, "the connection has ended" + (error.map { ": \(text($0))" } ?? ""))
    }

    static func text(_ error: any Error) -> String { error.localizedDescription.printable }

    /// What the peer answers is a refusal; what doesn't come in time is one of time.
    private static func code(of error: any Error) -> ExitCode {
        if error is CBATTError { return .refused }
        switch (error as? CBError)?.code {
        case .connectionTimeout, .encryptionTimedOut: return .timedOut
        case .peerRemovedPairingInformation, .tooManyLEPairedDevices: return .refused
        default: return .other
        }
    }

    /// Throws where there is an error.
    static func check(_ action: String, _ error: (any Error)?) throws {
        if error != nil { throw of(action, error) }
    }
}
