import CommandLineKit
import Testing

@Suite struct JSONTests {
    @Test func `is one line, with its keys in order and without those that have no value`() {
        let value = JSON.object([
            ("b", .text("x")), ("a", .number(-1)), ("none", nil), ("list", .list([.flag(true), .decimal("0.50")])),
        ])
        #expect(value.line == #"{"b":"x","a":-1,"list":[true,0.50]}"#)
    }

    @Test func `what could break a line or a text is escaped`() {
        #expect(JSON.text("\"\\\n\u{1B}\u{7F}ä").line == #""\"\\\n\u001b\u007fä""#)
    }

    @Test func `control characters of a name are written out for a person`() {
        #expect("a\u{1B}[31m\n\u{202E}ä".printable == #"a\u{1b}[31m\u{a}\u{202e}ä"#)
    }
}
