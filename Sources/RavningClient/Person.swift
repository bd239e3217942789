import CommandLineKit
import Dispatch
import Foundation
import Glibc
import Ravning

/// Asks the person at the terminal when a pairing needs one.
///
/// Without a terminal there is nobody to ask: what needs a person is refused, and said in a line on standard error.
final class Person: PairingDelegate {
    private let inbox: Inbox
    /// Agrees where there is nothing to compare or to type.
    private let agrees: Bool
    /// Whether a pairing is wanted at all.
    private let mayPair: Bool
    private let isPresent = isatty(STDIN_FILENO) == 1
    /// Where an answer is waited for.
    private let asking = DispatchQueue(label: "ravning.person")

    init(_ inbox: Inbox, agrees: Bool, mayPair: Bool) {
        self.inbox = inbox
        self.agrees = agrees
        self.mayPair = mayPair
    }

    func pairing(didReceive request: PairingRequest) {
        let name = request.name.map { "\"\($0.printable)\"" } ?? request.peer.uuidString
        guard mayPair else { return request.reject() }
        inbox.put(.asking)
        if agrees, request.kind == .confirmation { return request.accept() }
        guard isPresent else {
            let remedy =
                request.kind == .confirmation ? "run the command on a terminal, or say --yes" : "run it on a terminal"
            printError("ravning: pairing with \(name) needs a person (\(request.kind.need)); \(remedy)")
            return request.reject()
        }
        asking.async { Self.ask(request, name) }
    }

    func pairing(didEndWith peer: UUID, error: PairingError?) {
        inbox.put(.paired(peer, failure: error?.description))
    }

    private static func ask(_ request: PairingRequest, _ name: String) {
        switch request.kind {
        case .confirmation: answer("Pair with \(name)?", request)
        case .replacement: answer("\(name) is paired already. Pair anew?", request)
        case .comparison(let number): answer("Does \(name) show \(digits(number))?", request)
        case .passkeyDisplay(let number): printError("Type \(digits(number)) at \(name).")
        case .passkeyEntry:
            printError("Type the passkey that \(name) shows:")
            let text = (readLine() ?? "").filter { $0 != " " }
            guard text.count == 6, let passkey = Int(text) else {
                printError("That isn't six digits: not paired.")
                return request.reject()
            }
            request.enter(passkey: passkey)
        }
    }

    private static func answer(_ question: String, _ request: PairingRequest) {
        // On standard error: standard output may go elsewhere.
        printError(question + " [y/n]")
        let text = (readLine() ?? "").lowercased()
        text == "y" || text == "yes" ? request.accept() : request.reject()
    }

    /// Six digits, in two groups of three.
    private static func digits(_ number: Int) -> String {
        let text = String(number)
        let padded = String(repeating: "0", count: max(0, 6 - text.count)) + text
        return padded.prefix(3) + " " + padded.dropFirst(3)
    }
}

extension PairingRequest.Kind {
    /// What the person would have to do.
    fileprivate var need: String {
        switch self {
        case .confirmation: "to agree to it"
        case .comparison: "to compare two numbers"
        case .passkeyEntry: "to type a passkey"
        case .passkeyDisplay: "to read a passkey"
        case .replacement: "to let the bond that there is be replaced"
        }
    }
}
