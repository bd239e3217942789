/// How Linux' HCI monitor numbers what it tells of an adapter.
enum HCIMonitor {
    /// Packets; nil for what is none: an adapter that comes or goes, a message of a program.
    static func kind(_ number: UInt16) -> (H4Indicator, BTSnoop.Record.Direction)? {
        switch number {
        case 2: (.command, .hostToController)
        case 3: (.event, .controllerToHost)
        case 4: (.aclData, .hostToController)
        case 5: (.aclData, .controllerToHost)
        case 6: (.synchronousData, .hostToController)
        case 7: (.synchronousData, .controllerToHost)
        case 18: (.isoData, .hostToController)
        case 19: (.isoData, .controllerToHost)
        default: nil
        }
    }
}
