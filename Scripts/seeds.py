#!/usr/bin/env python3
"""Generates Documentation/Seeds.md from Documentation/seeds.json: for each row of the tutorials the API, the line of the
example, the test, and what differs. With --check it changes nothing and fails where the page is not what the table
gives, or where an example's text or a test's name is not found."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation/seeds.json"
PAGE = ROOT / "Documentation/Seeds.md"
problems = []


def line_of(file, text):
    path = ROOT / file
    if not path.exists():
        problems.append(f"{file} is not there")
        return 0
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if text in line:
            return number
    problems.append(f"{file} has no line with '{text}'")
    return 0


TESTS = {}
for path in sorted((ROOT / "Tests").rglob("*.swift")):
    for match in re.finditer(r"func `([^`]+)`", path.read_text()):
        TESTS.setdefault(match.group(1), path.relative_to(ROOT))


def example(entry):
    number = line_of(entry["file"], entry["text"])
    name = entry["file"].split("/")[-1]
    return f"[{name}:{number}](../{entry['file']}#L{number})"


def test(name):
    if name not in TESTS:
        problems.append(f"no test is called '{name}'")
        return name
    return f"[{name}](../{TESTS[name]})"


table = json.loads(TABLE.read_text())
out = ["# The tutorials, row by row", "",
       "The project began with four tutorials. Each fact that they teach has an example, a test, and a note on what differs",
       "from them and why. This page is generated from `seeds.json` by `Scripts/seeds.py`; `make test` checks it.",
       "`make docs` builds a tutorial for each of the four, step by step, in the order of these rows.", ""]
for part in table:
    out += [f"## {part['title']}", "", "| row | what the tutorial shows | API | example | test | what differs, and why |",
            "|---|---|---|---|---|---|"]
    for row in part["rows"]:
        out.append("| " + " | ".join([
            row["row"], row["fact"], ", ".join(f"`{name}`" for name in row.get("api", [])),
            "<br>".join(example(entry) for entry in row.get("examples", [])),
            "<br>".join(test(name) for name in row.get("tests", [])), row.get("differs", "")]) + " |")
        if not row.get("pairing") and not (row.get("tests") and (row.get("examples") or row.get("documentation"))):
            problems.append(f"{row['row']} has no example line or no test")
    out.append("")
page = "\n".join(out)

if "--check" in sys.argv:
    if not PAGE.exists() or PAGE.read_text() != page:
        problems.append("Documentation/Seeds.md is not what the table gives: run Scripts/seeds.py")
else:
    PAGE.write_text(page)
for problem in problems:
    print(f"seeds: {problem}")
sys.exit(1 if problems else 0)
