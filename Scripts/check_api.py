#!/usr/bin/env python3
"""Compares what `import CoreBluetooth` brings with the table of Apple's declarations,
Documentation/corebluetooth-api.json: each name, signature, superclass, optional method and value. What the module
has and the table hasn't, or has otherwise, must stand among the table's `differences` with its reason; a difference
that is gone must go there too. Prints every finding; exit code 1 if any.

    check_api.py FOLDER      with the symbol graphs of CoreBluetooth and CCoreBluetooth
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = json.loads((ROOT / "Documentation/corebluetooth-api.json").read_text())
FOLDER = pathlib.Path(sys.argv[1])
# What a declaration may say without being another one for who uses it.
UNIMPORTANT = re.compile(r"\b(override|final|required) ")
# Members that every class or error of ours overrides from NSObject, as Apple's do out of sight.
INHERITED = {"description", "hash", "isEqual(_:)"}

findings = []
used = set()


def find(name, text):
    if name in TABLE["differences"]:
        used.add(name)
    else:
        findings.append(f"{name}: {text}")


class Module:
    """The public symbols, by their path; a path may have several (a class and an instance property)."""

    def __init__(self):
        self.symbols, self.kinds, self.names = {}, {}, {}
        self.relations = {}
        for name in ("CoreBluetooth", "CCoreBluetooth"):
            graph = json.loads((FOLDER / f"{name}.symbols.json").read_text())
            for symbol in graph["symbols"]:
                precise = symbol["identifier"]["precise"]
                if "::SYNTHESIZED::" in precise:
                    continue
                path = ".".join(symbol["pathComponents"])
                self.names[precise] = path
                self.symbols.setdefault(path, []).append(symbol)
            for relation in graph["relationships"]:
                self.relations.setdefault(relation["source"], []).append(relation)

    def declaration(self, symbol):
        text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        return re.sub(r"\s+", " ", text).strip()

    def has(self, symbol, kind):
        return [r for r in self.relations.get(symbol["identifier"]["precise"], []) if r["kind"] == kind]

    def superclass(self, symbol):
        for relation in self.has(symbol, "inheritsFrom"):
            return self.names.get(relation["target"]) or relation.get("targetFallback", "").split(".")[-1]
        return None


module = Module()
expected = set()


def comparable(text):
    return UNIMPORTANT.sub("", text.replace("@discardableResult ", ""))


def selector(declaration):
    """`func connect(_ peripheral: CBPeripheral, options: …)` -> `connect(_:options:)`."""
    match = re.search(r"\b(?:func (\w+)|(init))\((.*)\)", declaration)
    if not match:
        return re.search(r"\b(?:var|let) (\w+)", declaration).group(1)
    inside, depth, parts, part = match.group(3), 0, [], ""
    # The first closing parenthesis at depth 0 ends the parameters.
    for character in inside:
        if character in "([":
            depth += 1
        elif character in ")]":
            if depth == 0:
                break
            depth -= 1
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    parts += [part] if part.strip() else []
    labels = "".join(p.split(":")[0].split()[0] + ":" for p in parts)
    return f"{match.group(1) or 'init'}({labels})"


def check_member(owner, member, kind):
    path = f"{owner}.{selector(member['declaration'])}"
    expected.add(path)
    candidates = [s for s in module.symbols.get(path, []) if not module.has(s, "defaultImplementationOf")]
    if not candidates:
        return find(path, f"is missing: {member['declaration']}")
    wanted = comparable(member["declaration"])
    same = [s for s in candidates if comparable(module.declaration(s)) == wanted]
    if not same:
        there = "; ".join(module.declaration(s) for s in candidates)
        return find(path, f"is declared otherwise: {there}; Apple's: {member['declaration']}")
    symbol = same[0]
    if kind == "class" and "init" not in path.rsplit(".", 1)[1][:4] and symbol["accessLevel"] != "open":
        find(path, "can't be overridden: it isn't open")
    if "->" in member["declaration"] and kind == "class" and "@discardableResult" not in module.declaration(symbol):
        find(path, "warns where its result isn't used: @discardableResult is missing")
    if kind == "protocol":
        defaults = any(module.has(s, "defaultImplementationOf") for s in module.symbols[path])
        if defaults != member["optional"]:
            find(path, "must be optional" if member["optional"] else "must be required")


def check_type(entry):
    name, kind = entry["name"], entry["kind"]
    expected.add(name)
    symbols = module.symbols.get(name)
    if not symbols:
        return find(name, "is missing")
    symbol = symbols[0]
    swift_kind = {"class": "class", "protocol": "protocol", "enum": "enum", "optionSet": "struct", "error": "struct",
                  "stringStruct": "struct"}[kind]
    if symbol["kind"]["identifier"] != f"swift.{swift_kind}":
        find(name, f"is a {symbol['kind']['displayName']}, not a {swift_kind}")
    if kind == "class":
        if symbol["accessLevel"] != "open":
            find(name, "isn't open")
        if module.superclass(symbol) != entry["inherits"]:
            find(name, f"inherits {module.superclass(symbol)}, not {entry['inherits']}")
    for member in entry.get("members", []):
        check_member(name, member, kind)
    for nested in entry.get("nested", []):
        expected.add(f"{name}.{nested}")
        if f"{name}.{nested}" not in module.symbols:
            find(f"{name}.{nested}", "is missing")


def c_values():
    """Raw values of the enumerations' cases, from the header: type -> case -> value."""
    text = (ROOT / "Sources/CCoreBluetooth/include/CCoreBluetooth.h").read_text()
    result = {}
    for match in re.finditer(r"RV_OPEN_ENUM\((\w+)\) \{([^}]*)\}", text):
        cases = {}
        for line in match.group(2).split(","):
            case = re.search(r"(\w+)(?: RV_NAME\(\"(\w+)\"\))? = (0x[0-9A-Fa-f]+|\d+)", line)
            if case:
                cases[case.group(2) or case.group(1)] = int(case.group(3), 0)
        result[match.group(1)] = cases
    return result


def check_cases(entry):
    """Cases are in the graph by their Swift names; their values are in the header."""
    name = entry["name"]
    c_name = {"CBError": "__CBErrorCode", "CBATTError": "__CBATTErrorCode"}.get(name, name)
    there = sorted(c_values().get(c_name, {}).values())
    if there != sorted(entry["cases"].values()):
        find(name, f"has the raw values {there}, Apple's {sorted(entry['cases'].values())}")
    for case, value in entry["cases"].items():
        # A name that begins with an underscore isn't in the graph: its cases are read from the header alone.
        path = f"{c_name}.{case}"
        values = c_values().get(c_name, {})
        if c_name.startswith("__"):
            if values.get(case) != value:
                find(path, f"is {values.get(case)}, not {value}")
        else:
            expected.add(path)
            if path not in module.symbols:
                find(path, "is missing")
            if not any(key.lower().endswith(case.lower()) and raw == value for key, raw in values.items()):
                find(path, f"isn't {value}")
        if entry["kind"] == "error":
            check_member(name, {"declaration": f"static var {case}: {name}.Code {{ get }}"}, "struct")
    for alias in entry.get("aliases", {}):
        expected.add(f"{name}.{alias}")
        if f"{name}.{alias}" not in module.symbols:
            find(f"{name}.{alias}", "is missing")
    expected.update({f"{name}.init(rawValue:)", f"{c_name}", f"{c_name}.init(rawValue:)"})
    if entry["kind"] == "error":
        expected.update({f"{name}.Code", f"{name}.errorDomain"})


SOURCES = "\n".join(path.read_text() for path in sorted((ROOT / "Sources/CoreBluetooth").rglob("*.swift")))


def number(text):
    shift = re.fullmatch(r"(\d+) << (\d+)", text)
    return int(shift.group(1)) << int(shift.group(2)) if shift else int(text.replace("_", ""), 0)


def check_options(entry):
    name = entry["name"]
    body = re.search(rf"struct {name.split('.')[-1]}: OptionSet.*?\n(?:    )?\}}\n", SOURCES, re.S)
    values = {}
    if body:
        for match in re.finditer(r"static let (\w+) = \w+\(rawValue: ([^)]*)\)", body.group(0)):
            values[match.group(1)] = number(match.group(2))
    if values != entry["options"]:
        find(name, f"has the options {values}, Apple's {entry['options']}")
    expected.update(f"{name}.{option}" for option in entry["options"])
    for option in entry["options"]:
        if f"{name}.{option}" not in module.symbols:
            find(f"{name}.{option}", "is missing")
    expected.update({f"{name}.rawValue", f"{name}.init(rawValue:)"})
    for path in (f"{name}.rawValue", f"{name}.init(rawValue:)"):
        if not any(entry["rawType"] in module.declaration(s) for s in module.symbols.get(path, [])):
            find(path, f"isn't of {entry['rawType']}")


def check_string_struct(entry):
    name = entry["name"]
    expected.update({f"{name}.rawValue", f"{name}.init(rawValue:)"})
    for member, value in entry["values"].items():
        expected.add(f"{name}.{member}")
        if f"{name}.{member}" not in module.symbols:
            find(f"{name}.{member}", "is missing")
        if f'"{value}"' not in SOURCES:
            find(f"{name}.{member}", f"isn't {value}")


def check_constants():
    for name, entry in TABLE["constants"].items():
        expected.add(name)
        symbols = module.symbols.get(name)
        if not symbols or module.declaration(symbols[0]) != f"let {name}: String":
            find(name, "is missing, or no constant String")
            continue
        match = re.search(rf"public let {name}(?:: String)? = \"([^\"]*)\"", SOURCES)
        if not match or match.group(1) != entry["value"]:
            find(name, f"is {match.group(1) if match else 'of no value'}, Apple's {entry['value']}")
    for name, target in TABLE["typealiases"].items():
        expected.add(name)
        if not any(module.declaration(s) == f"typealias {name} = {target}" for s in module.symbols.get(name, [])):
            find(name, f"is no typealias of {target}")


for entry in TABLE["types"]:
    check_type(entry)
    if "cases" in entry:
        check_cases(entry)
    if "options" in entry:
        check_options(entry)
    if "values" in entry:
        check_string_struct(entry)
check_constants()
for path in sorted(set(module.symbols) - expected):
    last = path.rsplit(".", 1)[-1]
    if last in INHERITED and module.has(module.symbols[path][0], "overrides"):
        continue
    find(path, "is public, but not among Apple's declarations")
for name in sorted(set(TABLE["differences"]) - used):
    findings.append(f"{name}: stands among the differences, but there is none")

for finding in findings:
    print(f"check_api: {finding}")
print(f"check_api: {len(expected)} names of Apple's, {len(used)} differences with a reason, {len(findings)} findings")
sys.exit(1 if findings else 0)
