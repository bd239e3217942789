import BLETestSupport
import BLEBackend
import BLERuntime
import BLETransport
import Glibc
import Testing

@Suite struct ProcessSettingsTests {
    private func settings(_ variables: [String: String]) -> ProcessSettings {
        ProcessSettings(EnvironmentVariables(variables), executable: "/usr/bin/BandCentral")
    }

    @Test func `is a device of the executable's name on an adapter found by itself without variables`() {
        let settings = settings(["HOME": "/home/a"])
        #expect(settings.adapter == .auto)
        #expect(settings.device.text == "BandCentral")
        #expect(settings.capture == nil)
        #expect(settings.log == .warnings)
        #expect((try? settings.state.get())?.path == "/home/a/.local/state/ravning")
        #expect(settings.problems.isEmpty)
    }

    @Test(
        arguments: [
            ("auto", .auto),
            ("virtual", .virtual(.standard)),
            ("virtual:lab", .virtual(RadioName(nearest: "lab"))),
            ("bluez", .blueZ(nil)),
            ("bluez:hci1", .blueZ("hci1")),
            ("hci:0", .address(.hci(0))),
            ("unix:/a", .address(.unix(path: "/a"))),
            ("tcp:h:1", .address(.tcp(host: "h", port: 1))),
            ("serial:/dev/a@9600", .address(.serial(device: "/dev/a", baud: 9600))),
        ] as [(String, AdapterChoice)])
    func `reads the adapter`(text: String, choice: AdapterChoice) {
        let settings = settings(["RAVNING_ADAPTER": text])
        #expect(settings.adapter == choice)
        #expect(settings.problems.isEmpty)
    }

    @Test(arguments: [
        ("RAVNING_ADAPTER", "usb"), ("RAVNING_ADAPTER", "virtual:"), ("RAVNING_ADAPTER", "auto:1"),
        ("RAVNING_DEVICE", "a\tb"), ("RAVNING_CAPTURE", "x.txt"), ("RAVNING_LOG", "loud"),
        ("RAVNING_STATE_DIR", "relative"),
    ])
    func `says in one line what isn't understood`(variable: String, value: String) {
        let problems = settings([variable: value, "HOME": "/h"]).problems
        #expect(problems.count == 1)
        #expect(problems.first?.layer.hasPrefix(variable) == true)
        #expect(problems.first?.description.contains("\n") == false)
    }

    @Test func `P12 nothing is captured unless it is asked for, whatever is logged`() {
        #expect(settings(["HOME": "/h"]).capture == nil)
        #expect(settings(["HOME": "/h", "RAVNING_LOG": "trace"]).capture == nil)
        #expect(settings(["HOME": "/h", "RAVNING_CAPTURE": ""]).capture == nil)
    }

    @Test(
        arguments: [("a.btsnoop", .hci(path: "a.btsnoop")), ("/b.pcap", .air(path: "/b.pcap"))]
            as [(String, CaptureChoice)])
    func `knows a capture by the end of its name`(text: String, choice: CaptureChoice) {
        #expect(settings(["RAVNING_CAPTURE": text]).capture == choice)
    }

    @Test(arguments: [
        (["RAVNING_STATE_DIR": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/s"),
        (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/ravning"),
        (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/ravning"),
    ])
    func `finds the state folder`(variables: [String: String], path: String) {
        #expect((try? settings(variables).state.get())?.path == path)
    }

    @Test func `takes an empty variable for one that isn't set`() {
        #expect(settings(["RAVNING_ADAPTER": "", "RAVNING_CAPTURE": ""]).problems.isEmpty)
    }
}

@Suite struct AutomaticOpenerTests {
    private let folder = TemporaryFolder()

    private func failure(_ opener: AutomaticOpener) -> TransportError? {
        do throws(TransportError) {
            _ = try opener.open()
            return nil
        } catch {
            return error
        }
    }

    @Test func `says what was tried and that the virtual radio needs no hardware`() {
        #expect(
            failure(AutomaticOpener(withoutBlueZ: "BlueZ: bluetoothd doesn't run", classFolder: folder.path))?
                .description
                == "auto: no Bluetooth adapter can be used (BlueZ: bluetoothd doesn't run; the kernel has no Bluetooth "
                + "adapter); set RAVNING_ADAPTER=virtual, which needs no hardware, or name an adapter")
    }

    @Test func `tries the adapters in the order of their numbers and says why each failed`() {
        for name in ["hci10", "hci2", "hci2:64", "other"] { close(open(folder.path + "/" + name, O_CREAT, 0o600)) }
        let opener = AutomaticOpener(withoutBlueZ: "BlueZ: bluetoothd doesn't run", classFolder: folder.path) {
            number throws(TransportError) in
            throw userChannelError(number, code: number == 2 ? EBUSY : EPERM)
        }
        let error = failure(opener)
        #expect(error?.kind == .unauthorized)
        #expect(
            error?.cause
                == "no Bluetooth adapter can be used (BlueZ: bluetoothd doesn't run; hci2: the adapter is up, or "
                + "another program has it; hci10: the user channel needs the capability CAP_NET_ADMIN)")
    }

    @Test func `takes the first adapter that is free`() throws {
        for name in ["hci0", "hci1"] { close(open(folder.path + "/" + name, O_CREAT, 0o600)) }
        let opener = AutomaticOpener(withoutBlueZ: "BlueZ: bluetoothd doesn't run", classFolder: folder.path) {
            number throws(TransportError) in
            if number == 0 { throw userChannelError(number, code: EBUSY) }
            return StreamTransport(descriptor: -1)
        }
        #expect(try opener.open().descriptor == -1)
    }
}
