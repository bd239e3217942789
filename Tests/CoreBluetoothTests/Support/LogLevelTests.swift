import BLEBackend
import Testing

@Suite struct LogLevelTests {
    @Test func `levels that the program has set outlast those of the environment`() throws {
        LogCapture.install()
        Diagnostics.setLevelsOfEnvironment(.warnings)
        #expect(Diagnostics.levels == LogCapture.levels)
    }
}
