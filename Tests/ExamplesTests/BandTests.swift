import BandCentralProgram
import BandPeripheralProgram
import CoreBluetoothSimulation
import Foundation
import Testing

/// Tutorial 1: the wrist band and who looks for it.
@Suite struct BandTests {
    private func band(_ place: Stage.Place, _ options: BandPeripheral.Options = .init()) -> BandPeripheral {
        let program = BandPeripheral(options: options, now: place.now, after: place.after, say: place.say)
        place.run { program.start(queue: place.queue) }
        return program
    }

    private func central(_ place: Stage.Place, _ options: BandCentral.Options = .init()) -> BandCentral {
        let program = BandCentral(options: options, after: place.after, say: place.say, finish: place.finish)
        place.run { program.start(queue: place.queue) }
        return program
    }

    @Test func `the band central finds, explores, reads, writes, follows and leaves the band`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let phone = stage.place("phone")
        let programs = (band(wrist), central(phone))
        #expect(stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60)))
        stage.world.advance(by: .seconds(1))
        #expect(phone.exitCode == 0)
        #expect(
            phone.saidInOrder(
                "state: poweredOn", "found OBand-75", "connected to OBand-75", "service FFF0", "service FFE0",
                "characteristic FFF1 of FFF0", "characteristic FFF2 of FFF0", "descriptor 2902 of FFF1",
                "descriptor 2901 of FFF2", "RSSI ", "written FFF2: no error", "notifications of FFF1 are on, no error",
                "value of FFF1: ", "notifications of FFF1 are off, no error", "disconnected: no error"),
            "\(phone.lines)")
        #expect(phone.said("descriptor 2901: xmgDes1"))
        #expect(phone.said("value of FFE1: 584d472062616e64 \"XMG band\""))
        #expect(phone.count("value of FFF1: ") == 3)
        #expect(
            wrist.saidInOrder(
                "Bluetooth: opened", "service FFF0 added", "service FFE0 added", "advertising as OBand-75",
                "write of FFF2: hello band", "subscribed to FFF1", "sent ", "unsubscribed from FFF1"),
            "\(wrist.lines)")
        withExtendedLifetime(programs) {}
    }

    @Test func `every two seconds a subscriber gets the time as yy colon MM colon dd colon HH colon mm colon ss`()
        throws
    {
        let stage = Stage()
        let wrist = stage.place("band")
        let phone = stage.place("phone")
        let programs = (band(wrist), central(phone))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        let times = wrist.lines.filter { $0.hasPrefix("sent ") }.map { String($0.dropFirst(5)) }
        #expect(times.count == 3)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yy:MM:dd:HH:mm:ss"
        let dates = try times.map { try #require(formatter.date(from: $0)) }
        #expect(dates[1].timeIntervalSince(dates[0]) == 2)
        #expect(dates[2].timeIntervalSince(dates[1]) == 2)
        for time in times { #expect(phone.said("\"\(time)\"")) }
        withExtendedLifetime(programs) {}
    }

    @Test func `a band that is not there is a clear message and exit code 1`() {
        let stage = Stage()
        let phone = stage.place("phone")
        let program = central(phone)
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 1)
        #expect(phone.said("OBand-75 was not found within 10 s"))
        #expect(stage.world.now >= .seconds(10))
        withExtendedLifetime(program) {}
    }

    @Test func `another device is named as not the one looked for, and the band is found beside it`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let other = stage.place("other")
        let phone = stage.place("phone")
        var options = BandPeripheral.Options()
        options.name = "XMGPeripheral"
        let programs = (band(other, options), band(wrist), central(phone))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 0)
        #expect(phone.count("XMGPeripheral is not the one looked for") == 1)
        withExtendedLifetime(programs) {}
    }

    @Test func `the same characteristic UUID in two services works in both roles`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let phone = stage.place("phone")
        var options = BandPeripheral.Options()
        options.sameUUID = true
        let programs = (band(wrist, options), central(phone))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 0)
        #expect(phone.said("characteristic FFF2 of FFF0"))
        #expect(phone.said("characteristic FFF2 of FFE0"))
        // One is empty until it is written, the other has its own value.
        #expect(phone.said("value of FFF2:  \"\""), "\(phone.lines)")
        #expect(phone.said("value of FFF2: 584d472062616e64 \"XMG band\""))
        withExtendedLifetime(programs) {}
    }

    @Test func `what one central wrote the next one reads`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let first = stage.place("first")
        let second = stage.place("second")
        let peripheral = band(wrist)
        let writer = central(first)
        stage.world.run(until: { first.exitCode != nil }, timeout: .seconds(60))
        let reader = central(second)
        stage.world.run(until: { second.exitCode != nil }, timeout: .seconds(60))
        #expect(first.exitCode == 0)
        #expect(second.exitCode == 0)
        #expect(second.said("value of FFF2: 68656c6c6f2062616e64 \"hello band\""), "\(second.lines)")
        withExtendedLifetime((peripheral, writer, reader)) {}
    }

    @Test func `reading all shows the error of what can't be read`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let phone = stage.place("phone")
        var options = BandCentral.Options()
        options.readAll = true
        let programs = (band(wrist), central(phone, options))
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 0)
        #expect(phone.said("value of FFF1: Error Domain=CBATTErrorDomain Code=2"), "\(phone.lines)")
        withExtendedLifetime(programs) {}
    }

    @Test func `two subscribers share one timer, and the last to leave stops it`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let first = stage.place("first")
        let second = stage.place("second")
        var long = BandCentral.Options()
        long.values = 6
        let programs = (band(wrist), central(first), central(second, long))
        stage.world.run(until: { first.exitCode != nil && second.exitCode != nil }, timeout: .seconds(60))
        #expect(first.exitCode == 0)
        #expect(second.exitCode == 0)
        // One value every two seconds, however many are subscribed: no second of time was sent twice.
        let sent = wrist.count("sent ")
        #expect(Set(wrist.lines.filter { $0.hasPrefix("sent ") }).count == sent)
        #expect((6...10).contains(sent))
        stage.world.advance(by: .seconds(10))
        #expect(wrist.count("sent ") == sent)
        withExtendedLifetime(programs) {}
    }

    @Test func `power off in the middle ends the central with exit code 1, and the band says that it failed`() {
        let stage = Stage()
        let wrist = stage.place("band")
        let phone = stage.place("phone")
        let programs = (band(wrist), central(phone))
        stage.world.run(until: { phone.said("notifications of FFF1 are on") }, timeout: .seconds(60))
        wrist.phone.powerOff()
        stage.world.run(until: { phone.exitCode != nil }, timeout: .seconds(60))
        #expect(phone.exitCode == 1)
        #expect(wrist.said("Bluetooth: failed to open (state 4)"))
        #expect(
            phone.said("disconnected: error: Error Domain=CBErrorDomain Code=6")
                || phone.said("disconnected: error: Error Domain=CBErrorDomain Code=7"), "\(phone.lines)")
        withExtendedLifetime(programs) {}
    }
}
