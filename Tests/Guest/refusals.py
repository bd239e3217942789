#!/usr/bin/env python3
"""Inside the guest, with two adapters of btvirt and bluetoothd: each reason why an adapter can't be had is one line that
names layer, cause and remedy, and the right state at Core Bluetooth.

    refusals.py --programs FOLDER --results FILE"""
import argparse
import asyncio
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Interop"))

from bluez import BlueZ  # noqa: E402
from programs import Peer  # noqa: E402
from results import FAILED, Cell, check, same, save  # noqa: E402

RESETTING, UNSUPPORTED, UNAUTHORIZED, POWERED_ON = 1, 2, 3, 5
"""CBManagerState."""


NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}
"""As on a machine where BlueZ doesn't run."""


def quietly(*command):
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


class OurProgram:
    """Starts ours on adapters, and knows what it says."""

    def __init__(self, bluez, programs, folder):
        self.bluez, self.programs, self.folder, self.count = bluez, programs, folder, 0

    async def _start(self, adapter, *wrapper, **environment):
        self.count += 1
        log = self.folder / f"{self.count}.log"
        command = [*wrapper, self.programs / "InteropPeer", "central"]
        state = self.folder / f"state-{self.count}"
        state.mkdir()
        state.chmod(0o777)
        peer = await Peer.start(
            "our program", *command, log=log, RAVNING_ADAPTER=adapter, RAVNING_STATE_DIR=str(state), HOME=str(state),
            **environment)
        return peer, log

    async def _state(self, peer):
        while (state := (await peer.event("state"))["state"]) in (0, 1):
            pass
        return state

    async def _refused(self, adapter, state, *texts, wrapper=(), **environment):
        peer, log = await self._start(adapter, *wrapper, **environment)
        try:
            same(await self._state(peer), state, "CBManager.state")
        finally:
            await peer.end()
        return self._line(log, *texts)

    def _line(self, log, *texts):
        """The one that says all of this."""
        lines = [line for line in log.read_text().splitlines() if not line.startswith("{")]
        found = [line for line in lines if all(text in line for text in texts)]
        same(len(found), 1, f"lines with {texts} in {lines}")
        return found[0]


class Refusals(OurProgram):
    """Of the kernel's adapters."""

    # The adapter of Bluetooth 2.1 comes last: bluetoothd doesn't always survive that it goes.
    NAMES = ("no_such_adapter", "no_permission", "adapter_is_up", "another_program_has_it", "radio_switch",
             "nothing_to_choose", "shared_by_itself", "no_bluez", "no_such_adapter_of_bluez", "chosen_by_itself",
             "given_back", "no_bluetooth_le")
    RADIO = "user channel"

    async def no_such_adapter(self):
        return await self._refused("hci:7", UNSUPPORTED, "hci:7", "there is no adapter hci7", "/sys/class/bluetooth")

    async def no_permission(self):
        await self.bluez.power("hci1", False)
        return await self._refused(
            "hci:1", UNAUTHORIZED, "hci:1", "CAP_NET_ADMIN", "setcap",
            wrapper=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"))

    async def adapter_is_up(self):
        await self.bluez.power("hci1", True)
        return await self._refused("hci:1", UNSUPPORTED, "hci:1", "is up", "bluetoothd", "btmgmt --index 1 power off")

    async def another_program_has_it(self):
        await self.bluez.power("hci1", False)
        first, _ = await self._start("hci:1")
        try:
            same(await self._state(first), POWERED_ON, "CBManager.state of the first")
            return await self._refused("hci:1", UNSUPPORTED, "hci:1", "another program", "InteropPeer")
        finally:
            await first.end()

    async def radio_switch(self):
        await self.bluez.power("hci1", False)
        quietly("rfkill", "block", "bluetooth")
        try:
            return await self._refused("hci:1", UNSUPPORTED, "hci:1", "radio switch", "rfkill unblock bluetooth")
        finally:
            quietly("rfkill", "unblock", "bluetooth")

    async def no_bluetooth_le(self):
        """A controller of Bluetooth 2.1."""
        old = subprocess.Popen(["btvirt", "-B", "-l1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            await self.bluez.power("hci2", False)
            return await self._refused("hci:2", UNSUPPORTED, "hci", "no Bluetooth LE", "name another adapter")
        finally:
            old.terminate()
            old.wait()

    async def nothing_to_choose(self):
        for adapter in ("hci0", "hci1"):
            await self.bluez.power(adapter, True)
        return await self._refused(
            "auto", UNSUPPORTED, "auto", "hci0", "hci1", "is up", "RAVNING_ADAPTER=virtual", **NO_BUS)

    async def shared_by_itself(self):
        """BlueZ's adapter, where BlueZ has one: nobody is disturbed."""
        for adapter in ("hci0", "hci1"):
            await self.bluez.power(adapter, True)
        peer, _ = await self._start("auto", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        try:
            same(await self._state(peer), POWERED_ON, "CBManager.state")
        finally:
            await peer.end()

    async def no_bluez(self):
        return await self._refused("bluez", UNSUPPORTED, "bluez", "can't be reached", "systemctl start bluetooth", **NO_BUS)

    async def no_such_adapter_of_bluez(self):
        return await self._refused("bluez:hci7", UNSUPPORTED, "no adapter hci7", "hci0", "hci1")

    async def chosen_by_itself(self):
        """The one that is down is taken, the live one left alone."""
        await self.bluez.power("hci0", True)
        await self.bluez.power("hci1", False)
        peer, _ = await self._start("auto", **NO_BUS)
        try:
            same(await self._state(peer), POWERED_ON, "CBManager.state")
            check(await self.bluez.get("/org/bluez/hci0", "org.bluez.Adapter1", "Powered"), "hci0 was taken down")
        finally:
            await peer.end()

    async def given_back(self):
        """When our program has ended, BlueZ has the adapter again."""
        await self.bluez.power("hci1", False)
        peer, _ = await self._start("hci:1")
        same(await self._state(peer), POWERED_ON, "CBManager.state")
        await peer.end()
        await self.bluez.power("hci1", True)


async def run(options, kind):
    rows = []
    cell = Cell(rows, {}, peer="Linux", radio=kind.RADIO, role="refusals")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder).chmod(0o755)
        refusals = kind(await BlueZ.open(), options.programs, pathlib.Path(folder))
        for name in kind.NAMES:
            await cell.step(name.replace("_", " "), getattr(refusals, name)())
            cell.broken = None
            if rows[-1].get("detail"):
                print(f"  {name.replace('_', ' ')}: {rows[-1]['detail']}")
        for log in pathlib.Path(folder).glob("*.log"):
            shutil.copy(log, options.results.parent / f"guest-{options.results.stem}-{log.name}")
    save(options.results, rows)
    failed = sum(row["result"] == FAILED for row in rows)
    print(f"guest: refusals, {kind.RADIO}: {len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main(kind):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    return asyncio.run(run(parser.parse_args(), kind))


if __name__ == "__main__":
    sys.exit(main(Refusals))
