import BLEWire
import Testing

@Suite struct ChannelSelectionTests {
    @Test func `algorithm #1 gives the known channels`() throws {
        for run in Vectors.all.csa1.runs {
            let map = ChannelMap(bits: try #require(UInt64(run.channel_map, radix: 16)))
            let selection = ChannelSelection.first(hopIncrement: run.hop_increment)
            for (number, event) in run.events.enumerated() {
                let number = UInt64(number)
                let unmapped = ChannelSelection.firstUnmapped(event: number, hopIncrement: run.hop_increment)
                #expect(unmapped == event.unmapped)
                #expect(selection.channel(event: number, map: map) == event.channel)
            }
        }
    }

    @Test(arguments: Vectors.all.csa2)
    func `algorithm #2 gives the known channel`(_ vector: Vectors.SecondSelection) throws {
        let accessAddress = try #require(UInt32(vector.access_address, radix: 16))
        let map = ChannelMap(bits: try #require(UInt64(vector.channel_map, radix: 16)))
        #expect(
            ChannelSelection.second(accessAddress: accessAddress) == .second(identifier: vector.channel_identifier))
        let counter = UInt16(truncatingIfNeeded: vector.counter)
        let random = ChannelSelection.pseudoRandom(event: counter, identifier: vector.channel_identifier)
        #expect(random == vector.prn_e)
        #expect(random % 37 == UInt16(vector.unmapped))
        let selection = ChannelSelection.second(accessAddress: accessAddress)
        #expect(selection.channel(event: vector.counter, map: map) == vector.channel)
    }

    @Test func `algorithm #1 hops on evenly where connEventCounter wraps`() {
        let before = ChannelSelection.firstUnmapped(event: 65535, hopIncrement: 7)
        #expect(ChannelSelection.firstUnmapped(event: 65536, hopIncrement: 7) == (before + 7) % 37)
    }

    @Test func `every channel that is chosen is one of the map`() {
        let map = ChannelMap(bits: 0x10_0000_0401)
        for selection in [ChannelSelection.first(hopIncrement: 11), .second(accessAddress: 0x8E89_BED6)] {
            for number in UInt64(0)..<1000 { #expect(map.contains(selection.channel(event: number, map: map))) }
        }
    }

    @Test(
        arguments: [
            (0x8E89_BED6, "it is the advertising address"),
            (0x8E89_BED7, "it differs from the advertising address in one bit"),
            (0x5A5A_5A5A, "its four octets are equal"),
            (0x5000_0F35, "seven zeros follow each other"),
            (0xAAAA_AA55, "it has more than 24 transitions"),
            (0xFC31_2B57, "its six most significant bits have no two transitions"),
            (0x4C31_2B01, "its least significant octet has fewer than three ones"),
            (0x4C31_5557, "its least significant 16 bits have more than eleven transitions"),
        ] as [(UInt32, String)])
    func `an access address that breaks a rule is refused`(_ address: UInt32, _ why: String) {
        #expect(!AccessAddress.isAllowed(address), "\(why)")
    }

    @Test func `access addresses that are drawn keep the rules and aren't taken`() {
        var generator = SystemRandomNumberGenerator()
        var taken: [UInt32] = []
        for _ in 0..<200 {
            let address = AccessAddress.random(using: &generator) { taken.contains($0) }
            #expect(AccessAddress.isAllowed(address))
            #expect(!taken.contains(address))
            taken.append(address)
        }
    }
}
