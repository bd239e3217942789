import BLEWire
import Testing

@Suite struct AirTimeTests {
    @Test(
        arguments: [
            (0, PhysicalLayer.le1M, 80), (27, .le1M, 296), (37, .le1M, 376), (251, .le1M, 2088), (255, .le1M, 2120),
            (0, .le2M, 44), (27, .le2M, 152), (251, .le2M, 1048), (255, .le2M, 1064),
            (0, .codedS8, 720), (31, .codedS8, 2704), (255, .codedS8, 17040),
            (0, .codedS2, 462), (31, .codedS2, 958), (255, .codedS2, 4542),
        ] as [(Int, PhysicalLayer, Int64)])
    func `a packet takes the time of the specification`(_ payload: Int, _ phy: PhysicalLayer, _ time: Int64) {
        #expect(AirTime.packet(payload: payload, on: phy) == .microseconds(time))
    }

    @Test func `27 octets at 1M and their empty answer take 676 µs with both spaces, so eleven fit 7.5 ms`() {
        let exchange =
            AirTime.packet(payload: 27, on: .le1M) + AirTime.packet(payload: 0, on: .le1M)
            + AirTime.interFrameSpace * 2
        #expect(exchange == .microseconds(676))
        #expect(Delay.microseconds(7500) / exchange == 11)
    }

    @Test(
        arguments: [
            (328, PhysicalLayer.le1M, 27), (2120, .le1M, 251), (2704, .codedS8, 27), (17040, .codedS8, 251),
            (1064, .le2M, 251), (4542, .codedS2, 251), (100, .codedS8, 0),
        ] as [(Int, PhysicalLayer, Int)])
    func `the longest payload within a time leaves room for a MIC`(_ time: Int, _ phy: PhysicalLayer, _ octets: Int) {
        #expect(AirTime.longestPayload(within: time, on: phy) == octets)
        if octets > 0 { #expect(AirTime.limit(payload: octets, on: phy) == time) }
    }
}
