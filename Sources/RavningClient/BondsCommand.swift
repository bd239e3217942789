import CommandLineKit
import CoreBluetooth
import Dispatch
import Foundation
import Ravning

/// `ravning bonds`: the devices that are paired with the adapter.
let bondsCommand = Command(.bonds, arguments: "[list | remove DEVICE]", argumentCount: 0...2) { options in
    switch (options.arguments.first ?? "list", options.arguments.count) {
    case ("list", 0...1):
        let session = try Session(options)
        for peer in session.bonds { try session.say("bond", peer) }
    case ("remove", 2):
        let session = try Session(options)
        let name = DeviceName(options.arguments[1])
        let matching = session.bonds.filter { name.matches(identifier: $0.identifier, name: $0.name) }
        guard let peer = matching.first else {
            throw CommandError(.notFound, "there is no bond with \(name.text)")
        }
        if matching.count > 1 {
            throw UsageError("\(name.text) is \(matching.count) devices: write more of the identifier")
        }
        Pairing.removeBond(with: peer.identifier)
        try session.waitForRemoval(of: peer.identifier)
        try session.say("removed", peer)
    default: throw UsageError("write nothing, list, or remove DEVICE")
    }
}

private struct BondedPeer {
    let identifier: UUID
    let name: String?
}

extension Session {
    fileprivate var bonds: [BondedPeer] {
        Pairing.bondedPeers.sorted { $0.uuidString < $1.uuidString }.map { identifier in
            let known = manager.retrievePeripherals(withIdentifiers: [identifier]).first
            return BondedPeer(identifier: identifier, name: known?.name)
        }
    }

    fileprivate func say(_ event: String, _ peer: BondedPeer) throws {
        try output.say(
            (event == "removed" ? "removed " : "") + peer.identifier.uuidString
                + (peer.name.map { "  \"\($0.printable)\"" } ?? ""),
            .object([
                ("event", .text(event)), ("device", .text(peer.identifier.uuidString)),
                ("name", peer.name.map(JSON.text)),
            ]))
    }

    /// Nothing tells of it: looks until the bond is gone.
    fileprivate func waitForRemoval(of identifier: UUID) throws {
        let deadline = DispatchTime.now() + patience
        while Pairing.bondedPeers.contains(identifier) {
            guard .now() < deadline else { throw CommandError(.timedOut, "removing the bond took too long") }
            let _: Void? = try waitIfAny(within: 0.01) { _ in nil }
        }
    }
}
