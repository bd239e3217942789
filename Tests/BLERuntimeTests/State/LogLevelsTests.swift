import BLEBackend
import BLEWire
import Testing

@Suite struct LogLevelsTests {
    @Test func `one level holds for all layers`() throws {
        let levels = try #require(LogLevels(parsing: "debug"))
        #expect(levels.admits(.debug, "att"))
        #expect(!levels.admits(.trace, "att"))
    }

    @Test func `layers have levels of their own`() throws {
        let levels = try #require(LogLevels(parsing: "att=trace, smp=debug"))
        #expect(levels.admits(.trace, "att"))
        #expect(!levels.admits(.trace, "smp"))
        #expect(levels.admits(.warning, "hci"))
        #expect(!levels.admits(.info, "hci"))
        #expect(levels.lowest == TraceEvent.Level.trace.rawValue)
    }

    @Test func `a general level and layers mix`() throws {
        let levels = try #require(LogLevels(parsing: "off,gatt=Info"))
        #expect(!levels.admits(.critical, "hci"))
        #expect(levels.admits(.info, "gatt"))
    }

    @Test(arguments: ["loud", "att=", "=debug", "att=loud"])
    func `anything else isn't read`(text: String) {
        #expect(LogLevels(parsing: text) == nil)
    }
}
