/// Every PDU of every protocol that is known here, for cold users: generator, tests, the coverage report.
package enum WireCatalogue {
    package static var all: [any WirePDU.Type] {
        let returns: [any WirePDU.Type] = HCICatalogue.commands.map { returnParameters(of: $0) }
        let hci: [any WirePDU.Type] = HCICatalogue.commands + HCICatalogue.events
        let l2cap: [any WirePDU.Type] = [L2CAPHeader.self] + L2CAPCatalogue.signals
        return hci + returns + l2cap + ATTCatalogue.all + SMPCatalogue.all + LLCatalogue.all
    }

    private static func returnParameters<Command: HCICommandPDU>(of command: Command.Type) -> any WirePDU.Type {
        Command.ReturnParameters.self
    }
}
