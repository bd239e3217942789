#!/usr/bin/env python3
"""Generates the article BehaviourContract.md of the documentation from Documentation/contract.json and the tests: for
each of the 130 statements its evidence, what differs here, and the tests whose names begin with its number
(`46 and 54 …`, `27 to 29 …`, `32, 113 and 114 …`).

With --check it changes nothing, and fails where the article is not what they give, where a statement has no test, or
where one is listed as pending that has one. A statement that is pending has its reason there."""
import json
import pathlib
import re
import sys

import statements

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation/contract.json"
ARTICLE = ROOT / "Sources/CoreBluetooth/CoreBluetooth.docc/BehaviourContract.md"
TEST = re.compile(r"func `([^`]+)`")
KINDS = {"convention": "**Convention.** ", "exception": "The reason is logged and the program ends, as there. ",
         "phone": "**Of a phone.** "}

table = json.loads(TABLE.read_text())
problems = []


def tests():
    """Statement -> its tests, each the suite's file and the name without its numbers."""
    found = {}
    for folder in table["tests"]:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            for match in TEST.finditer(path.read_text()):
                numbers, words = statements.named_after(match.group(1))
                for number in numbers:
                    found.setdefault(number, []).append((path.stem, words))
    return found


def cell(text):
    return text.replace("|", "\\|")


def shown(entries):
    files = {}
    for file, name in entries:
        files.setdefault(file, []).append(name)
    return "; ".join(f"`{file}`: " + "; ".join(f"*{name}*" for name in sorted(names)) for file, names in files.items())


TESTS = tests()
PENDING = {int(number): reason for number, reason in table["pending"].items()}
known = [statement["number"] for section in table["sections"] for statement in section["statements"]]
if known != list(range(1, len(known) + 1)):
    problems.append("the statements are not numbered one after the other")
for number in sorted(set(TESTS) - set(known)):
    problems.append(f"there is no statement {number}, which '{TESTS[number][0][1]}' of {TESTS[number][0][0]} names")
for number in sorted(PENDING):
    if number in TESTS:
        problems.append(f"statement {number} has a test now: take it out of `pending` in Documentation/contract.json")

out = [
    "# The behaviour contract", "",
    f"{len(known)} statements of how Core Bluetooth behaves, where each comes from, and the test that holds us to it.", "",
    "## Overview", "",
    "Apple documents the names, and part of the behaviour. Programs also rely on the rest: on what is called, in which",
    "order, with which error. These statements say it. The tests are named after their numbers, so a test that fails says",
    "which statement is broken. This page is generated from `Documentation/contract.json` and the tests by",
    "`Scripts/contract.py`; `make lint` fails when a statement has no test.", "",
    "Evidence: *doc* is Apple's public documentation, *mock* is CoreBluetoothMock of Nordic Semiconductor, *macios* are",
    "the tests of .NET for iOS, *logs* are log lines seen in public, *users* is what many report; the others are issues of",
    "public projects. **H** is well founded, **M** rests on one good source, **L** is thin. Where it is too thin a",
    "*convention* says what we do. What is *of a phone*, in a pocket, has no counterpart on Linux: its options are accepted.",
    "See also <doc:DifferencesFromApple>.", ""]
for section in table["sections"]:
    out += [f"## {section['title']}", "", "| | statement | evidence | here | tests |", "|---|---|---|---|---|"]
    for statement in section["statements"]:
        number = statement["number"]
        here = (KINDS[statement["kind"]] if "kind" in statement else "") + statement.get("here", "")
        entries = TESTS.get(number, [])
        if number in PENDING:
            here = " ".join(filter(None, [f"**Not there yet.** {PENDING[number]}", here]))
        elif not entries:
            problems.append(f"statement {number} has no test: {statement['statement']}")
        out.append("| " + " | ".join(
            cell(text.strip()) for text in
            [str(number), statement["statement"], statement["evidence"], here, shown(entries)]) + " |")
    out.append("")
article = "\n".join(out)

if "--check" in sys.argv:
    if not ARTICLE.exists() or ARTICLE.read_text() != article:
        problems.append(f"{ARTICLE.name} is not what the table and the tests give: run Scripts/contract.py")
else:
    ARTICLE.write_text(article)
for problem in problems:
    print(f"contract: {problem}")
sys.exit(1 if problems else 0)
