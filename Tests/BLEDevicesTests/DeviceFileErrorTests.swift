import Testing

/// What is said of device files that are wrong.
@Suite struct DeviceFileErrorTests {
    @Test(arguments: [
        ("- x\n", "f:1:1: a list, expected a device file: keys such as advertisement and services"),
        (
            "servces: []\n",
            "f:1:1: \"servces\" has no meaning here, expected one of device, seed, advertisement, services"
        ),
        (
            "services:\n  - uuid: 18 00\n",
            "f:2:11: \"18 00\", expected a UUID: 4, 8 or 32 hexadecimal digits, the last with hyphens"
        ),
        ("services:\n  - primary: no\n", "f:2:5: there is no \"uuid\", expected one"),
        ("services:\n  - uuid: FFF0\n    primary: maybe\n", "f:3:14: \"maybe\", expected yes or no"),
        (
            "services:\n  - uuid: 1800\n",
            "f:2:11: the system has the service 1800 by itself, expected another service"
        ),
        (
            "services:\n  - uuid: FFF0\n    includes: [FFE0]\n  - uuid: FFE0\n",
            "f:3:16: the service \"FFE0\" comes later, expected one that stands before this one"
        ),
        ("advertisement: {name: [x]}\n", "f:1:23: a list, expected a text"),
        (
            "advertisement: {tx-power: 4}\n",
            "f:1:17: \"tx-power\" has no meaning here, expected one of name, services, beacon"
        ),
        (
            "advertisement:\n  name: twelve octets\n  beacon:\n    service-data:\n      - service: FEAA\n"
                + "        value: {hex: 00 01 02 03 04 05 06 07 08 09}\n",
            "f:2:3: an advertisement of 32 octets with its flags, expected at most 31"
        ),
    ])
    func `of the device and its services`(text: String, expected: String) {
        #expect(complaint(text) == expected)
    }

    @Test(arguments: [
        (
            "properties: [read, wriet]\n",
            "f:5:28: \"wriet\", expected one of broadcast, read, write-without-response, write, notify, indicate, signed-write, extended"
        ),
        (
            "properties: broadcast\n",
            "f:5:21: a peripheral manager publishes neither broadcast nor extended, expected others"
        ),
        (
            "encryption: notify\n",
            "f:5:21: encryption for notify, which the properties don't have, expected what they have"
        ),
        (
            "value: 5\n",
            "f:5:16: \"5\", expected a value such as {hex: 01 02}, {text: abc}, {u16: 500}, or a list of these"
        ),
        (
            "value: {u8: 1, u16: 2}\n",
            "f:5:16: a part of several kinds, expected a value such as {hex: 01 02}, {text: abc}, {u16: 500}, or a list of these"
        ),
        ("value: {hex: 0}\n", "f:5:22: \"0\", expected octets in hexadecimal, such as 0A 1B"),
        ("value: {u8: 256}\n", "f:5:21: 256.0 has no room in u8, expected a number that has"),
        ("value: {i16: 400, places: 2}\n", "f:5:22: 400.0 has no room in i16 of 2 places, expected a number that has"),
        (
            "value: {u64: 18446744073709551615}\n",
            "f:5:22: 1.8446744073709552e+19 has no room in u64, expected a number that has"
        ),
        ("value: {u64: 9007199254740994}\n", "f:5:22: a number above 2^53, expected its octets, as hex"),
        ("value: {u8: {ramp: [1, 9]}}\n", "f:4:9: a value that goes on, expected \"every\", to say how often"),
        ("value: {u8: {ramp: [1]}}\nevery: 1 s\n", "f:5:28: a list, expected two numbers, [FROM, TO]"),
        (
            "value: {f64: {ramp: [0, 9], step: 1e-300}}\nevery: 1 s\n",
            "f:5:29: a step of 1e-300, expected one that gets there in 1000000000 steps"
        ),
        (
            "value: {u8: {walk: 5, by: 1, within: [6, 9]}}\nevery: 1 s\n",
            "f:5:28: \"5\", expected a number within the limits"
        ),
        ("value: {written: all}\n", "f:5:16: what was written, expected this in the answers to a write only"),
        ("value: {value-of: FFF9}\n", "f:5:27: \"FFF9\", expected the id or UUID of a characteristic of this file"),
        ("every: 5\n", "f:5:16: \"5\", expected a length of time, such as 1.5 s, 200 ms or 2 min"),
        ("every: 0 s\n", "f:5:16: \"0 s\", expected at least 1 ms"),
        (
            "sequence: {steps: [{after: 0 s, value: {hex: 01}}]}\n",
            "f:5:27: a sequence that takes no time, expected a step with a time"
        ),
        (
            "sequence: {steps: [{after: 1 s, value: {hex: 01}}]}\nevery: 1 s\n",
            "f:5:19: a sequence beside \"every\", expected one of the two"
        ),
        (
            "descriptors: [{uuid: 2902, value: {hex: 00 00}}]\n",
            "f:5:30: the system makes 2902 by itself, where the properties ask for it, expected another descriptor"
        ),
        (
            "descriptors: [{uuid: 2901, value: {hex: FF}}]\n",
            "f:5:23: a user description that isn't UTF-8, expected a text"
        ),
        ("descriptors: [{uuid: 2904, value: {hex: 00}}]\n", "f:5:23: a presentation format of 1 octets, expected 7"),
        (
            "writes: [{error: bad}]\n",
            "f:5:26: \"bad\", expected an ATT error such as unlikely-error, or its number, such as 0x80"
        ),
        ("writes: [{match: {equals: {hex: 1}}}]\n", "f:5:41: \"1\", expected octets in hexadecimal, such as 0A 1B"),
        (
            "writes: [{keep: yes, error: 0x80}]\n",
            "f:5:25: keep beside an error or a value of its own, expected one of these"
        ),
        (
            "writes: [{notify: {u8: {sequence: [1]}}}]\n",
            "f:5:27: a course of numbers or texts, expected one in a characteristic's value, with \"every\""
        ),
        ("faults: [{on: read}]\n", "f:5:18: a fault with 0 effects, expected one of error, delay, silent, disconnect"),
        ("faults: [{on: notify, error: 0x80}]\n", "f:5:18: this can't happen there, expected silent or disconnect"),
        ("faults: [{on: read, silent: yes, chance: 2}]\n", "f:5:50: \"2\", expected a number from 0 to 1"),
    ])
    func `of a characteristic`(lines: String, expected: String) {
        #expect(complaint(file(lines)) == expected)
    }

    @Test func `a name that fits two characteristics needs an id`() {
        let text = """
            services:
              - uuid: FFF0
                characteristics:
                  - uuid: FFF1
                  - uuid: FFF1
                  - uuid: FFF2
                    value: {value-of: FFF1}
            """
        #expect(complaint(text) == "f:7:27: 2 are called \"FFF1\", expected an id of its own")
    }
}
