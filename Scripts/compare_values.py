#!/usr/bin/env python3
"""Compares our decoder with the parsers of PyPI's bluetooth-sig, over values drawn with a seed: for each characteristic
that both know, whether every number that they find is among those that we find. Prints the characteristics where it
isn't, with an example; with --golden it prints values where it is, and what we make of them, for
Tests/BLEValuesTests/GoldenValues.swift. A tool of development: what differs, and why, is in Documentation/Values.md."""
import datetime
import enum
import math
import os
import pathlib
import random
import re
import signal
import subprocess
import sys

import assigned_numbers

ROOT = assigned_numbers.ROOT


def decoded(lines):
    """What our program says of lines such as `2A37 003D`."""
    program = ROOT / ".build/debug/ValueDump"
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([program], input=text.encode(), capture_output=True, check=True).stdout.decode().split("\n")[:-1]


def numbers(value):
    """The numbers in what their parser gives, but for flags and enumerations."""
    if isinstance(value, (bool, enum.Enum)) or value is None:
        return []
    if isinstance(value, (int, float)):
        return [float(value)]
    if isinstance(value, datetime.datetime):
        return [value.year, value.month, value.day, value.hour, value.minute, value.second]
    if isinstance(value, datetime.timedelta):
        return [value.total_seconds()]
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in numbers(part)]
    if hasattr(value, "__struct_fields__"):
        return [number for name in value.__struct_fields__ for number in numbers(getattr(value, name))]
    return []


def main():
    if pathlib.Path(sys.prefix) != assigned_numbers.CACHE:
        if not assigned_numbers.environment(install=True):
            sys.exit("no bluetooth-sig")
        subprocess.run(["swift", "build", "--product", "ValueDump"], cwd=ROOT, check=True,
                       env=dict(os.environ, RAVNING_DEV="tools"), stdout=subprocess.DEVNULL)
        sys.exit(subprocess.run([assigned_numbers.CACHE / "bin/python", __file__] + sys.argv[1:]).returncode)
    from bluetooth_sig import BluetoothSIGTranslator
    def late(*_):
        raise TimeoutError
    signal.signal(signal.SIGALRM, late)
    translator = BluetoothSIGTranslator()
    table = (ROOT / "Sources/BLEValues/Tables/ValueLayout+Table.swift").read_text()
    uuids = re.findall(r"^        ([0-9A-F]{4})$", table, re.M)
    golden = "--golden" in sys.argv
    wanted = [argument for argument in sys.argv[1:] if argument != "--golden"] or uuids
    draw = random.Random(20261130)
    values = []
    for uuid in wanted:
        for _ in range(30):
            octets = bytes(draw.choice([draw.randrange(256), draw.randrange(16)]) for _ in range(64))
            values.append((uuid, octets))
    # As long as they are for us.
    for place, text in enumerate(decoded(f"{uuid} {octets.hex()}" for uuid, octets in values)):
        match = re.search(r"\((\d+) octets? too many", text)
        if match:
            values[place] = (values[place][0], values[place][1][:64 - int(match[1])])
    same, differing, unknown, chosen = {}, {}, {}, {}
    for (uuid, octets), text in zip(values, decoded(f"{uuid} {octets.hex()}" for uuid, octets in values)):
        signal.alarm(1)  # One of their parsers doesn't end with a record of no octets.
        try:
            theirs = translator.parse_characteristic(uuid, octets)
        except Exception as error:
            unknown.setdefault(uuid, []).append((octets.hex(), text, f"{type(error).__name__}: {error}"))
            continue
        finally:
            signal.alarm(0)
        ours = [float(word) for word in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?(?![\w])", text)]
        ours += [float(part) for word in re.findall(r"\d[\d:-]+\d", text) for part in re.findall(r"\d+", word)]
        missing = [n for n in numbers(theirs)
                   if not any(math.isclose(n, o, rel_tol=1e-3, abs_tol=1e-9) for o in ours)]
        (differing if missing else same).setdefault(uuid, []).append((octets.hex(), text, f"{missing} of {theirs!r}"))
        if golden and not missing and numbers(theirs) and "(" not in text:
            chosen.setdefault(uuid, []).append((octets.hex().upper(), text))
    if golden:
        for uuid, found in chosen.items():
            # The longest, and one without it being the same.
            found.sort(key=lambda entry: len(entry[1]))
            for octets, text in dict([found[-1], found[len(found) // 2]]).items():
                print(f"{uuid} {octets} {text}")
        return
    for uuid in wanted:
        if uuid in differing:
            print(f"{uuid}: {len(differing[uuid])} differ, {len(same.get(uuid, []))} are the same")
            for line in differing[uuid][:2]:
                print("   ", *line, sep="\n    ")
        elif uuid not in same:
            print(f"{uuid}: they refuse all: {unknown[uuid][0]}")
    print(f"{sum(uuid in same and uuid not in differing for uuid in wanted)} characteristics are the same, "
          f"{len(differing)} differ, {sum(u not in same and u not in differing for u in wanted)} they refuse")


if __name__ == "__main__":
    main()
