#!/usr/bin/env python3
"""Generates Documentation/SecurityCases.md from Documentation/security-cases.json and the tests: for each case of what a
hostile peer, controller or neighbour can do, what a correct stack does, and the tests whose names begin with its id
(`S07 …`, `P02 and P03 …`).

With --check it changes nothing, and fails where the page is not what they give, where a test names a case that is not
there, or where a case that the table lists under `held` has no test. `--filter` prints the regular expression that
selects all of these tests for `swift test --filter`."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation/security-cases.json"
PAGE = ROOT / "Documentation/SecurityCases.md"
TEST = re.compile(r"func `([^`]+)`")
NAME = re.compile(r"([ACGHLPS]\d\d)((?:(?:, | and )[ACGHLPS]\d\d)*) (.+)", re.S)

table = json.loads(TABLE.read_text())
cases = [case for section in table["sections"] for case in section["cases"]]
known = {case["id"] for case in cases}
problems = []


def tests():
    """Case -> its tests, each the file and the name without its ids."""
    found = {}
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        for name in TEST.findall(path.read_text()):
            if match := NAME.fullmatch(name):
                for case in [match.group(1)] + re.findall(r"[A-Z]\d\d", match.group(2)):
                    found.setdefault(case, []).append((path.relative_to(ROOT), match.group(3)))
    return found


def cell(text):
    return text.replace("|", "\\|")


def shown(entries):
    files = {}
    for path, name in entries:
        files.setdefault(path, []).append(name)
    return "<br>".join(f"[{path.stem}](../{path}): " + "; ".join(names) for path, names in files.items())


TESTS = tests()
if "--filter" in sys.argv:
    print("`[ACGHLPS][0-9][0-9] ")
    sys.exit()
for case in sorted(set(TESTS) - known):
    problems.append(f"there is no case {case}, which '{TESTS[case][0][1]}' in {TESTS[case][0][0]} names")
held = set(table["held"])
problems += [f"there is no case {case}, which `held` lists" for case in sorted(held - known)]
problems += [f"case {case} has no test" for case in sorted((held & known) - set(TESTS))]
problems += [f"case {case} has a test now: list it under `held`" for case in sorted((set(TESTS) & known) - held)]

counted = len(held)
out = ["# What an attacker can do", "",
       "Each case is something that a peer, a controller or whoever is near can send, and what a correct stack does. What",
       "every case asks besides: no trap, no endless loop, memory back to its level when the link has gone, other links",
       "undisturbed, and a right request on a fresh link still answered.", "",
       "Octets are hexadecimal, in the order sent. *LL* is header and payload of a link-layer PDU, *L2* an L2CAP frame, *SIG*,",
       "*ATT* and *SMP* are payloads of those channels, *EV* is an HCI event.", "",
       "The tests are named by the ids, and lie beside the tests of the layer that the case is about; `make security` runs",
       f"them, and only them. {counted} of {len(cases)} cases have tests by their ids. This page is generated from",
       "`security-cases.json` and the tests by `Scripts/security_cases.py`; `make lint` checks it.", ""]
for section in table["sections"]:
    out += [f"## {section['title']}", "", "| id | from | sends | a correct stack | tests |", "|---|---|---|---|---|"]
    for case in section["cases"]:
        out.append("| " + " | ".join(cell(text) for text in [
            case["id"], case["from"], case["sends"], case["correct"], shown(TESTS.get(case["id"], []))]) + " |")
    out.append("")
page = "\n".join(out)

if "--check" in sys.argv:
    if not PAGE.exists() or PAGE.read_text() != page:
        problems.append(f"{PAGE.name} is not what the table and the tests give: run Scripts/security_cases.py")
else:
    PAGE.write_text(page)
for problem in problems:
    print(f"security cases: {problem}")
sys.exit(1 if problems else 0)
