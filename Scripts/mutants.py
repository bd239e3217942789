#!/usr/bin/env python3
"""Shows that the tests of the behaviour contract test: each change of Tests/Mutants is planted in a copy of the sources,
and the tests named after its statements must fail while it is active.

All changes are planted at once and built once. Each stands behind a switch that the environment variable RAVNING_MUTANT
turns on, so none hides another, and one that makes a test crash or hang costs nothing but its own run. A run with every
switch off comes first: what fails there isn't the changes' doing.

    Scripts/mutants.py [--folder FOLDER] [STATEMENT…]
    Scripts/mutants.py --check     (part of `make lint`)

The copy and its build are kept in the folder (.build-mutants), so a second run builds what has changed. Exit code 1 if
a statement isn't seen failing, those that are pending aside."""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tomllib

import statements as statements_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ["CoreBluetoothTests", "CoreBluetoothSimulationTests"]
CONTRACT = json.loads((ROOT / "Documentation/contract.json").read_text())
# Lines of a run: a test that has begun, that has passed, that has failed.
LINE = re.compile(r'Test "([^"]+)" (?:\(aka .*?\) )?(?:with \d+ test cases? )?(started|passed|failed)')
SECONDS = 120
# Behind every file that is changed.
SWITCH = """
private let chosenMutant = unsafe getenv("RAVNING_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""


def numbers(name):
    return statements_of.named_after(name)[0]


def changes():
    found = []
    for path in sorted((ROOT / "Tests/Mutants").glob("*.toml")):
        found += tomllib.loads(path.read_text())["change"]
    return found


def planted(all_changes):
    """File -> its text with every change in it."""
    texts, problems = {}, []
    for number, change in enumerate(all_changes, 1):
        file = change["file"]
        text = texts.get(file) or (ROOT / file).read_text()
        for old, new in [(change["old"], change["new"]), *change.get("also", [])]:
            if text.count(old) != 1:
                problems.append(f"{file}: {text.count(old)} times, not once: {old}")
            text = text.replace(old, re.sub(r"\bplanted\b", f"(chosenMutant == {number})", new))
        texts[file] = text
    if problems:
        sys.exit("the sources have changed:\n" + "\n".join(problems))
    return {file: "internal import Glibc\n" + text + SWITCH for file, text in texts.items()}


def manifest():
    """The package with the tests in question alone, and with warnings that are none but warnings."""
    text = (ROOT / "Package.swift").read_text()
    text = re.sub(r",? *\.treatAllWarnings\(as: \.error\),?\n?", "", text)
    kept = re.findall(r'\.(?:target|systemLibrary)\(\s*name: "(?!Queue|BLETestSupport|Example)(\w+)"', text) + SUITES
    text = text.replace('    + [.executable(name: "ravning", targets: ["RavningCommand"])]\n', "")
    return text.replace(
        "let package =", f"let kept = {json.dumps(kept)}\ntargets.removeAll {{ !kept.contains($0.name) }}\nlet package =")


def copy(folder, all_changes):
    """Writes what is different, so that a build begins where the last one ended."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "Sources", *(f"Tests/{suite}" for suite in SUITES)],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    wanted = {file: (ROOT / file).read_bytes() for file in files if file and (ROOT / file).is_file()}
    wanted |= {file: text.encode() for file, text in planted(all_changes).items()}
    wanted["Package.swift"] = manifest().encode()
    for top in ["Sources", "Tests"]:
        for path in (folder / top).rglob("*"):
            if path.is_file() and str(path.relative_to(folder)) not in wanted:
                path.unlink()
    for file, octets in wanted.items():
        path = folder / file
        if not path.is_file() or path.read_bytes() != octets:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(octets)


def run(names, mutant=0):
    """Names of tests -> whether each passed. Where the run breaks off, those that hadn't ended have a run each: what
    passes there wasn't the one that crashed."""
    # In a test's identifier its name stands behind a backtick. What isn't a letter or digit might mean something else.
    heads = "|".join(sorted(re.sub(r"\W", ".", name) for name in names))
    command = [str(bundle), "--testing-library", "swift-testing", "--filter", f"[^0-9](?:{heads})"]
    for _ in range(5):
        try:
            done = subprocess.run(
                command, env=os.environ | {"RAVNING_MUTANT": str(mutant)}, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=SECONDS)
        except subprocess.TimeoutExpired as expired:
            output = expired.stdout or b""
            break
        output = done.stdout
        # Killed from outside, it says nothing about the change: once more.
        if done.returncode != -signal.SIGKILL:
            break
    results = {match.group(1): match.group(2) for match in LINE.finditer(output.decode(errors="replace"))}
    ended = {name: results[name] == "passed" for name in names if results.get(name) in ("passed", "failed")}
    rest = names - set(ended)
    if len(names) == 1:
        return {name: False for name in names} if rest and results else ended
    for name in sorted(rest):
        ended |= run({name}, mutant)
    return ended


parser = argparse.ArgumentParser()
parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build-mutants")
parser.add_argument("--check", action="store_true", help="only say whether each change still finds its place")
parser.add_argument("statements", type=int, nargs="*")
arguments = parser.parse_args()
ALL = changes()
if arguments.check:
    planted(ALL)
    sys.exit()
folder = arguments.folder.resolve()
folder.mkdir(parents=True, exist_ok=True)

copy(folder, ALL)
if subprocess.run(["swift", "build", "--build-tests", "--quiet"], cwd=folder).returncode:
    sys.exit("the build failed: do the planted changes compile?")
binaries = subprocess.run(
    ["swift", "build", "--show-bin-path"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
bundle = pathlib.Path(binaries) / "RavningPackageTests.xctest"

TESTS = {
    match.group(1) for suite in SUITES for path in (ROOT / "Tests" / suite).rglob("*.swift")
    for match in re.finditer(r"func `([^`]+)`", path.read_text()) if numbers(match.group(1))}
wanted = set(arguments.statements) or {
    statement["number"] for section in CONTRACT["sections"] for statement in section["statements"]
} - {int(number) for number in CONTRACT["pending"]}

names = {name for name in TESTS if set(numbers(name)) & wanted}
sound = run(names)
broken = sorted(name for name in names if not sound.get(name))
if broken:
    sys.exit("don't pass without any change: " + "; ".join(broken))

seen, failed_tests, tried = set(), set(), 0
for number, change in enumerate(ALL, 1):
    statements = set(change["statements"]) & wanted
    if not statements:
        continue
    tried += 1
    results = run({name for name in names if set(numbers(name)) & statements}, number)
    failed = {name for name, has_passed in results.items() if not has_passed}
    failed_tests |= failed
    caught = statements & {statement for name in failed for statement in numbers(name)}
    seen |= caught
    for statement in sorted(statements):
        print(f"{'seen failing' if statement in caught else 'SURVIVES':12} {statement:4}  {change['what']}", flush=True)

print(f"{len(seen)} of {len(wanted)} statements were seen failing, by {tried} changes; "
      f"{len(failed_tests)} of their {len(names)} tests failed at least once")
for name in sorted(names - failed_tests):
    print(f"    never failed: {name}")
if seen != wanted:
    sys.exit("not seen failing: " + ", ".join(map(str, sorted(wanted - seen))))
