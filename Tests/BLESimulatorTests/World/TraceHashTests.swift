import BLESimulator
import BLEWire
import Testing

@Suite struct TraceHashTests {
    private func hash(_ change: (inout TraceHash) -> Void) -> UInt64 {
        var hash = TraceHash()
        change(&hash)
        return hash.value
    }

    /// A figure from another process: it may not change with the process's hashing seed.
    @Test func `is the same in every process`() {
        #expect(hash { $0.mix([1, 2, 3] as [UInt8]) } == 0xBE7A_5777_EF1F_3B0F)
    }

    @Test func `depends on the order`() {
        let forth = hash {
            $0.mix(1); $0.mix(2)
        }
        let back = hash {
            $0.mix(2); $0.mix(1)
        }
        #expect(forth != back)
    }

    @Test func `tells two packets from one with the same octets`() {
        let one = hash { $0.mix([1, 2] as [UInt8]) }
        let two = hash {
            $0.mix([1] as [UInt8]); $0.mix([2] as [UInt8])
        }
        #expect(one != two)
    }
}
