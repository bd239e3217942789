#!/usr/bin/env python3
"""The interoperability table of the documentation.

    interop_table.py                  writes the article from Documentation/interoperability.json
    interop_table.py --check          fails where the article isn't what that file gives (part of `make lint`)
    interop_table.py --collect FOLDER fails where the results of a run (.build/interop) aren't what that file says
    interop_table.py --update FOLDER  takes the results of a run into that file, and writes the article

What wasn't run here (a cell whose radio is missing) is left as it is."""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation/interoperability.json"
ARTICLE = ROOT / "Sources/CoreBluetooth/CoreBluetooth.docc/Interoperability.md"
RECONNECT = ": encrypted reconnect"
"""Ends the name of the step after a pairing; both are one column."""
BEGINNING = """# Interoperability

What our central and our peripheral do with foreign stacks, over our virtual controllers and over others'.

## Overview

`make test-interop` and `make test-guest` run these pairs, and each cell is what they have found. A step looks at both
ends: the octets that one side sent are those that the other side was given. Each pairing is followed by a reconnection
that is encrypted with the bond, without pairing again. tshark finds no malformed packet in the captures of any of these
runs. This page is generated from `Documentation/interoperability.json` by `Scripts/interop_table.py`; both fail when a
run gives something else.

A dash is a step that this role doesn't have. *Not offered* is what the peer, or its controller, lacks; the reason stands
below the table. The controllers of both ends are the radio's: `ravning radio` means ours under Bumble's host as well,
and under Linux'.
"""
ENDING = """## What the tests step around

Found in these peers, and not ours to mend:

- Bumble answers a reconnecting central with the wrong one of the two keys of LE legacy pairing
  ([google/bumble#890](https://github.com/google/bumble/pull/890)): the test picks the one that EDIV and Rand name.
- Bumble tells its controller's public address as its identity while it uses its random static one, unless it is told
  which: it is told.
- Bumble's controllers list HCI_LE_Set_PHY and never answer it, answer HCI_Read_RSSI with half an event, and report
  extended advertising to hosts that haven't asked for it: what they list is cut by these. So our host uses the legacy
  commands there, and the extended ones over the other radios. Their link finds devices by random addresses, so they
  have no public ones.
- Bumble's tests advertise every millisecond, which only its own controllers take: 20 ms are asked for instead. They
  look for periodic advertising without scanning: scanning is begun before.
- RootCanal ends itself on a command that it lists and lacks, unless it is configured not to be strict: it isn't. It
  listens on every address: it runs in a network namespace of its own. Where a peripheral has no key it tells the central
  Authentication Failure, not PIN or Key Missing: either is taken.
- BlueZ signals that a device is disconnected before its link has ended, and not always that it is connected; it counts
  the header of a write request as part of the value. `Tests/Guest/README.md` says more.
"""


def load():
    return json.loads(TABLE.read_text()) if TABLE.exists() else {"cells": [], "tests": {}, "not run": {}}


def collected(folder):
    """The results of a run, in the form of the table."""
    cells, tests, not_run = {}, {}, {}
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text()):
            if "feature" in row:
                key = (row["peer"], row["radio"], row["role"])
                result = {"result": row["result"]}
                if row["result"] == "not offered":
                    result["reason"] = row["detail"]
                features = cells.setdefault(key, {})
                # A step that several runs have is as good as the worst of them.
                if row["feature"] not in features or features[row["feature"]]["result"] == "passed":
                    features[row["feature"]] = result
            else:
                path = row["test"].split("::")[0]
                file = tests.setdefault(path.split("/")[0] + "/" if "/" in path else path, {})
                kind = "over ours" if row["packets"] and row["result"] == "passed" else row["result"]
                file[kind] = file.get(kind, 0) + 1
                if kind == "not run":
                    not_run[row["detail"]] = not_run.get(row["detail"], 0) + 1
    return {
        "cells": [{"peer": peer, "radio": radio, "role": role, "features": features}
                  for (peer, radio, role), features in sorted(cells.items())],
        "tests": dict(sorted(tests.items())), "not run": not_run}


def merged(old, new):
    """The new results, with those old ones that weren't run this time."""
    def key(cell):
        return cell["peer"].split()[0], cell["radio"].split()[0], cell["role"]
    known = {key(cell) for cell in new["cells"]}
    kept = [cell for cell in old["cells"] if key(cell) not in known]
    tests = new if new["tests"] else old
    return {"cells": sorted(kept + new["cells"], key=key), "tests": tests["tests"], "not run": tests["not run"]}


def article(table):
    features = list(dict.fromkeys(name for cell in table["cells"] for name in cell["features"]))
    models = [name.removesuffix(RECONNECT) for name in features if name.endswith(RECONNECT)]
    plain = [name for name in features if name not in models and not name.endswith(RECONNECT)]
    reasons = []
    out = [BEGINNING]

    def cell(results):
        results = [each for each in results if each]
        if not results:
            return "–"
        worst = next((each for each in results if each["result"] != "passed"), results[0])
        if "reason" not in worst:
            return worst["result"]
        if worst["reason"] not in reasons:
            reasons.append(worst["reason"])
        return f"{worst['result']} ({reasons.index(worst['reason']) + 1})"

    def rows(title, columns, of):
        out.extend([f"## {title}", "", "| peer | radio | our role | " + " | ".join(columns) + " |",
                    "|---|---|---|" + "---|" * len(columns)])
        for one in table["cells"]:
            results = [cell([one["features"].get(name) for name in of(column)]) for column in columns]
            out.append("| " + " | ".join([one["peer"], one["radio"], one["role"], *results]) + " |")
        out.append("")
    rows("Links, attributes and channels", plain, lambda name: [name])
    rows("Pairing, and encrypted reconnection", models, lambda name: [name, name + RECONNECT])
    if reasons:
        out.extend([f"{number}. {reason}" for number, reason in enumerate(reasons, 1)] + [""])
    out.extend([
        "## Bumble's own tests over our controllers", "",
        "Two of Bumble's hosts on a `ravning radio`. `Tests/Interop/bumble_tests_not_run.toml` names each test that",
        "isn't run with its reason.", "",
        "| tests | passed over our controllers | passed, with no controller | failed | not run |",
        "|---|---|---|---|---|"])
    for file, counts in table["tests"].items():
        numbers = [str(counts.get(kind, 0)) for kind in ("over ours", "passed", "failed", "not run")]
        out.append("| " + " | ".join([f"`{file}`", *numbers]) + " |")
    out.extend(["", "Not run:", ""] + [f"- {count}: {reason}" for reason, count in table["not run"].items()])
    out.extend(["", ENDING])
    return "\n".join(out)


def differences(old, new):
    """What a run has found that the table doesn't say, as lines."""
    def flat(table):
        found = {}
        for one in table["cells"]:
            for feature, result in one["features"].items():
                found[f"{one['peer']}, {one['radio']}, our {one['role']}: {feature}"] = result["result"]
        for file, counts in table["tests"].items():
            found[file] = counts
        return found
    before, now = flat(old), flat(merged(old, new))
    return [f"{name}: the table says {before.get(name, 'nothing')}, the run {now.get(name, 'nothing')}"
            for name in dict.fromkeys([*before, *now]) if before.get(name) != now.get(name)]


problems = []
match sys.argv[1:]:
    case ["--check"]:
        if not ARTICLE.exists() or ARTICLE.read_text() != article(load()):
            problems.append(f"{ARTICLE.name} is not what {TABLE.name} gives: run Scripts/interop_table.py")
    case ["--collect", folder]:
        problems = differences(load(), collected(pathlib.Path(folder)))
        if problems:
            problems[12:] = [f"and {len(problems) - 12} more"] if len(problems) > 12 else []
            problems.append(f"if this is as it is to be, run Scripts/interop_table.py --update {folder}")
    case ["--update", folder]:
        table = merged(load(), collected(pathlib.Path(folder)))
        TABLE.write_text(json.dumps(table, indent=1) + "\n")
        ARTICLE.write_text(article(table))
    case []:
        ARTICLE.write_text(article(load()))
    case _:
        sys.exit(__doc__)
for problem in problems:
    print(f"interop_table: {problem}")
sys.exit(1 if problems else 0)
