#!/usr/bin/env python3
"""Inside the guest: our programs over BlueZ, as a user without root rights, against Bumble on the same radio.

    over_bluez.py --programs FOLDER --captures FOLDER --results FILE --role central|peripheral

The steps are those of Tests/Interop; here our program has BlueZ's adapter (RAVNING_ADAPTER=bluez:hciN), which is a
controller of `ravning radio` behind /dev/vhci, and Bumble another controller of that radio."""
import argparse
import asyncio
import importlib.metadata
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Interop"))

import database  # noqa: E402
import steps  # noqa: E402
from bluez import BlueZ  # noqa: E402
from bumble_peer import BumblePeer  # noqa: E402
from central_cell import PEER_REMOVED_PAIRING_INFORMATION, CentralCell  # noqa: E402
from guest_radios import bluez_version, virtual_controller  # noqa: E402
from pairing import MODELS  # noqa: E402
from peripheral_cell import PeripheralCell  # noqa: E402
from programs import Folders, Peer  # noqa: E402
from results import FAILED, NOT_OFFERED, NOT_RUN, PASSED, Cell, same, save  # noqa: E402

NOBODY = 65534
PERIPHERAL_DISCONNECTED = 7
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--bounding-set=-all")
CHANNELS = {"L2CAP channel": "not over BlueZ", "L2CAP channel with encryption": "not over BlueZ"}
UNANSWERED = "BlueZ 5.66 never answers a read of several values that programs have"
MISSING = {
    "central": {"RSSI": "BlueZ tells none of a link", **CHANNELS},
    "peripheral": {
        "read multiple": UNANSWERED,
        "refused write": "BlueZ answers itself where writes without response are offered as well", **CHANNELS},
}
"""What can't be done over BlueZ, and why: the differences of the documentation."""


class Central(CentralCell):
    refuses = False

    async def refuse(self, model, reason):
        self.refuses = True
        await super().refuse(model, reason)

    async def disconnect(self):
        """Where a pairing has failed, Linux may have ended the link before."""
        if not self.refuses:
            return await super().disconnect()
        self.ours.order("disconnect")
        await self.ours.event("disconnected")
        await self.peer.disconnected()

    async def lost_bond(self):
        """BlueZ 5.66 doesn't say why the link ends: where it has told of the link it's any end, else their number tells."""
        await self.disconnect()
        await self.peer.forget()
        await self.peer.advertise()
        self.ours.order("connect", peer=self.identifier)
        answer = asyncio.create_task(self.ours.event("failedToConnect", "disconnected", deadline=90))
        # Each link that BlueZ makes ends at once; then Bumble must be heard again, until BlueZ has given up.
        while not answer.done():
            link = asyncio.create_task(self.peer.disconnections.get())
            await asyncio.wait([answer, link], return_when=asyncio.FIRST_COMPLETED)
            if link.done():
                await self.peer.connected()
                if not answer.done():
                    await self.peer.advertise()
            else:
                link.cancel()
        answer = await answer
        if self.peer.connections.empty():
            await self.peer.device.stop_advertising()
        same(answer["error"]["domain"], "CBErrorDomain", "the error")
        wanted = PEER_REMOVED_PAIRING_INFORMATION
        if answer["event"] == "disconnected":
            await self.ours.event("connected")
            wanted = PERIPHERAL_DISCONNECTED
        same(answer["error"]["code"], wanted, "the error")
        await self.ours.ask("forget", "forgotten")
        await self.pair(MODELS[-1])


class Peripheral(PeripheralCell):
    """Without L2CAP channels, which aren't published over BlueZ."""
    LONG_WRITTEN = database.LONG_WRITTEN[:500]
    """BlueZ 5.66 counts the request's header as part of the value, and refuses what is then longer than 512 octets."""

    async def begin(self):
        for service in database.SERVICES:
            await self.publish(service)
        await self.advertise()

    async def read_multiple(self):
        raise AssertionError(UNANSWERED)

    async def encrypted_channel(self):
        raise AssertionError("no channel is published")


ROLES = {kind.ROLE: kind for kind in (Central, Peripheral)}


async def start_ours(role, adapter, folders, wrapper=AS_NOBODY):
    """InteropPeer over BlueZ, once Bluetooth is on."""
    state = folders.work / f"{role}-state"
    state.mkdir()
    os.chown(state, NOBODY, NOBODY)
    peer = await Peer.start(
        f"our {role}", *wrapper, folders.programs / "InteropPeer", role, log=folders.work / f"{role}.log",
        RAVNING_ADAPTER=adapter, RAVNING_STATE_DIR=str(state), RAVNING_LOG="debug", HOME=str(state))
    while (await peer.event("state"))["state"] != 5:
        pass
    return peer


async def run(options):
    version, role = bluez_version(), options.role
    begun, rows, name = time.monotonic(), [], f"guest-over-bluez-our-{role}"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        folders = Folders(name, options.programs, options.captures, folder)
        bluez = await BlueZ.open()
        bumble = importlib.metadata.version("bumble")
        cell = Cell(rows, MISSING[role], peer=f"Bumble {bumble}", radio=f"BlueZ {version}, as a user without rights",
                    role=role)
        try:
            async with virtual_controller(bluez, folders, True) as (adapter, other):
                async with BumblePeer(other.replace("tcp:", "tcp-client:"), folders) as peer:
                    ours = await start_ours(role, f"bluez:{adapter}", folders)
                    try:
                        work = ROLES[role](ours, peer)
                        await work.begin()
                        await steps.run_all(cell, work)
                    finally:
                        await ours.end()
        finally:
            for log in pathlib.Path(folder).glob("*.log"):
                shutil.copy(log, options.captures / f"{name}-{log.name}")
    save(options.results, rows)
    counts = {kind: sum(row["result"] == kind for row in rows) for kind in (PASSED, FAILED, NOT_OFFERED, NOT_RUN)}
    text = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    print(f"guest: our {role} over BlueZ {version}, with Bumble: {text} ({time.monotonic() - begun:.1f} s)")
    return 1 if counts[FAILED] + counts[NOT_RUN] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--role", required=True, choices=ROLES)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
