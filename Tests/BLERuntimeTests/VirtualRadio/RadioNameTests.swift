import BLERuntime
import BLETransport
import Testing

@Suite struct RadioNameTests {
    @Test(arguments: [
        ("default", "default"), ("OBand-75", "OBand-75"), ("a.b", "a.b"), (".hidden", "%2Ehidden"), ("..", "%2E."),
        ("a/b", "a%2Fb"), ("Büro 1", "B%C3%BCro%201"), ("%", "%25"), ("心拍", "%E5%BF%83%E6%8B%8D"),
    ])
    func `writes a name as a file's, and reads it back`(text: String, file: String) throws {
        let name = try RadioName(text, in: "test")
        #expect(name.fileName == file)
        #expect(RadioName(fileName: file) == name)
    }

    @Test(arguments: ["", "a b", "a/b", "%2", "%zz", "%41"])
    func `reads no name from a file that has none`(file: String) {
        #expect(RadioName(fileName: file) == nil)
    }

    @Test(arguments: ["", "a\nb", "\u{7F}", String(repeating: "x", count: 65)])
    func `refuses what is no name`(text: String) {
        #expect(throws: TransportError.self) { try RadioName(text, in: "RAVNING_DEVICE") }
    }

    @Test(arguments: [
        ("BandCentral", "BandCentral"), ("", "device"), (" \n", "device"), ("a b", "ab"),
        (String(repeating: "é", count: 40), String(repeating: "é", count: 28)),
    ])
    func `makes a name of anything`(text: String, name: String) {
        #expect(RadioName(nearest: text).text == name)
    }
}
