#!/usr/bin/env python3
"""The cells of the interoperability tests: our central and our peripheral against Bumble, over three radios.

    run.py --programs .build/debug --captures FOLDER --results FILE [--radio NAME]… [--role NAME]…

Each step is one row of the results. Ends with 1 where a step has failed."""
import argparse
import asyncio
import importlib.metadata
import logging
import pathlib
import shutil
import sys
import tempfile
import time

import steps
from central_cell import CentralCell
from peripheral_cell import PeripheralCell
from programs import Folders
from radios import RADIOS
from results import FAILED, NOT_OFFERED, NOT_RUN, PASSED, Cell, save

ROLES = {kind.ROLE: kind for kind in (CentralCell, PeripheralCell)}
PEER = f"Bumble {importlib.metadata.version('bumble')}"


async def run(radio, role, options):
    """One cell: its rows."""
    opened, title, missing = RADIOS[radio]
    begun, rows, name = time.monotonic(), [], f"interop-{radio}-our-{role}"
    with tempfile.TemporaryDirectory() as work:
        folders = Folders(name, options.programs, options.captures, work)
        try:
            async with opened(folders) as (adapter, transport):
                cell = Cell(rows, missing, peer=PEER, radio=title, role=role)
                await steps.run(ROLES[role], cell, adapter, transport, folders)
        finally:
            for log in pathlib.Path(work).glob("*.log"):
                shutil.copy(log, options.captures / f"{name}-{log.name}")
    counts = {kind: sum(row["result"] == kind for row in rows) for kind in (PASSED, FAILED, NOT_OFFERED, NOT_RUN)}
    text = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    print(f"interop: our {role} with {PEER} over {title}: {text} ({time.monotonic() - begun:.1f} s)", flush=True)
    return rows


async def run_all(options):
    """All cells, at once: they mostly wait."""
    cells = [run(radio, role, options) for radio in options.radio or RADIOS for role in options.role or ROLES]
    return [row for rows in await asyncio.gather(*cells) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--radio", action="append", choices=RADIOS)
    parser.add_argument("--role", action="append", choices=ROLES)
    options = parser.parse_args()
    options.captures.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(filename=options.captures / f"{options.results.stem}.log", level=logging.WARNING)
    rows = asyncio.run(run_all(options))
    save(options.results, rows)
    return 1 if any(row["result"] in (FAILED, NOT_RUN) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
