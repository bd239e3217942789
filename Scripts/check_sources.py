#!/usr/bin/env python3
"""Checks the rules of the architecture that a compiler does not: which target may import what, constructs that
are forbidden in some places, file lengths, and the form of citations. Prints every finding; exit code 1 if any."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What each target may import; a target that is missing here is a finding.
IMPORTS = {
    "BLELocking": "Glibc Synchronization",
    "BLEWire": "",
    "BLECrypto": "BLEWire CCrypto",
    "BLEBackend": "BLELocking BLEWire Glibc Synchronization",
    "BLEHost": "BLEWire BLECrypto",
    "BLEController": "BLEWire BLECrypto",
    "BLERecordings": "BLEWire BLEHost",
    "BLESimulator": "BLEWire BLECrypto BLEHost BLEController",
    "BLEBlueZ": "BLELocking BLEWire BLEBackend CLinuxSupport CSystemd Dispatch Glibc Synchronization",
    "BLETransport": "BLELocking BLEWire CLinuxSupport CUSB Dispatch Glibc Synchronization",
    "CommandLineKit": "CArgp Glibc",
    "BLEValues": "BLEWire",
    "BLEDevices": "BLEWire BLEValues BLERecordings",
    "BLEDeviceFiles": "BLEDevices CYAML Glibc",
    "BLERuntime":
        "BLELocking BLEWire BLEBackend BLEHost BLEController BLESimulator BLETransport BLEBlueZ CLinuxSupport "
        "Dispatch Glibc Synchronization",
    "CoreBluetooth":
        "BLELocking BLEWire BLEBackend BLERuntime CCoreBluetooth CDelegateProbe Foundation CoreFoundation Dispatch "
        "Synchronization",
    "Ravning": "BLELocking CoreBluetooth BLERuntime BLEBackend BLEWire Foundation Dispatch Synchronization",
    "CoreBluetoothSimulation":
        "CoreBluetooth Ravning BLERuntime BLESimulator BLEBackend BLEHost BLEController BLETransport BLEWire Foundation "
        "Dispatch Synchronization BLELocking",
    "RavningCommand":
        "BLEWire BLEBackend BLERuntime BLEController BLETransport BLEBlueZ BLEDevices BLEDeviceFiles CoreBluetooth Ravning "
        "CommandLineKit Dispatch Glibc "
        "Dispatch Synchronization",
    "RavningClient":
        "BLELocking BLEWire BLEValues BLETransport BLERuntime BLEDevices BLEDeviceFiles BLERecordings CoreBluetooth Ravning CommandLineKit Dispatch "
        "Foundation Glibc",
}
# Only these files may name the C library.
ONE_FILE = {"CCrypto": 1, "CArgp": 1, "CYAML": 1, "CSystemd": 2}
# The examples must compile on a Mac as they are.
EXAMPLES = {"Foundation", "Dispatch", "CoreBluetooth"}
CORE = {"BLERecordings", "BLEDevices", "BLEValues", "BLEWire", "BLECrypto", "BLEHost", "BLEController", "BLESimulator"}

IMPORT = re.compile(
    r"^\s*(?:@_exported\s+|@preconcurrency\s+|@testable\s+)*(?:package\s+|public\s+|internal\s+|private\s+|fileprivate\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([A-Za-z_]\w*)", re.M)
CITATION = re.compile(r"\[Vol [^\]]*\]")
GOOD_CITATION = re.compile(r"^\[Vol \d, Part [A-H](, [\dA-Z]+(\.\d+)*( (to|and) [\d.]+)?)*\]$")
LENGTH_REASON = re.compile(r"^// Reason for its length: ", re.M)

findings = []


def find(path, line, text):
    findings.append(f"{path.relative_to(ROOT)}:{line}: {text}")


def code_only(text):
    """The text with comments and string literals blanked, lines kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/', blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def forbid(path, code, pattern, why):
    for match in re.finditer(pattern, code):
        find(path, line_of(code, match.start()), f"{why}: {match.group(0).strip()}")


for path in sorted((ROOT / "Sources").rglob("*.swift")):
    target = path.relative_to(ROOT / "Sources").parts[0]
    text = path.read_text()
    code = code_only(text)
    allowed = IMPORTS.get(target)
    if allowed is None:
        find(path, 1, f"target {target} has no line in the import table")
        continue
    for match in IMPORT.finditer(code):
        if match.group(1) not in allowed.split():
            find(path, line_of(code, match.start()), f"{target} must not import {match.group(1)}")
    forbid(path, code, r"\btry!|\bas!|\bunowned\(unsafe\)", "may trap")
    if target in CORE | {"BLEBackend", "BLETransport", "BLEBlueZ", "BLERuntime"}:
        forbid(path, code, r"\bfatalError\(", "nothing below the facade ends the program")
    if target in CORE:
        forbid(path, code, r"\b(ContinuousClock|SuspendingClock|SystemRandomNumberGenerator|Date\(\)|Task\s*\{)",
               "time and randomness are handed in")
        forbid(path, code, r"\.random\(in:[^,()]*\)", "randomness is handed in")

for target, limit in ONE_FILE.items():
    users = [p for p in (ROOT / "Sources").rglob("*.swift")
             if target in IMPORT.findall(code_only(p.read_text()))]
    if len(users) > limit:
        for user in users:
            find(user, 1, f"{target} may be imported in {limit} file only")

for path in sorted((ROOT / "Examples").rglob("*.swift")):
    name = path.relative_to(ROOT / "Examples").parts[0]
    if name == "Support":
        continue
    code = code_only(path.read_text())
    for match in IMPORT.finditer(code):
        module = match.group(1)
        main = path.relative_to(ROOT / "Examples").parts[1] == "Main"
        if module not in EXAMPLES and not (main and module in {name + "Program", "ExampleSupport"}):
            find(path, line_of(code, match.start()), f"an example must not import {module}")

for path in sorted((ROOT / "Tests").rglob("*.swift")):
    code = code_only(path.read_text())
    forbid(path, code, r"\b(sleep|usleep|nanosleep)\(|\bDate\(\)", "tests neither sleep nor read the wall clock")

for folder in ["Sources", "Tests", "Examples", "Fuzz", "Tools", "Benchmarks"]:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in {".swift", ".c", ".h", ".py", ".sh"} or not path.is_file():
            continue
        text = path.read_text()
        lines = text.count("\n")
        if lines > 400 and path.suffix == ".swift" and not LENGTH_REASON.search("\n".join(text.split("\n")[:5])):
            find(path, 1, f"{lines} lines, and no '// Reason for its length: …' at its head")
        for match in CITATION.finditer(text):
            if "\\(" not in match.group(0) and not GOOD_CITATION.match(match.group(0)):
                find(path, line_of(text, match.start()), f"citation not in the form [Vol 3, Part F, 3.4.3.1]: "
                     + match.group(0))

# Every PDU says where it is defined.
for path in sorted((ROOT / "Sources/BLEWire").rglob("*.swift")):
    text = path.read_text()
    for match in re.finditer(r"^package struct (\w+): [^{]*PDU\b", text, re.M):
        before = text[:match.start()].rstrip().split("\n")
        doc = []
        while before and before[-1].strip().startswith(("///", "@")):
            doc.append(before.pop())
        if not any("[Vol " in line for line in doc):
            find(path, line_of(text, match.start()), f"{match.group(1)} has no citation in its docstring")

# What a target imports, its line in the manifest must name: else it isn't built again when that changes, and goes on
# with the old layout of its values.
package = json.loads(subprocess.run(
    ["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
names = {target["name"] for target in package["targets"]}
for target in package["targets"]:
    folder = ROOT / (target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"])
    named = {next(iter(dependency.values()))[0] for dependency in target["dependencies"]} | {target["name"]}
    for path in sorted(folder.rglob("*.swift")):
        code = code_only(path.read_text())
        for match in IMPORT.finditer(code):
            if match.group(1) in names - named:
                find(path, line_of(code, match.start()),
                     f"{match.group(1)} isn't among the dependencies of {target['name']} in Package.swift")

for finding in findings:
    print(finding)
print(f"check_sources: {len(findings)} findings")
sys.exit(1 if findings else 0)
