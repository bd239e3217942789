"""What the Supplement's YAML says in sentences or leaves to other documents, in the form of the table; and names of units.
Used by characteristic_layouts.py."""

# The symbol for each unit that a layout names, by the unit's identifier (the Supplement isn't consistent in these).
UNITS = {
    "unitless": "", "acceleration.metres_per_seconds_squared": "m/s²", "angular_velocity.revolution_per_minute": "rpm",
    "rotational_speed.revolutions_per_minute": "rpm", "standard_acceleration_due_to_gravity": "gₙ",
    "concentration.count_per_cubic_metre": "/m³", "concentration.parts_per_billion": "ppb", "ppb": "ppb", "ppm": "ppm",
    "density.kilogram_per_cubic_meter": "kg/m³", "electric_current.ampere": "A",
    "electric_potential_difference.volt": "V", "electric_resistance.ohm": "Ω",
    "electrical_apparent_energy.kilovolt_ampere_hour": "kVAh", "electrical_apparent_power.volt_ampere": "VA",
    "energy.joule": "J", "energy.kilogram_calorie": "kcal", "energy.kilowatt_hour": "kWh",
    "flow.cubic_metre_per_second": "m³/s", "force.newton": "N", "hertz": "Hz", "illuminance.lumen": "lm",
    "illuminance.lux": "lx", "irradiance.watt_per_square_metre": "W/m²", "kelvin_per_second": "K/s",
    "kilogram_per_square_metre": "kg/m²", "length.meter": "m", "length.metre": "m",
    "logarithmic_radio_quantity.decibel": "dBm", "luminous_efficacy.lumen_per_watt": "lm/W",
    "luminous_energy.lumen_per_hour": "lm·h", "luminous_exposure.lux_hour": "lx·h", "luminous_flux.lumen": "lm",
    "luminous_intensity.candela": "cd", "magnetic_flux_density.tesla": "T", "mass.kilogram": "kg",
    "mass_density.milligram_per_decilitre": "mg/dL", "mass_flow.gram_per_second": "g/s", "metabolic_equivalent": "MET",
    "milligram_per_decilitre_per_minute": "mg/dL/min", "moment_of_force.newton_metre": "N·m", "percentage": "%",
    "period.beats_per_minute": "bpm", "plane_angle.degree": "°", "power.watt": "W",
    "pressure.millimetre_of_mercury": "mmHg", "pressure.pascal": "Pa", "sound_pressure.decibel_spl": "dB",
    "step_per_minute": "/min", "stroke_per_minute": "/min", "thermodynamic_temperature.degree_celsius": "°C",
    "thermodynamic_temperature.degree_fahrenheit": "°F", "thermodynamic_temperature.kelvin": "K", "time.day": "days",
    "time.hour": "h", "time.minute": "min", "time.second": "s", "time.year": "years",
    "transfer_rate.milliliter_per_kilogram_per_minute": "mL/kg/min", "velocity.kilometre_per_hour": "km/h",
    "velocity.metres_per_second": "m/s", "volume.litre": "L", "mass_density.kilogram_per_liter": "kg/L", "volume_flow.litre_per_second": "L/s",
}

# Long names of values and bits, in fewer words.
LABELS = {
    "Nickel Oxyhydroxide (zinc-manganese dioxide/oxy nickel hydroxide) NiOx": "Nickel Oxyhydroxide NiOx",
    "Cycling Power Measurement Characteristic Content Masking Supported": "Measurement Content Masking Supported",
    "that the time zone offset is not known": "not known",
    "the time span is greater than or equal to 255 days": "255 days or more",
    "that there are more than 254 unread alerts in the server": "more than 254",
    "drift is larger than 31.625s": "more than 31.625 s", "drift is unknown": "not known",
    "value is 65534 or greater": "65534 or greater", "value is 254 or greater": "254 or greater",
    "Greater than 0xFFFFFD": "more than 16777213", "Greater than 126": "more than 126", "Less than -127": "less than -127",
    "the total life of the device": "life of the device", "DST offset unknown": "not known",
    "Month is not known": "not known",
}

# Fields whose description in the YAML isn't regular, or contradicts itself or the service's specification.
FIELDS = {
    # In the unit of the service's specification: kilojoule.
    ("heart_rate_measurement", "Energy Expended"): "Energy Expended|u16||kJ|3=1",
    ("heart_rate_measurement", "RR-interval"): "RR-interval|u16*|1,0,-10|s|4=1",
    ("rsc_measurement", "Instantaneous Cadence"): "Instantaneous Cadence|u8||/min",
    # As of all other machines: a resolution of 0.1, which the treadmill's description leaves out.
    ("treadmill_data", "Metabolic Equivalent"): "Metabolic Equivalent|u8|1,-1,0|MET|9=1",
    # A resolution of 1/64 V and a maximum of 262143.97, says the text, against b = 6.
    ("high_voltage", "High Voltage"): "High Voltage|u24|1,0,-6|V\n 16777215=not known",
    # 1/10 of an Ohm, says the sentence; d = -2, says the line above it. The service's specification has 1/10.
    ("body_composition_measurement", "Impedance"): "Impedance|u16|1,-1,0|Ω|9=1",
    # A resolution of 1 m, says the sentence, against d = 1.
    ("activity_goal", "Distance"): "Distance|u24||m|4=1",
    ("exact_time_256", "Fractions256"): "Fractions256|u8|1,0,-8|s",
    ("current_time", "Exact Time 256"): "Exact Time 256|@2A0C",
    ("measurement_interval", "Measurement Interval"): "Measurement Interval|u16||s\n 0=No periodic measurement",
    ("cgm_session_start_time", "Time Zone"): "Time Zone|@2A0E",
    ("battery_information", "Battery Manufacture Date"): "Battery Manufacture Date|@2AED|||0=1",
    ("battery_information", "Battery Expiration Date"): "Battery Expiration Date|@2AED|||1=1",
    ("estimated_service_date", "Estimated Service Date"): "Estimated Service Date|@2AED",
    ("supported_new_alert_category", "Category ID Bit Mask"): "Category ID Bit Mask|@2A42",
    ("system_id", "EUI-64"): "EUI-64|eui",
    ("preferred_units", "Units"): "Unit|unit*",
    ("cooking_step_status", "Remaining Time"): "Remaining Time|u16||s\n 65535=not known",
    # Its range, -12.8 to 12.7, is that of a signed octet.
    ("recipe_parameters", "Temperature Gradient"): "Temperature Gradient|s8|1,-1,0|K/s|3=1&4=1",
    ("recipe_parameters", "Duration"): "Duration|u16||s|^!0",
    ("recipe_parameters", "Termination Condition"):
        "Termination Condition|b16|||6=1\n 0:Temperature Increase\n 1:Temperature Decrease\n 2:Humidity Increase\n"
        " 3:Humidity Decrease\n 15:Logical AND",
    ("cooking_zone_capabilities", "Flags"):
        "Flags|#b16\n 0:Aggregation\n 1:Power Level\n 2:Temperature\n 3:Humidity\n 4:Blower Fan Airflow\n"
        " 5:Manufacturer Specific Data",
    ("recipe_control", "Cooking Step Index"): "Cooking Step Index|u16|||?",
    ("glucose_measurement", "Time Offset"): "Time Offset|s16||min|0=1",
    ("glucose_measurement", "Glucose Concentration"):
        "Glucose Concentration|m16||kg/L|1=1&2=0\nGlucose Concentration|m16||mol/L|1=1&2=1",
    ("glucose_measurement_context", "Flags"): "Flags|#b8",
    ("glucose_measurement_context", "Medication"): "Medication|m16||kg|4=1&5=0\nMedication|m16||L|4=1&5=1",
    ("enhanced_intermediate_cuff_pressure", "Intermediate Cuff Pressure Value"):
        "Intermediate Cuff Pressure Value|m16||mmHg|0=0\nIntermediate Cuff Pressure Value|m16||kPa|0=1",
    ("temperature_type", "Temperature Type Description"):
        "Temperature Type|u8\n 1=Armpit\n 2=Body (general)\n 3=Ear (usually earlobe)\n 4=Finger\n"
        " 5=Gastrointestinal Tract\n 6=Mouth\n 7=Rectum\n 8=Toe\n 9=Tympanum (ear drum)",
    ("record_access_control_point", "Operator"):
        "Operator|u8\n 0=Null\n 1=All records\n 2=Less than or equal to\n 3=Greater than or equal to\n"
        " 4=Within range of\n 5=First record\n 6=Last record",
    # With the operand before it, whose size is the service's.
    ("cgm_specific_ops_control_point", "E2E-CRC"): "",
}
for _name in ("enhanced_blood_pressure_measurement", "enhanced_intermediate_cuff_pressure"):
    FIELDS[_name, "Flags"] = "Flags|#b8"
    for _field, _bit in (("Time Stamp", 1), ("User Facing Time", 5)):
        FIELDS[_name, _field] = f"{_field}|s1900|||{_bit}=1&6=0\n{_field}|s2000|||{_bit}=1&6=1"


def _mass(name, condition):
    also = f"&{condition}" if condition else ""
    return f" {name}|u16|5,-3,0|kg|0=0{also}\n {name}|u16|1,-2,0|lb|0=1{also}"


def _height(condition):
    return f" Height|u16|1,-3,0|m|0=0&{condition}\n Height|u16|1,-1,0|in|0=1&{condition}"


_BODY = "\n".join(
    [" Flags|#b16\n  12:Multiple Packet Measurement", " Body Fat Percentage|u16|1,-1,0|%\n  65535=measurement unsuccessful",
     " Time Stamp|@2A08|||1=1", " User ID|u8|||2=1\n  255=unknown user", " Basal Metabolism|u16||kJ|3=1",
     " Muscle Percentage|u16|1,-1,0|%|4=1", _mass("Muscle Mass", "5=1"), _mass("Fat Free Mass", "6=1"),
     _mass("Soft Lean Mass", "7=1"), _mass("Body Water Mass", "8=1"), " " + FIELDS["body_composition_measurement", "Impedance"],
     _mass("Weight", "10=1"), _height("11=1")])
_STATUS = """{c}0:Session stopped
{c}1:Device battery low
{c}2:Sensor type incorrect for device
{c}3:Sensor malfunction
{c}4:Device Specific Alert
{c}5:General device fault"""
_CALIBRATION = ["Time synchronization required", "Calibration not allowed", "Calibration recommended",
                "Calibration required", "Sensor temperature too high", "Sensor temperature too low",
                "Calibration Process Pending"]
_WARNING = ["Sensor result lower than Patient Low level", "Sensor result higher than Patient High level",
            "Sensor result lower than Hypo level", "Sensor result higher than Hyper level",
            "Sensor Rate of Decrease exceeded", "Sensor Rate of Increase exceeded",
            "Sensor result lower than the device can process", "Sensor result higher than the device can process"]


def _numbered(words, first, indent):
    return "\n".join(f"{indent}{first + place}:{word}" for place, word in enumerate(words))


# Whole layouts, where the YAML has sentences in place of a structure.
LAYOUTS = {
    "date_time": " Date Time|dt",
    "date_of_birth": " Date of Birth|ymd",
    "date_of_threshold_assessment": " Date of Threshold Assessment|ymd",
    "date_utc": " Date|days\n  0=not known",
    "time_zone": " Time Zone|quarters\n  -128=not known",
    "time_exponential_8": " Time Exponential 8|exp8||s\n  254=life of the device\n  255=not known",
    "elapsed_time":
        " Flags|#b8\n  0:Time is a tick counter\n  1:Time is UTC\n  4:TZ/DST offset is used\n"
        "  5:Time stamp is from the current timeline\n Time Value|u48||s|2-3=0\n Time Value|u48|1,-1,0|s|2-3=1\n"
        " Time Value|u48|1,-3,0|s|2-3=2\n Time Value|u48|1,-4,0|s|2-3=3\n Time Sync Source Type|@2A13\n"
        " TZ/DST Offset|quarters",
    "pnp_id":
        " Vendor ID Source|#u8\n  1=Bluetooth SIG\n  2=USB Implementer's Forum\n Vendor ID|company|||0-7=1\n"
        " Vendor ID|h16|||0-7!1\n Product ID|h16\n Product Version|h16",
    "alert_category_id_bit_mask":
        " Category ID Bit Mask|b*\n" + _numbered(
            ["Simple Alert", "Email", "News", "Call", "Missed Call", "SMS/MMS", "Voice Mail", "Schedule",
             "High Prioritized Alert", "Instant Message"], 0, "  "),
    "body_composition_measurement": _BODY,
    "weight_measurement": "\n".join(
        [" Flags|#b8", _mass("Weight", ""), " Time Stamp|@2A08|||1=1", " User ID|u8|||2=1\n  255=unknown user",
         " BMI|u16|1,-1,0|kg/m²|3=1", _height("3=1")]),
    "blood_pressure_record":
        " Segmentation Header|b8\n  0:First Segment\n  1:Last Segment\n  2-7:Rolling Segment Counter\n"
        " Sequence Number|u16\n UUID|uuid16\n Recorded Characteristic|x",
    "cgm_measurement":
        " CGM Measurement Record|{n}*\n  Size|u8\n  Flags|#b8\n  CGM Glucose Concentration|m16||mg/dL\n"
        "  Time Offset|u16||min\n  Status|b8|||7=1\n" + _STATUS.format(c="   ") + "\n  Cal/Temp|b8|||6=1\n"
        + _numbered(_CALIBRATION, 0, "   ") + "\n  Warning|b8|||5=1\n" + _numbered(_WARNING, 0, "   ")
        + "\n  CGM Trend Information|m16||mg/dL/min|0=1\n  CGM Quality|m16||%|1=1\n  E2E-CRC|h16|||?",
    "cgm_status":
        " Time Offset|u16||min\n CGM Status|b24\n" + _STATUS.format(c="  ") + "\n" + _numbered(_CALIBRATION, 8, "  ")
        + "\n" + _numbered(_WARNING, 16, "  ") + "\n E2E-CRC|h16|||?",
    "high_intensity_exercise_threshold":
        " Field Selector|#u8\n  0=No field\n Threshold as Energy Expenditure per Hour|u16||kJ|0-7=1\n"
        " Threshold as Metabolic Equivalent|u8|1,-1,0|MET|0-7=2\n"
        " Threshold as Percentage of Maximum Heart Rate|u8||%|0-7=3\n Threshold as Heart Rate|u8||bpm|0-7=4",
}

# Characteristics that the Supplement leaves to other documents: of GAP and GATT [Vol 3, Part C, 12] [Vol 3, Part G, 7]
# and of the services' specifications (HID over GATT, Scan Parameters, Pulse Oximeter, Fitness Machine, Volume Control,
# Microphone Control, Coordinated Set Identification, Media Control, Telephony and Media Audio).
ADDITIONS = {
    "2A00": " Device Name|t",
    "2A01": " Appearance|appearance",
    "2A02": " Peripheral Privacy Flag|u8\n  0=disabled\n  1=enabled",
    "2A03": " Reconnection Address|address",
    "2A04": " Minimum Connection Interval|u16|125,-2,0|ms\n  65535=no specific value\n"
            " Maximum Connection Interval|u16|125,-2,0|ms\n  65535=no specific value\n Peripheral Latency|u16\n"
            " Supervision Timeout|u16|1,1,0|ms\n  65535=no specific value",
    "2A05": " Start of Affected Attribute Handle Range|h16\n End of Affected Attribute Handle Range|h16",
    "2A22": " Boot Keyboard Input Report|x",
    "2A31": " Scan Refresh Value|u8\n  0=Server requires refresh",
    "2A32": " Boot Keyboard Output Report|x",
    "2A33": " Boot Mouse Input Report|x",
    "2A4A": " bcdHID|h16\n bCountryCode|u8\n Flags|b8\n  0:RemoteWake\n  1:NormallyConnectable",
    "2A4B": " Report Map|hid",
    "2A4C": " HID Control Point Command|u8\n  0=Suspend\n  1=Exit Suspend",
    "2A4D": " Report|x",
    "2A4E": " Protocol Mode|u8\n  0=Boot Protocol Mode\n  1=Report Protocol Mode",
    "2A4F": " LE_Scan_Interval|u16|625,-3,0|ms\n LE_Scan_Window|u16|625,-3,0|ms",
    "2A5E": " Flags|#b8\n  4:Device Clock is not set\n SpO2|m16||%\n Pulse Rate|m16||bpm\n Time Stamp|@2A08|||0=1\n"
            " Measurement Status|h16|||1=1\n Device and Sensor Status|h24|||2=1\n Pulse Amplitude Index|m16||%|3=1",
    "2A5F": " Flags|#b8\n SpO2 Normal|m16||%\n Pulse Rate Normal|m16||bpm\n SpO2 Fast|m16||%|0=1\n"
            " Pulse Rate Fast|m16||bpm|0=1\n SpO2 Slow|m16||%|1=1\n Pulse Rate Slow|m16||bpm|1=1\n"
            " Measurement Status|h16|||2=1\n Device and Sensor Status|h24|||3=1\n Pulse Amplitude Index|m16||%|4=1",
    "2AA6": " Central Address Resolution|u8\n  0=not supported\n  1=supported",
    "2AAE": " Latitude|s32|1,-7,0|°",
    "2AAF": " Longitude|s32|1,-7,0|°",
    "2AB5": " Location Name|t",
    "2AB6": " URI|t",
    "2AC9": " Resolvable Private Address Only|u8\n  0=only resolvable private addresses",
    "2ACC": " Fitness Machine Features|b32\n" + _numbered(
        ["Average Speed", "Cadence", "Total Distance", "Inclination", "Elevation Gain", "Pace", "Step Count",
         "Resistance Level", "Stride Count", "Expended Energy", "Heart Rate Measurement", "Metabolic Equivalent",
         "Elapsed Time", "Remaining Time", "Power Measurement", "Force on Belt and Power Output",
         "User Data Retention"], 0, "  ") + "\n Target Setting Features|b32\n" + _numbered(
        ["Speed", "Inclination", "Resistance", "Power", "Heart Rate", "Expended Energy", "Step Number", "Stride Number",
         "Distance", "Training Time", "Time in Two Heart Rate Zones", "Time in Three Heart Rate Zones",
         "Time in Five Heart Rate Zones", "Indoor Bike Simulation Parameters", "Wheel Circumference", "Spin Down Control",
         "Cadence"], 0, "  "),
    "2AD3": " Flags|#b8\n Training Status|u8\n" + "\n".join(f"  {place}={word}" for place, word in enumerate(
        ["Other", "Idle", "Warming Up", "Low Intensity Interval", "High Intensity Interval", "Recovery Interval",
         "Isometric", "Heart Rate Control", "Fitness Test", "Speed Outside of Control Region - Low",
         "Speed Outside of Control Region - High", "Cool Down", "Watt Control", "Manual Mode (Quick Start)",
         "Pre-Workout", "Post-Workout"])) + "\n Training Status String|t|||0=1",
    "2AD9": " Op Code|#u8\n  0=Request Control\n  1=Reset\n  2=Set Target Speed\n  3=Set Target Inclination\n"
            "  4=Set Target Resistance Level\n  5=Set Target Power\n  6=Set Target Heart Rate\n  7=Start or Resume\n"
            "  8=Stop or Pause\n  17=Set Indoor Bike Simulation Parameters\n  18=Set Wheel Circumference\n"
            "  19=Spin Down Control\n  20=Set Targeted Cadence\n  128=Response Code\n"
            " Target Speed|u16|1,-2,0|km/h|0-7=2\n Target Inclination|s16|1,-1,0|%|0-7=3\n"
            " Target Power|s16||W|0-7=5\n Target Heart Rate|u8||bpm|0-7=6\n Control|u8|||0-7=8\n  1=Stop\n  2=Pause\n"
            " Wind Speed|s16|1,-3,0|m/s|0-7=17\n Grade|s16|1,-2,0|%|0-7=17\n"
            " Coefficient of Rolling Resistance|u8|1,-4,0||0-7=17\n Wind Resistance Coefficient|u8|1,-2,0|kg/m|0-7=17\n"
            " Request Op Code|u8|||0-7=128\n Result Code|u8|||0-7=128\n  1=Success\n  2=Op Code not supported\n"
            "  3=Invalid Parameter\n  4=Operation Failed\n  5=Control Not Permitted\n Parameter|x",
    "2B29": " Client Features|b*\n  0:Robust Caching\n  1:Enhanced ATT bearer\n"
            "  2:Multiple Handle Value Notifications",
    "2B2A": " Database Hash|x16",
    "2B3A": " Server Features|b*\n  0:EATT",
    "2B51": " TMAP Role|b16\n" + _numbered(
        ["Call Gateway", "Call Terminal", "Unicast Media Sender", "Unicast Media Receiver", "Broadcast Media Sender",
         "Broadcast Media Receiver"], 0, "  "),
    "2B7D": " Volume_Setting|u8\n Mute|u8\n  0=Not Muted\n  1=Muted\n Change_Counter|u8",
    "2B84": " Type|u8\n  0=Encrypted SIRK\n  1=Plain text SIRK\n Value|x16",
    "2B85": " Coordinated Set Size|u8",
    "2B86": " Set Member Lock|u8\n  1=Unlocked\n  2=Locked",
    "2B87": " Set Member Rank|u8",
    "2B93": " Media Player Name|t",
    "2B97": " Track Title|t",
    "2B98": " Track Duration|s32|1,-2,0|s\n  -1=not known",
    "2B99": " Track Position|s32|1,-2,0|s\n  -1=not available",
    "2BA3": " Media State|u8\n  0=Inactive\n  1=Playing\n  2=Paused\n  3=Seeking",
    "2BB3": " Bearer Provider Name|t",
    "2BC3": " Mute|u8\n  0=Not Muted\n  1=Muted\n  2=Disabled",
}
