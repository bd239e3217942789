import BLESimulator
import Testing

@Suite struct EntityGeneratorTests {
    private func numbers(_ seed: UInt64, _ entity: UInt64) -> [UInt64] {
        var generator = EntityGenerator(seed: seed, entity: entity)
        return (0..<4).map { _ in generator.next() }
    }

    @Test func `the same seed and entity give the same numbers`() {
        #expect(numbers(7, 3) == numbers(7, 3))
    }

    @Test func `another entity gives other numbers`() {
        #expect(numbers(7, 3) != numbers(7, 4))
    }

    @Test func `another seed gives other numbers`() {
        #expect(numbers(7, 3) != numbers(8, 3))
    }

    @Test func `is spread evenly`() {
        var generator = EntityGenerator(seed: 0, entity: 0)
        var ones = 0
        for _ in 0..<1_000 { ones += generator.next().nonzeroBitCount }
        #expect((31_500...32_500).contains(ones))
    }
}
