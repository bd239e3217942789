import BLEWire
import Testing

@Suite struct AirVectorTests {
    @Test(arguments: Vectors.all.crc24)
    func `the CRC of the catalogue's check value is the catalogue's`(_ vector: Vectors.CRC) throws {
        let initial = try #require(UInt32(vector.`init`, radix: 16))
        let register = CRC24.register(over: hex(vector.data), initial: initial)
        #expect(register == UInt32(vector.crc, radix: 16))
    }

    @Test(arguments: Vectors.all.whitening)
    func `the whitening of a channel is the known sequence`(_ vector: Vectors.WhiteningSequence) {
        let expected = hex(vector.sequence)
        #expect(Whitening.sequence(channel: vector.channel, count: expected.count) == expected)
    }

    @Test(arguments: Vectors.all.air_frames)
    func `a frame is sent as the known bits`(_ vector: Vectors.Frame) throws {
        let initial = try #require(UInt32(vector.crc_init, radix: 16))
        let head = hex(vector.preamble_and_access_address)
        let accessAddress = head.dropFirst().reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let frame = AirFrame.octets(
            pdu: hex(vector.pdu), accessAddress: accessAddress, crcInit: initial, channel: vector.channel)
        #expect(frame == hex(vector.on_air))
    }

    @Test(arguments: Vectors.all.air_frames)
    func `a frame that was sent is valid when it comes back, and no longer with one bit changed`(
        _ vector: Vectors.Frame
    ) throws {
        let initial = try #require(UInt32(vector.crc_init, radix: 16))
        let body = Array(hex(vector.on_air).dropFirst(5))
        var received = Whitening.apply(to: body, channel: vector.channel)
        #expect(CRC24.isValid(received, initial: initial))
        received[received.count / 2] ^= 0x10
        #expect(!CRC24.isValid(received, initial: initial))
    }

    @Test func `the CRC is the same whether octets are taken by four or one by one`() {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<40 {
            let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(CRC24.register(over: octets, initial: 0x12_3456) == bitwise(octets, 0x12_3456))
        }
    }

    /// The register as the specification draws it, bit by bit.
    private func bitwise(_ octets: [UInt8], _ initial: UInt32) -> UInt32 {
        var register = initial
        for octet in octets {
            for bit in UInt8(0)..<8 {
                let feedback = (register >> 23 & 1) ^ UInt32(octet >> bit & 1)
                register = (register << 1 & 0xFF_FFFF) ^ (feedback == 1 ? 0x00_065B : 0)
            }
        }
        return (0..<24).reduce(UInt32(0)) { $0 | (register >> UInt32($1) & 1) << UInt32(23 - $1) }
    }
}
