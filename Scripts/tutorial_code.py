#!/usr/bin/env python3
"""Cuts the code of the tutorials out of the example programs, which are built and tested; so what a tutorial shows is
what runs.

    tutorial_code.py FOLDER      writes the files that the tutorials' @Code directives name into FOLDER
    tutorial_code.py --check     writes nothing; fails where something isn't found, or isn't used

Documentation/tutorials.json names for each series a source file and, step by step, the lines whose declarations or
statements are added. A part that is shown brings the comment above it and the first and last line of what encloses it.
The file of step 3 of the series `band-central` is `band-central-03.swift`.

A step says in a comment which rows of Documentation/seeds.json it tells of: every row stands in its tutorial, in order.
A test that an article shows must stand among the tests."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERIES = json.loads((ROOT / "Documentation/tutorials.json").read_text())
TUTORIALS = ROOT / "Sources/CoreBluetooth/CoreBluetooth.docc"
problems = []


def bare(line):
    """The line without its strings and comment, for counting brackets."""
    return re.sub(r'"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\])*"|//.*', "", line)


def indent(line):
    return len(line) - len(line.lstrip())


class Source:
    def __init__(self, file):
        self.file, self.lines = file, (ROOT / file).read_text().rstrip("\n").split("\n")

    def find(self, anchor):
        text = "\n".join(self.lines)
        if text.count(anchor) != 1:
            problems.append(f"{self.file} has {text.count(anchor)} places with '{anchor}', not one")
            return None
        start = text.count("\n", 0, text.index(anchor))
        # A line of a signature that is written over several stands for all of it.
        while self.lines[start - 1].rstrip().endswith(("(", "[")):
            start -= 1
        return start

    def is_case(self, number):
        return re.match(r"\s*(case |default:|@unknown default:)", self.lines[number]) is not None \
            and bare(self.lines[number]).rstrip().endswith(":")

    def end(self, start):
        """The last line of the declaration or statement that begins there."""
        depth, number = 0, start
        if self.is_case(start):
            return next(n for n in range(start + 1, len(self.lines)) if indent(self.lines[n]) <= indent(self.lines[start])) - 1
        while True:
            text = bare(self.lines[number])
            depth += sum(text.count(c) for c in "([{") - sum(text.count(c) for c in ")]}")
            following = self.lines[number + 1].strip() if number + 1 < len(self.lines) else ""
            if depth <= 0 and not following.startswith(("{", "throws", "func `")):
                return number
            number += 1

    def part(self, start):
        """The lines of a part, with the comment above it."""
        first = start
        while first and self.lines[first - 1].strip().startswith("//") \
                and not self.lines[first - 1].strip().startswith("// MARK"):
            first -= 1
        return set(range(first, self.end(start) + 1)) | self.enclosing(start)

    def enclosing(self, start):
        """The first and last lines of the blocks around a line."""
        # A case is as far in as its switch.
        found, level = set(), indent(self.lines[start]) + (1 if self.is_case(start) else 0)
        for number in range(start - 1, -1, -1):
            line = self.lines[number]
            if not line.strip() or indent(line) >= level or line.strip().startswith("//") or self.is_case(number):
                continue
            level = indent(line)
            first = number
            # `) {` closes a signature over several lines.
            while self.lines[first].strip().startswith((")", "{")) or indent(self.lines[first]) > level:
                first -= 1
            found |= set(range(first, number + 1))
            while first and self.lines[first - 1].strip().startswith("///"):
                first -= 1
                found.add(first)
            found.add(next(n for n in range(number + 1, len(self.lines))
                           if indent(self.lines[n]) == level and self.lines[n].strip().startswith("}")))
        return found

    def shown(self, numbers):
        out, last = [], None
        for number in sorted(numbers):
            line = self.lines[number]
            if last is not None and number > last + 1 and any(not text.strip() for text in self.lines[last + 1:number]) \
                    and not self.lines[last].rstrip().endswith("{") and not line.strip().startswith("}"):
                out.append("")
            out.append(line)
            last = number
        return "\n".join(out) + "\n"


files = {}
for series in SERIES:
    source, numbers = Source(series["file"]), set()
    for step, anchors in enumerate(series["steps"], 1):
        for anchor in anchors:
            start = source.find(anchor)
            if start is not None:
                numbers |= source.part(start)
        files[f"{series['name']}-{step:02}.swift"] = source.shown(numbers)

used, told = set(), {}
for path in sorted(TUTORIALS.rglob("*.tutorial")):
    rows = [row for comment in re.findall(r"@Comment \{([^}]*)\}", path.read_text()) for row in comment.split()]
    told.setdefault(rows[0].split(".")[0] if rows else "", []).extend(rows)
    for name in re.findall(r'@Code\([^)]*\bfile: "?([\w.-]+)"?', path.read_text()):
        used.add(name)
        if name.endswith(".swift") and name not in files:
            problems.append(f"{path.name} shows {name}, which Documentation/tutorials.json doesn't make")
for name in sorted(set(files) - used):
    problems.append(f"no tutorial shows {name}")

wanted = {}
for part in json.loads((ROOT / "Documentation/seeds.json").read_text()):
    for row in part["rows"]:
        wanted.setdefault(row["row"].split(".")[0], []).append(row["row"])
for tutorial, rows in wanted.items():
    if told.get(tutorial) != rows:
        problems.append(f"tutorial {tutorial} tells of {' '.join(told.get(tutorial, ['nothing']))}, not of {' '.join(rows)}")

# A test that an article shows stands word for word among the tests.
tests = "\n".join(path.read_text() for path in sorted((ROOT / "Tests").rglob("*.swift")))
for path in sorted(TUTORIALS.glob("*.md")):
    for test in re.findall(r"^@Test[\s\S]*?^}$", path.read_text(), re.M):
        if re.sub(r"^(?=.)", "    ", test, flags=re.M) not in tests:
            problems.append(f"{path.name} shows a test that isn't there: {test.split(chr(10))[0]}")

if "--check" not in sys.argv and not problems:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
for problem in problems:
    print(f"tutorials: {problem}")
sys.exit(1 if problems else 0)
