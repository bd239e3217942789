import CLinuxSupport
import Glibc

/// Opens the user channel of hciN: from then on the kernel keeps away from the adapter.
func openUserChannel(_ number: UInt16) throws(TransportError) -> any HCITransport {
    let result = cls_hci_user_socket(number)
    if result < 0 { throw userChannelError(number, code: -result, holders: AdapterHolder.all()) }
    return UserChannelTransport(descriptor: result)
}

/// Says what stood in the way, by the error number of `socket` or `bind`, and by who uses Bluetooth besides.
package func userChannelError(_ number: UInt16, code: Int32, holders: [AdapterHolder] = []) -> TransportError {
    let layer = "hci:\(number)"
    /// ERFKILL, which Glibc's module doesn't name.
    let blockedByRadioSwitch: Int32 = 132
    switch code {
    case EPERM, EACCES:
        return TransportError(
            .unauthorized, layer: layer, cause: "the user channel needs the capability CAP_NET_ADMIN",
            remedy: "run `sudo setcap cap_net_admin+ep PROGRAM`, or run the program as root")
    case EAFNOSUPPORT, EPROTONOSUPPORT:
        return TransportError(
            .unsupported, layer: layer, cause: "the kernel has no Bluetooth sockets",
            remedy: "load the module bluetooth, or set RAVNING_ADAPTER=virtual, which needs no hardware")
    case ENODEV:
        return TransportError(
            .unsupported, layer: layer, cause: "there is no adapter hci\(number)",
            remedy: "see /sys/class/bluetooth for those there are, or set RAVNING_ADAPTER=virtual")
    case EBUSY, EUSERS: return busyAdapter(number, holders)
    case blockedByRadioSwitch:
        return TransportError(
            .unavailable, layer: layer, cause: "the adapter is blocked by a radio switch",
            remedy: "run `rfkill unblock bluetooth`")
    default:
        return TransportError(
            .unsupported, layer: layer, cause: "the user channel can't be opened: \(systemMessage(code))",
            remedy: "see `dmesg`, or set RAVNING_ADAPTER=virtual")
    }
}

/// The adapter is up: for the kernel's own host, which bluetoothd manages, or for another user channel.
private func busyAdapter(_ number: UInt16, _ holders: [AdapterHolder]) -> TransportError {
    let layer = "hci:\(number)"
    let programs = holders.filter { !$0.isDaemon && !$0.isMonitor }
    guard programs.isEmpty else {
        let names = programs.map(\.text).joined(separator: " or ")
        return TransportError(
            .unavailable, layer: layer, cause: "another program has the adapter: \(names)",
            remedy: "end that program, or name another adapter")
    }
    let daemon = holders.first { $0.isDaemon }
    return TransportError(
        .unavailable, layer: layer,
        cause: daemon.map { "the adapter is up, and \($0.text) manages it" }
            ?? "the adapter is up, or another program has it",
        remedy: "stop bluetoothd, or take the adapter from it with `sudo btmgmt --index \(number) power off`")
}
