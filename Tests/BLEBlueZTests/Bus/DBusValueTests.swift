import BLEBlueZ
import Testing

struct DBusValueTests {
    @Test func `A value knows its type's signature, however deep`() {
        let interfaces = DBusValue.dictionary(key: "s", value: "a{sv}", [])
        let values: [(DBusValue, String)] = [
            (.byte(1), "y"), (.bool(true), "b"), (.uint16(1), "q"), (.path("/"), "o"), (.bytes([]), "ay"),
            (.strings(["a"]), "as"), (.properties(["A": .int16(1)]), "a{sv}"), (interfaces, "a{sa{sv}}"),
            (.structure([.string("a"), .variant(.byte(1))]), "(sv)"), (.socket(.init(rawValue: 1)), "h"),
        ]
        for (value, signature) in values { #expect(value.typeSignature == signature) }
    }

    @Test func `Properties come out of their variants, also of variants in variants`() {
        let value = DBusValue.properties(["A": .variant(.uint32(7)), "B": .bytes([1, 2])])
        #expect(value.properties == ["A": .uint32(7), "B": .bytes([1, 2])])
        #expect(DBusValue.variant(value).properties?["A"]?.number == 7)
    }

    @Test func `What is of another type than expected is nothing`() {
        let value = DBusValue.uint64(.max)
        #expect(value.number == nil)
        #expect(value.text == nil && value.flag == nil && value.octets == nil && value.texts == nil)
        #expect(DBusValue.dictionary(key: "y", value: "v", [.init(.byte(1), .variant(.byte(2)))]).properties == nil)
    }
}
