import BLEWire

extension BTHome {
    /// The objects by their number (bthome.io/format), as layouts.
    static let objects = NumberedLines(
        """
        0000
         Packet id|u8
        0001
         Battery|u8||%
        0002
         Temperature|s16|1,-2,0|°C
        0003
         Humidity|u16|1,-2,0|%
        0004
         Pressure|u24|1,-2,0|hPa
        0005
         Illuminance|u24|1,-2,0|lx
        0006
         Mass|u16|1,-2,0|kg
        0007
         Mass|u16|1,-2,0|lb
        0008
         Dew point|s16|1,-2,0|°C
        0009
         Count|u8
        000A
         Energy|u24|1,-3,0|kWh
        000B
         Power|u24|1,-2,0|W
        000C
         Voltage|u16|1,-3,0|V
        000D
         PM2.5|u16||µg/m³
        000E
         PM10|u16||µg/m³
        000F
         Generic|u8
          0=Off
          1=On
        0010
         Power|u8
          0=Off
          1=On
        0011
         Opening|u8
          0=Closed
          1=Open
        0012
         CO₂|u16||ppm
        0013
         TVOC|u16||µg/m³
        0014
         Moisture|u16|1,-2,0|%
        0015
         Battery|u8
          0=Normal
          1=Low
        0016
         Battery charging|u8
          0=Not charging
          1=Charging
        0017
         Carbon monoxide|u8
          0=Not detected
          1=Detected
        0018
         Cold|u8
          0=Normal
          1=Cold
        0019
         Connectivity|u8
          0=Disconnected
          1=Connected
        001A
         Door|u8
          0=Closed
          1=Open
        001B
         Garage door|u8
          0=Closed
          1=Open
        001C
         Gas|u8
          0=Clear
          1=Detected
        001D
         Heat|u8
          0=Normal
          1=Hot
        001E
         Light|u8
          0=No light
          1=Light detected
        001F
         Lock|u8
          0=Locked
          1=Unlocked
        0020
         Moisture|u8
          0=Dry
          1=Wet
        0021
         Motion|u8
          0=Clear
          1=Detected
        0022
         Moving|u8
          0=Not moving
          1=Moving
        0023
         Occupancy|u8
          0=Clear
          1=Detected
        0024
         Plug|u8
          0=Unplugged
          1=Plugged in
        0025
         Presence|u8
          0=Away
          1=Home
        0026
         Problem|u8
          0=OK
          1=Problem
        0027
         Running|u8
          0=Not running
          1=Running
        0028
         Safety|u8
          0=Unsafe
          1=Safe
        0029
         Smoke|u8
          0=Clear
          1=Detected
        002A
         Sound|u8
          0=Clear
          1=Detected
        002B
         Tamper|u8
          0=Off
          1=On
        002C
         Vibration|u8
          0=Clear
          1=Detected
        002D
         Window|u8
          0=Closed
          1=Open
        002E
         Humidity|u8||%
        002F
         Moisture|u8||%
        003A
         Button|u8
          0=none
          1=press
          2=double press
          3=triple press
          4=long press
          5=long double press
          6=long triple press
          128=hold press
          129=hold release
        003C
         Dimmer|u8
          0=none
          1=rotate left
          2=rotate right
         Steps|u8
        003D
         Count|u16
        003E
         Count|u32
        003F
         Rotation|s16|1,-1,0|°
        0040
         Distance|u16||mm
        0041
         Distance|u16|1,-1,0|m
        0042
         Duration|u24|1,-3,0|s
        0043
         Current|u16|1,-3,0|A
        0044
         Speed|u16|1,-2,0|m/s
        0045
         Temperature|s16|1,-1,0|°C
        0046
         UV index|u8|1,-1,0
        0047
         Volume|u16|1,-1,0|L
        0048
         Volume|u16||mL
        0049
         Volume flow rate|u16|1,-3,0|m³/h
        004A
         Voltage|u16|1,-1,0|V
        004B
         Gas|u24|1,-3,0|m³
        004C
         Gas|u32|1,-3,0|m³
        004D
         Energy|u32|1,-3,0|kWh
        004E
         Volume|u32|1,-3,0|L
        004F
         Water|u32|1,-3,0|L
        0050
         Timestamp|s1970
        0051
         Acceleration|u16|1,-3,0|m/s²
        0052
         Gyroscope|u16|1,-3,0|°/s
        0055
         Volume storage|u32|1,-3,0|L
        0056
         Conductivity|u16||µS/cm
        0057
         Temperature|s8||°C
        0058
         Temperature|s8|35,-2,0|°C
        0059
         Count|s8
        005A
         Count|s16
        005B
         Count|s32
        005C
         Power|s32|1,-2,0|W
        005D
         Current|s16|1,-3,0|A
        005E
         Direction|u16|1,-2,0|°
        005F
         Precipitation|u16|1,-1,0|mm
        0060
         Channel|u8
        0061
         Rotational speed|u16||rpm
        0062
         Speed|s32|1,-6,0|m/s
        0063
         Acceleration|s32|1,-6,0|m/s²
        0064
         Light level|u8
        0065
         Settings revision|u8
        00F0
         Device type id|h16
        """)
}
