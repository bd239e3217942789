"""The layouts of characteristics' values, out of the Bluetooth SIG's GATT Specification Supplement (its YAML), as the lines
that `ValueLayout` reads. Only facts are taken: names of fields and bits, types, sizes, exponents, units, conditions,
codes. What the Supplement says in sentences is in `CORRECTIONS` in our words. Used by assigned_numbers.py."""
import re

import yaml

from layout_corrections import ADDITIONS, FIELDS, LABELS, LAYOUTS, UNITS

UNIT_ID = re.compile(r"org\.bluetooth\.(?:unit\.)? ?([a-z0-9_]+(?:\.[a-z0-9_]+)*)")
SCALE = re.compile(r"M\s*=\s*(-?\s*\d+),\s*d\s*=\s*(-?\s*\d+),\s*(?:and\s+)?b\s*=\s*(-?\s*\d+)")
CONDITION = re.compile(r"Present if bits? (\d+)(?: and (\d+))? of (?:the )?(.+?) fields? (?:is|are) set to ([01])")
CODE = re.compile(r"value of (0x[0-9A-Fa-f]+|-?\d+):? (?:represents|means|is used when|means that):?\s*(.+)")
WORDS = {"value is not known": "not known", "value is not valid": "not valid", "unknown": "not known"}
TYPES = {"medfloat16": "m16", "medfloat32": "m32", "float32": "f32", "float64": "f64", "utf8s": "t", "int16": "s16",
         "gatt_uuid": "uuid", "uint4[2]": "u8"}
UNUSED = re.compile(r"reserved|^rfu$|prohibited|^n/a$|^[–-]$|defined (?:by|per)|^\s*$", re.I)


# Descriptions whose identifier isn't the one that has a UUID.
ALIASES = {
    "cooking_zone_perceived_power": ["cooking_zone_preceived_power"],
    "cooking_conditions": ["cooking_zone_desired_cooking_conditions", "cooking_zone_actual_cooking_conditions"],
}


def load(path):
    """A file's YAML, by the reader that is there: the one in C is some ten times as fast."""
    return yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class Unclear(Exception):
    pass


def typeset(text):
    """A name without what is for a typesetter."""
    text = re.sub(r"\\textsubscript\{(\w)\}", lambda m: m[1].translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")), text)
    text = re.sub(r"\\textsuperscript\{(\w)\}", lambda m: m[1].translate(str.maketrans("23", "²³")), text)
    text = re.sub(r"\\textsubscript\{(\w+)\}", r"\1", text).replace("\\Omega", "Ω").replace("$", "")
    text = re.sub(r"\\(autoref|RefRef)\{[^}]*\}", "", text).replace("’", "'").replace("\u200b", "")
    return re.sub(r"\s+", " ", text).strip()


def tidy(text):
    """A label: short, and without punctuation around it."""
    text = typeset(text).strip(" \"'‘’“”").rstrip(" .:;,\"'‘’“”")
    text = LABELS.get(text, text)
    if "|" in text or len(text) > 64:
        raise Unclear(f"label: {text}")
    return text


def number(text, type):
    """A code as it is printed in the Supplement, as the number that it is in its type."""
    type = type or "u8"
    value = int(text, 0) if not text.startswith("0") or text[:2] in ("0x", "0b") else int(text)
    size = re.match(r"s(\d+)$", type)
    if size and value >> (int(size[1]) - 1) == 1:
        value -= 1 << int(size[1])
    return value


def values_in(lines, type="u8"):
    """Lines such as `0b01 = Sensor` or `1: Sensor` as (number, label); None where one isn't of that form."""
    found = []
    for line in lines:
        match = re.match(r"(0x[0-9A-Fa-f]+|0b[01]+|\d+)\s*(?:=|:)\s*(.+)", line.strip())
        if not match:
            continue
        digits = match[1]
        if re.fullmatch(r"[01]{2,}", digits):
            digits = "0b" + digits
        if not UNUSED.search(match[2]):
            found.append((number(digits, type), tidy(match[2]) if type else match[2].strip(" .")))
    return found


def plain(label):
    """Whether a value of a single bit only says that what the bit is called isn't the case."""
    return re.search(r"\bnot\b|^no\b|^false|^proper|within|does not|cuff fits|to(?:o)? low$|enough|correctly|right type|"
                     r"^vibrate state not|^0$", label, re.I) is not None


def telling(label):
    """Whether a value of a single bit says more than what the bit is called."""
    return len(label) <= 45 and not re.search(r"(?i)support|present|true|yes|active|feature|^the |is used|^1$", label)


def bits(values, used):
    """Lines for the bits of a field, without those that only say which fields are there."""
    lines = []
    for entry in values:
        place = str(entry.get("bit", entry.get("value"))).replace("–", "-").replace("‑", "-")
        texts = str(entry.get("description") or "").split("\n")
        low, _, high = place.partition("-")
        places = {int(low)} if not high else set(range(int(low), int(high) + 1))
        label = tidy(texts[0])
        if UNUSED.search(label) and not label.startswith("Reset") or places & used:
            continue
        label = re.sub(r"(?i)\s+(flags?|support|support bit|supported|feature)$", "", label)
        named = values_in(texts[1:], None)
        inner = [re.match(r"Bit (\d+): (.+)", text) for text in texts[1:]]
        if any(inner):
            lines += [f"{m[1]}:{label}: {tidy(m[2])}" for m in inner if m]
            continue
        if len(places) == 1 and len(named) == 2 and plain(named[0][1]) and telling(named[1][1]):
            label = named[1][1]
        lines.append(f"{place}:{tidy(label)}")
        if len(places) > 1 or (len(named) == 2 and not plain(named[0][1])):
            lines += [f" {value}={tidy(text)}" for value, text in named]
    return lines


class Layout:
    """What is read of one characteristic's description."""

    def __init__(self, description, numbers):
        self.description, self.numbers = description, numbers
        self.identifier = description["identifier"].replace("org.bluetooth.characteristic.", "")
        self.sections = {self.slug(section["name"]): section for section in description.get("fields") or []}
        for section in list(self.sections.values()):
            for part in section.get("subfields") or []:
                self.sections.setdefault(self.slug(part["name"]), part)
        dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
        text = yaml.dump(description, width=10000, allow_unicode=True, Dumper=dumper).replace("\\n", "\n")
        self.used = {}
        for first, second, flags, _ in CONDITION.findall(text):
            self.used.setdefault(flags.lower(), set()).update(int(bit) for bit in (first, second) if bit)

    @staticmethod
    def slug(name):
        return re.sub(r"[ /]", "_", name.lower())

    def section_of(self, text):
        match = re.search(r"/(?:field|subfield)/([^}]+)\}", text)
        if not match:
            return None
        other = re.search(r"characteristic\.([\w.-]+)/", text)[1]
        home = self if other == self.identifier else Layout(self.numbers.descriptions[other], self.numbers)
        name = match[1]
        for slug in (name, name.removesuffix("_values"), name + "_values", name.removesuffix("_values") + "_values"):
            if slug in home.sections:
                return home.sections[slug]
        return None

    def lines(self):
        if self.identifier in LAYOUTS:
            return LAYOUTS[self.identifier].split("\n")
        structure = self.description["structure"]
        if self.description.get("size_in_bits"):
            return self.packed(self.description["name"], structure, "")
        lines = []
        for field in structure:
            lines += self.field(field["field"], str(field["type"]), str(field["size"]), str(field["description"]))
        return lines

    def packed(self, name, fields, condition):
        lines, low = [], 0
        for field in fields:
            text = str(field["description"])
            width = int(field["size"])
            unit = self.unit(text)[0]
            label = tidy(field["field"])
            lines.append(f"  {low}-{low + width - 1}:{label}" + (f"|{unit}" if unit else ""))
            section = self.section_of(text)
            if section:
                lines += [f"   {number(str(v['value']), 'u8')}={tidy(v['description'])}" for v in section["values"]
                          if "–" not in str(v["value"]) and not UNUSED.search(v["description"])]
            low += width
        return [f" {tidy(name)}|p{low}" + (f"|||{condition}" if condition else "")] + lines

    def unit(self, text):
        """The symbol of the unit and the exponents."""
        scale = SCALE.search(text)
        scale = tuple(int(part.replace(" ", "")) for part in scale.groups()) if scale else (1, 0, 0)
        match = UNIT_ID.search(text.replace("org.bluetooth.characteristic", ""))
        if not match:
            return "", scale
        if match[1] not in UNITS:
            raise Unclear(f"unit {match[1]}")
        symbol = UNITS[match[1]]
        if symbol in ("J", "Pa") and scale == (1, 3, 0):
            return "k" + symbol, (1, 0, 0)
        return symbol, scale

    def condition(self, text):
        parts = []
        for first, second, flags, value in CONDITION.findall(text):
            parts += [f"{bit}={value}" for bit in (first, second) if bit]
        return "&".join(parts)

    def field(self, name, type, size, text, indent=" "):
        correction = FIELDS.get((self.identifier, name))
        if correction is not None:
            return [indent + line for line in correction.split("\n") if line]
        type = type.strip()
        condition = self.condition(text)
        label = re.sub(r" \((?:\d+ bit resolution|Celsius|Fahrenheit|mmHg|kPa|Time per 500 meters)\)", "", name)
        label = tidy(re.sub(r"^.* (?:Limits?|Compound Value|Location) - ", "", label))
        if UNUSED.search(label):
            raise Unclear(f"name {name}")
        section = self.section_of(text)
        if any("op_code_value" in entry for entry in (section or {}).get("values") or []):
            return self.control_point(name, section["values"])
        if "E2E-CRC" in name and condition == "" and size.startswith("0"):
            condition = "?"
        unit, scale = self.unit(text)
        if name == "E2E-CRC":
            return [self.line(indent, name, "h16", "", (1, 0, 0), condition)]
        boolean = re.fullmatch(r"boolean\[(\d+)\]", type)
        array = re.fullmatch(r"(u|s)int(\d+) ?\[.*\]", type)
        fixed = re.fullmatch(r"utf8s\\\{(\d+)\\\}", type)
        details = []
        if boolean:
            used = self.used.get(name.lower(), set())
            kind = ("#" if used else "") + "b" + boolean[1]
            if section:
                details = bits(section["values"], used)
            else:
                details = [f"{value}:{word}" for value, word in values_in(text.split("\n"))]
        elif type == "struct":
            references = re.findall(r"characteristic\.([\w.-]+)\}", text)
            if section and section.get("size_in_bits"):
                return [indent[1:] + line for line in self.packed(name, section["values"], condition)]
            if section:
                inner = []
                for part in section["values"]:
                    inner += self.field(part["field"], part["data_type"], part["size"], str(part["description"]), " ")
                kind, details = "{}", [line[1:] for line in inner]
            elif references:
                kind = "@" + self.numbers.uuid(references[-1])
            elif size == "variable":
                kind = "x"
            else:
                raise Unclear(f"struct {name}")
        elif array:
            kind = f"{array[1]}{array[2]}*"
        elif fixed:
            kind = "t" + fixed[1]
        elif type in TYPES:
            kind = TYPES[type]
            if kind == "t" and "Zero-terminated" in text:
                kind = "z"
        elif re.fullmatch(r"[us]int\d+", type):
            kind = type.replace("int", "")
        else:
            raise Unclear(f"type {type} of {name}")
        if re.match(r"[us]\d+$", kind):
            reference = re.search(r"characteristic\.([\w.-]+)\}", text)
            if reference and not unit and not section:
                return [self.line(indent, label, "@" + self.numbers.uuid(reference[1]), "", (1, 0, 0), condition)]
            codes = values_in(text.split("\n"), kind)
            for match in CODE.finditer(text):
                word = match[2].split("\n")[0]
                if not re.search(r"shall|that the cooking|no cooking", word):
                    codes.append((number(match[1], kind), tidy(WORDS.get(tidy(word).lower(), word))))
            for entry in (section or {}).get("values") or []:
                value = str(entry.get("value", ""))
                word = entry.get("name") or entry.get("definition") or entry["description"]
                if re.fullmatch(r"0x[0-9A-Fa-f]+|\d+", value) and not UNUSED.search(str(word)):
                    codes.append((number(value, kind), tidy(str(word).split("\n")[0])))
            details += [f"{value}={word}" for value, word in dict(reversed(codes)).items()][::-1]
        lines = [self.line(indent, label, kind, unit, scale, condition)]
        return lines + [indent + " " + detail for detail in details]

    def control_point(self, name, entries):
        """The op code of a control point, or what follows it: parameters by their op codes, and the response."""
        codes = {number(e["op_code_value"], "u8"): e for e in entries
                 if "–" not in e["op_code_value"] and "-" not in e["op_code_value"]
                 and not UNUSED.search(e["definition"])}
        words = [f"  {code}={tidy(entry['definition'])}" for code, entry in codes.items()]
        if name == "Op Code":
            return [" Op Code|#u8"] + words
        response = next(code for code, entry in codes.items() if entry["definition"] == "Response Code")
        lines = []
        for code, entry in codes.items():
            kind = entry.get("operand_data_type", entry.get("parameter_type", ""))
            kind = TYPES.get(kind, kind.replace("int", ""))
            if kind in ("u8", "u16", "m16"):
                text = re.sub(r" ?\(.*$", "", entry.get("operand", entry.get("parameter")))
                label, _, unit = text.partition(" in ")
                unit = {"minutes": "min"}.get(unit, unit)
                lines.append(self.line(" ", tidy(label), kind, unit, (1, 0, 0), f"0-7={code}"))
        results = [f"  {number(e['response_code_value'], 'u8')}={tidy(e['definition'])}"
                   for e in self.sections["response_code_values"]["values"]
                   if "–" not in e["response_code_value"] and "-" not in e["response_code_value"]
                   and not UNUSED.search(e["definition"])]
        return lines + [f" Request Op Code|u8|||0-7={response}"] + words + [
            f" Response Code|u8|||0-7={response}"] + results + [f" {name}|x"]

    @staticmethod
    def line(indent, name, kind, unit, scale, condition):
        scale = "" if scale == (1, 0, 0) else ",".join(str(part) for part in scale)
        return indent + "|".join([name, kind, scale, unit, condition]).rstrip("|")


class Layouts:
    def __init__(self, folder, identifiers):
        self.identifiers = identifiers
        self.descriptions = {}
        for path in sorted(folder.glob("*.yaml")):
            description = load(path)["characteristic"]
            self.descriptions[description["identifier"].replace("org.bluetooth.characteristic.", "")] = description

    def uuid(self, identifier):
        identifier = ALIASES.get(identifier, [identifier])[0]
        return f"{self.identifiers[identifier]:04X}"

    def lines(self):
        """The whole table, in the order of the numbers; and what couldn't be read."""
        blocks, problems = {}, []
        for name, description in self.descriptions.items():
            try:
                lines = Layout(description, self).lines()
                for identifier in ALIASES.get(name, [name]):
                    blocks[self.uuid(identifier)] = lines
            except (Unclear, KeyError, ValueError) as error:
                problems.append(f"{name}: {error!r}")
        for uuid, text in ADDITIONS.items():
            if uuid in blocks:
                problems.append(f"{uuid} is both in the Supplement and added")
            blocks[uuid] = text.strip("\n").split("\n")
        table = []
        for uuid in sorted(blocks):
            table += [uuid] + blocks[uuid]
        return table, problems
