#!/usr/bin/env python3
"""Compares what the module CoreBluetooth makes public with the list of names that Apple's module has, and that are
offered here. A name that is missing in the list is a leak; one that is missing in the module is a break.

    check_exports.py SYMBOL_GRAPH [--write]
"""
import json
import pathlib
import sys

LIST = pathlib.Path(__file__).resolve().parent / "corebluetooth-names.txt"

graph = json.loads(pathlib.Path(sys.argv[1]).read_text())
# Members that a protocol of the standard library or of Foundation brings along aren't ours.
names = sorted({
    ".".join(symbol["pathComponents"])
    for symbol in graph["symbols"]
    if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
})
if "--write" in sys.argv:
    LIST.write_text("\n".join(names) + "\n")
allowed = set(LIST.read_text().split("\n")) - {""}
for name in names:
    if name not in allowed:
        print(f"exported, but not in {LIST.name}: {name}")
for name in sorted(allowed - set(names)):
    print(f"in {LIST.name}, but not exported: {name}")
same = allowed == set(names)
print(f"check_exports: {len(names)} names" if same else "check_exports: the lists differ")
sys.exit(0 if same else 1)
