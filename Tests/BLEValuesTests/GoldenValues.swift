import BLEValues
import BLEWire
import Testing

/// Values with what they say. Drawn with a seed by `Scripts/compare_values.py --golden`, which takes those where each number
/// that the parsers of PyPI's bluetooth-sig 0.6.0 find is among ours; the words are the Bluetooth SIG's.
@Suite struct GoldenValues {
    private static let values = """
        2A0A 08040B0A03060141 Date Time 1032-11-10 03:06:01, Day of Week 65
        2A12 55 10.625 s
        2A19 0F 15 %
        2A34 04D9084F Sequence Number 2265, Tester Tester value not available, Health Under stress
        2A37 0DC6043401 Flags Sensor Contact, Heart Rate Measurement Value 1222 bpm, Energy Expended 308 kJ
        2A45 0065 Category ID Simple Alert, Unread Count 101
        2A4A 02000D55 bcdHID 0x0002, bCountryCode 13, Flags RemoteWake; bit 2; bit 4; bit 6
        2A6C D50FE4 -18309.55 m
        2A6D D0710EB6 305439995.2 Pa
        2A70 C5AB 439.73 m/s
        2A71 6F37 141.91 °
        2A72 D6CB 521.82 m/s
        2A73 0A36 138.34 °
        2A74 B3 17.9
        2A75 E605B6 11929062 /m³
        2A78 8101 0.385 m
        2A7A 8D -115 °C
        2A80 D3 211 years
        2A81 CF 207 bpm
        2A82 96 150 bpm
        2A84 85 133 bpm
        2A89 7F 127 bpm
        2A8D 99 153 bpm
        2A8E 894C 195.93 m
        2A91 66 102 bpm
        2A95 CB 203 bpm
        2A96 B7 183 mL/kg/min
        2A97 054E 199.73 m
        2A98 0DAF 224.065 kg
        2A99 DBA50A87 2265621979
        2A9A 6E 110
        2A9C 050920010A05A67805 Body Fat Percentage 28.8 %, User ID 10, Body Water Mass 425.01 lb, Height 140.0 in
        2A9D 097D5A03CB0E04 Weight 231.65 lb, BMI 5197.1 kg/m², Height 103.8 in
        2AC1 0B01070E0F1232 0267-07-14 15:18:50
        2AC9 C4 196
        2AD0 0FC40F01FE312F58 Steps Per Minute 271 /min, Average Step Rate 12798 /min, Positive Elevation Gain 22575 m
        2AD4 DC70A388470C Minimum Speed 288.92 km/h, Maximum Speed 349.79 km/h, Minimum Increment 31.43 km/h
        2AD5 0AB581C50B4A Minimum Inclination -1919.0 %, Maximum Inclination -1497.5 %, Minimum Increment 1895.5 %
        2AE0 00D60E Electric Current Value 547.84 A, Sensing Duration 0.008519 s
        2AE4 2B946D09 Chromaticity x-coordinate 0.5787811279296875, Chromaticity y-coordinate 0.0368194580078125
        2AE7 99 -103
        2AE8 0ED761EE -1.7473528e+28
        2AE9 3163 25393 K
        2AEA 0BF7 63243
        2AEB 1AFBA0 10550042
        2AEC 000A 2560
        2AEE 0E65 258.70 A
        2AEF 0F300AB1 Minimum Electric Current Value 123.03 A, Maximum Electric Current Value 453.22 A
        2AFA 08870C0508BF 210041165350664
        2AFB 45C4C5 129608.37 lx
        2B00 10280176 Minimum Luminous Flux 10256 lm, Maximum Luminous Flux 30209 lm
        2B01 D262 25298 cd
        2B02 0B45 17675 g/s
        2B03 F580 33013
        2B07 E55209DE60 Relative Runtime Value 114.5 %, Minimum Current 23.86 A, Maximum Current 247.98 A
        2B08 F02D89CADA Relative Value 120 %, Minimum Generic Level 35117, Maximum Generic Level 56010
        2B0C CB5BE88D06 Relative Value 101.5 %, Minimum Temperature Value -60.53 °C, Maximum Temperature Value 16.77 °C
        2B0E DF57B0 Temperature -16.5 °C, Start Time 8.7 h, End Time 17.6 h
        2B10 018F47E4 Minimum Temperature -289.27 °C, Maximum Temperature -70.97 °C
        2B12 00 0.0 h
        2B15 0908D3 13830.153 s
        2B16 0ABE 48650 s
        2B17 D2 210 s
        2B1C EF05 0.0231781005859375
        2B49 7084 33.904 m
        2B4C 96EE0E Light / Moderate Limit 150 bpm, Moderate / Hard Limit 238 bpm, Hard / Maximum Limit 14 bpm
        2B4F 5848 18520 s
        2B50 0086 34304 kcal
        2B7D BB010E Volume_Setting 187, Mute Muted, Change_Counter 14
        2B89 07010CDE 3725328.647 kVAh
        2B8A 0C07C9 1317454.0 VA
        2B8C 006B 27392 ppm
        2BD1 0060 0 ppb
        2BD4 0281 0.00000258 kg/m³
        2BD6 E580 0.00000229 kg/m³
        2BE0 C1F18D 145351.015625 V
        2BE2 0B08ED 15534091 lm
        2BE6 001BEFA0 2700024576 s
        2BE7 04C1 49412 ppb
        2BEA DD2203040B Battery Health Summary 34 %, Current Temperature 3 °C, Deep Discharge Count 2820
        2BEB 02760D Min Designed Operating Temperature 118 °C, Max Designed Operating Temperature 13 °C
        2BEE C10D4E00D4CF0D Time until Discharged 19981 min, Time until Discharged on Standby 905172 min
        2C05 70 112
        2C06 8D4C6EBC -1133622.131 m/s²
        2C1D A0DB0A Vector X -0.96 gₙ, Vector Y -0.37 gₙ, Vector Z 0.10 gₙ
        2C1E 098353FC0FE7 Vector X -31.991 gₙ, Vector Y -0.941 gₙ, Vector Z -6.385 gₙ
        2C26 03E30C Op Code Delete, Cooking Step Index 3299
        2C28 06090B2C0A Flags Last Cooking Step; Cooking Step Started, Cooking Step Index 2825, Remaining Time 2604 s
        2C2E 0C06 154.8 °C
        2C30 2EA6 42.542 m³/s
        """

    @Test(arguments: values.split(separator: "\n"))
    func `says what the parsers of another project say`(line: Substring) throws {
        let parts = line.split(separator: " ", maxSplits: 2)
        let layout = try #require(UInt16(parts[0], radix: 16).flatMap(ValueLayout.of))
        #expect(layout.decode(try #require(Hex.octets(parts[1]))).text == parts[2])
    }
}
