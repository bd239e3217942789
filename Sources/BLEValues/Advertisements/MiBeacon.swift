import BLEWire

/// Xiaomi's readings in service data (MiBeacon), as far as they are in the clear.
package enum MiBeacon {
    package static let service: UInt16 = 0xFE95

    /// Objects by their type, as layouts.
    private static let objects = NumberedLines(
        """
        0003
         Motion|u8
          0=clear
          1=detected
        0006
         Key|u16
         User|u32
        0007
         Door|u8
          0=open
          1=closed
          2=not closed in time
          3=knocking
          4=pried open
          5=stuck
         Timestamp|s1970|||?
        000F
         Motion with light|u24||lx
        1001
         Button|u16
         Press|u8
          0=press
          1=double press
          2=long press
        1004
         Temperature|s16|1,-1,0|°C
        1006
         Humidity|u16|1,-1,0|%
        1007
         Illuminance|u24||lx
        1008
         Moisture|u8||%
        1009
         Conductivity|u16||µS/cm
        100A
         Battery|u8||%
        100D
         Temperature|s16|1,-1,0|°C
         Humidity|u16|1,-1,0|%
        1010
         Formaldehyde|u16|1,-2,0|mg/m³
        1012
         Switch|u8
          0=off
          1=on
        1013
         Consumable|u8||%
        1014
         Flooding|u8
          0=clear
          1=detected
        1015
         Smoke|u8
          0=clear
          1=detected
          2=broken
        1017
         Idle time|u32||s
        1018
         Light|u8
          0=dark
          1=light
        """)

    /// What a frame says; nil where it is too short to be one.
    package static func decode(_ data: [UInt8]) -> DecodedValue? {
        var decoder = ValueDecoder(data[...])
        let head = ValueLayout.header
        guard data.count >= 5, let head else { return nil }
        decoder.decode(head.fields)
        var decoded = decoder.decoded
        decoded.fields.insert(DecodedField("sensor", .text("MiBeacon")), at: 0)
        let control = UInt16(data[0]) | UInt16(data[1]) << 8
        guard decoded.problem == nil, control >> 6 & 1 == 1 else { return decoded }
        guard control >> 3 & 1 == 0 else {
            decoded.problem = "encrypted"
            return decoded
        }
        addObject(decoder.rest, to: &decoded)
        return decoded
    }

    /// Type, length, contents.
    private static func addObject(_ rest: ArraySlice<UInt8>, to decoded: inout DecodedValue) {
        let octets = Array(rest)
        guard octets.count >= 3, octets.count >= 3 + Int(octets[2]) else {
            decoded.problem = "ends within its object"
            return
        }
        let type = UInt16(octets[0]) | UInt16(octets[1]) << 8
        let contents = octets[3..<3 + Int(octets[2])]
        guard let layout = objects.block(of: type).flatMap(ValueLayout.init(parsing:)) else {
            decoded.fields.append(DecodedField("object \(Hex.prefixed(type))", .text(Hex.string(contents))))
            return
        }
        var decoder = ValueDecoder(contents)
        decoder.decode(layout.fields)
        decoder.finish()
        decoded.fields += decoder.decoded.fields
        decoded.problem = decoder.decoded.problem
    }
}

extension ValueLayout {
    /// Of a MiBeacon frame: what the bits of its control say is there.
    fileprivate static let header = ValueLayout(
        parsing: """
             Control|#b16
             Product|h16
             Frame|u8
             Address|address|||4=1
             Capability|h8|||5=1
            """)
}
