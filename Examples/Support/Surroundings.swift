import Dispatch
import Foundation

/// What the example programs get from their `main.swift`: where lines go, and real time.
///
/// The programs' classes take these as arguments, so that a test can hand them virtual time instead.
public enum Surroundings {
    /// Writes a line to standard output at once, also where that is a pipe.
    public static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Does work on the main queue after some seconds.
    public static func after(_ seconds: TimeInterval, _ work: @escaping () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: work)
    }

    /// Ends the program.
    public static func finish(_ code: Int32) {
        exit(code)
    }

    /// Hands over each line of standard input on the main queue, then nil at its end.
    public static func readLines(_ handle: @escaping (String?) -> Void) {
        Thread.detachNewThread {
            while let line = readLine(strippingNewline: true) {
                DispatchQueue.main.async { handle(line) }
            }
            DispatchQueue.main.async { handle(nil) }
        }
    }
}
