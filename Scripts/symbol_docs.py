#!/usr/bin/env python3
"""Prepares the symbol graphs for docc, and fails where a public symbol has no documentation comment.

    symbol_docs.py FOLDER      FOLDER/MODULE has a module's graphs, FOLDER/CCoreBluetooth those of the C enumerations

The enumerations of the facade are declared in a module of C that it re-exports: they become symbols of CoreBluetooth,
with the comments of the header, which the compiler leaves out."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "Sources/CCoreBluetooth/include/CCoreBluetooth.h"
FOLDER = pathlib.Path(sys.argv[1])
MODULES = ("CoreBluetooth", "Ravning", "CoreBluetoothSimulation")
RAW_VALUE = "Any number is a value: one that has no case here is kept as it is."
problems = []


def is_synthesized(symbol):
    """Whether the symbol is another module's that a conformance brings."""
    return "::SYNTHESIZED::" in symbol["identifier"]["precise"]


def comments():
    """Name in C -> the comment of three slashes above its declaration."""
    found, lines = {}, []
    for line in HEADER.read_text().split("\n"):
        comment = re.match(r"\s*/// ?(.*)", line)
        name = re.match(r"typedef RV_OPEN_ENUM\((\w+)\)|\s*(\w+)(?: RV_NAME\(\S+\))? = ", line)
        if comment:
            lines.append(comment.group(1))
            continue
        if name and lines:
            found[name.group(1) or name.group(2)] = lines
        lines = []
    return found


def documented(symbol, texts):
    precise, path = symbol["identifier"]["precise"], symbol["pathComponents"]
    lines = [RAW_VALUE] if path[-1] == "init(rawValue:)" else texts.get(precise.split("@")[-1])
    if lines:
        symbol["docComment"] = {"lines": [{"text": line} for line in lines]}
    return symbol


graph = json.loads((FOLDER / "CCoreBluetooth/CCoreBluetooth.symbols.json").read_text())
texts = comments()
graph["module"]["name"] = "CoreBluetooth"
graph["symbols"] = [documented(symbol, texts) for symbol in graph["symbols"] if not is_synthesized(symbol)]
kept = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
graph["relationships"] = [relation for relation in graph["relationships"] if relation["source"] in kept]
(FOLDER / "CoreBluetooth/CCoreBluetooth.symbols.json").write_text(json.dumps(graph))

count = 0
for module in MODULES:
    for path in sorted((FOLDER / module).glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            if is_synthesized(symbol):
                continue
            count += 1
            if "docComment" not in symbol:
                file = symbol.get("location", {}).get("uri", "").split("/")[-1]
                problems.append(f"{module}: {'.'.join(symbol['pathComponents'])} has no comment ({file})")
for problem in problems:
    print(f"docs: {problem}")
if problems:
    sys.exit(1)
print(f"docs: {count} public symbols, each with a comment")
