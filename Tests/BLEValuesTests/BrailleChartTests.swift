import BLEValues
import Testing

@Suite struct BrailleChartTests {
    private func chart(_ values: [Double], width: Int = 4, height: Int = 1) -> [String] {
        var chart = BrailleChart(width: width, height: height)
        for value in values { chart.append(value) }
        return chart.lines
    }

    @Test func `an empty chart is empty cells`() {
        #expect(chart([], width: 2, height: 2) == ["\u{2800}\u{2800}", "\u{2800}\u{2800}"])
    }

    @Test func `a rise goes from the lowest dot to the highest`() {
        // Levels 0 to 3: dots 7, 6, 2 and 4, and those between.
        #expect(chart([0, 1, 2, 3], width: 2) == ["\u{28E0}\u{281E}"])
    }

    @Test func `what doesn't change is in the middle`() {
        #expect(chart([5, 5], width: 1) == ["\u{2824}"])
    }

    @Test func `a jump over lines is joined`() {
        #expect(chart([0, 7], width: 1, height: 2) == ["\u{28B8}", "\u{28F8}"])
    }

    @Test func `the last ones are shown, and the scale is theirs`() {
        var chart = BrailleChart(width: 1, height: 1)
        for value: Double in [100, 1, 2] { chart.append(value) }
        #expect(chart.limits == 1...2)
    }

    private static let odd: [[Double]] = [
        [.nan], [.infinity, 1], [-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude], [1, .nan, 2],
    ]

    @Test(arguments: odd)
    func `numbers that are none leave a gap and never trap`(values: [Double]) {
        #expect(chart(values).count == 1)
    }
}
