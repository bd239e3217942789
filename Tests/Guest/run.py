#!/usr/bin/env python3
"""Inside the guest: the cells of our host against BlueZ.

    run.py --programs FOLDER --captures FOLDER --results FILE --radio NAME --role central|peripheral [--kind KIND]

Each step is one row of the results. Ends with 1 where a step has failed."""
import argparse
import asyncio
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Interop"))

import association  # noqa: E402
import client_cell  # noqa: E402
import server_cell  # noqa: E402
from bluez import BlueZ  # noqa: E402
from programs import Folders  # noqa: E402
from guest_radios import RADIOS, bluez_version  # noqa: E402
from results import FAILED, NOT_OFFERED, NOT_RUN, PASSED, Cell, save  # noqa: E402

ROLES = {"central": server_cell, "peripheral": client_cell}
STEPS = {
    "connect": "connect", "MTU": "mtu", "discovery": "discover", "read": "read", "write": "write",
    "write without response": "write_without_response", "long read": "long_read", "long write": "long_write",
    "descriptor": "descriptor", "notify": "notify", "indicate": "indicate", "RSSI": "rssi",
    "L2CAP channel": "channel", "disconnect": "disconnect", "reconnect": "reconnect",
}
MISSING = {
    "peripheral": {"RSSI": "BlueZ tells none of a link"},
    ("user-channel", "central"): {"RSSI": "btvirt's controllers lack HCI_Read_RSSI"},
}


async def run(options):
    opened, title, _ = RADIOS[options.radio]
    version = bluez_version()
    begun, rows, name = time.monotonic(), [], f"guest-{options.radio}-{options.kind}-our-{options.role}"
    with tempfile.TemporaryDirectory() as folder:
        folders = Folders(name, options.programs, options.captures, folder)
        bluez = await BlueZ.open()
        cell = Cell(rows, MISSING.get((options.radio, options.role)) or MISSING.get(options.role, {}),
                    peer=f"BlueZ {version}", radio=title, role=options.role)
        try:
            async with opened(bluez, folders, True) as (adapter, ours):
                if options.kind == "legacy":
                    await bluez.power(adapter, False)
                    subprocess.run(["btmgmt", "--index", adapter[3:], "sc", "off"], stdin=subprocess.DEVNULL, check=True)
                    await bluez.power(adapter, True)
                peer, work = await ROLES[options.role].prepare(bluez, adapter, ours, folders)
                try:
                    await steps(cell, work, options)
                finally:
                    await peer.end()
        finally:
            for log in pathlib.Path(folder).glob("*.log"):
                shutil.copy(log, options.captures / f"{name}-{log.name}")
    save(options.results, rows)
    counts = {kind: sum(row["result"] == kind for row in rows) for kind in (PASSED, FAILED, NOT_OFFERED, NOT_RUN)}
    text = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    print(f"guest: our {options.role} with BlueZ {version}, {title}: {text} ({time.monotonic() - begun:.1f} s)")
    return 1 if counts[FAILED] + counts[NOT_RUN] else 0


async def nothing():
    raise AssertionError("not offered")


async def steps(cell, work, options):
    for feature, method in STEPS.items():
        await cell.step(feature, getattr(work, method, nothing)())
    if not cell.broken:
        await work.disconnect()
    for each in association.LEGACY if options.kind == "legacy" else association.SECURE:
        model = association.Model(*each)
        await cell.step(model.name, work.pair(model))
        await cell.step(f"{model.name}: encrypted reconnect", work.encrypted_reconnect())
        if not cell.broken:
            await work.forget()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--radio", required=True, choices=RADIOS)
    parser.add_argument("--role", required=True, choices=ROLES)
    parser.add_argument("--kind", choices=["secure", "legacy"], default="secure", help=(
        "legacy: BlueZ's adapter without LE Secure Connections"))
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
