#!/usr/bin/env python3
"""Inside the guest: what happens around a program over BlueZ, as a user without root rights: bluetoothd that is killed and
started again, an adapter that is switched off, other programs on the same adapter, and `ravning doctor`.

    bluez_flows.py --programs FOLDER --captures FOLDER --results FILE"""
import argparse
import asyncio
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Interop"))

import database  # noqa: E402
from bluez import BlueZ  # noqa: E402
from bumble_peer import BumblePeer  # noqa: E402
from guest_radios import bluez_version, virtual_controller  # noqa: E402
from over_bluez import AS_NOBODY, start_ours  # noqa: E402
from programs import Folders, Process  # noqa: E402
from results import FAILED, NOT_RUN, Cell, check, same, save  # noqa: E402

RESETTING, POWERED_OFF, POWERED_ON = 1, 4, 5
"""CBManagerState."""


def bluetoothd():
    """The daemon's process, and how it was started."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")[:-1]
        except OSError:
            continue
        if command and command[0].endswith(b"bluetoothd"):
            return int(folder.name), command
    raise AssertionError("no bluetoothd runs")


class Flows:
    def __init__(self, bluez, adapter, other, folders, peer):
        self.bluez, self.adapter, self.other, self.folders, self.peer = bluez, adapter, other, folders, peer
        self.ours = None

    async def _state(self, wanted):
        while (state := (await self.ours.event("state"))["state"]) != wanted:
            pass
        return state

    async def _connect(self):
        await self.peer.advertise()
        self.ours.order("scan", services=[database.INCLUDED.uuid])
        self.identifier = (await self.ours.event("found", name="Bumble"))["peer"]
        self.ours.order("stopScan")
        self.ours.order("connect", peer=self.identifier)
        await self.ours.event("connected", deadline=60)
        await self.peer.connected()
        await self.ours.ask("discover", "database")
        answer = await self.ours.ask("read", "value", characteristic=database.VALUE.uuid)
        same(answer["value"], database.VALUE.value.hex(), "the value")

    async def doctor(self):
        command = [*AS_NOBODY, self.folders.programs / "ravning", "doctor", "--json", "--adapter", f"bluez:{self.adapter}"]
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        findings = [json.loads(line) for line in done.stdout.splitlines()]
        same((done.returncode, findings[-1]["usable"]), (0, True), f"doctor's verdict in {findings}")
        check(any(f["layer"] == "bluez" and f["good"] for f in findings if "good" in f), f"no finding on BlueZ in {findings}")
        command[-1] = "bluez:hci9"
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check(done.returncode != 0 and "hci9" in done.stdout, f"doctor on an adapter that isn't there: {done}")

    async def connect(self):
        self.ours = await start_ours("central", f"bluez:{self.adapter}", self.folders)
        await self._connect()

    async def another_program_scans(self):
        """Discovery that bluetoothctl begins and ends doesn't end ours, and the other way round."""
        path = f"/org/bluez/{self.adapter}"

        async def discovering():
            return await self.bluez.get(path, "org.bluez.Adapter1", "Discovering")
        self.ours.order("scan")
        await self.bluez.until("our discovery", discovering)
        await self.bluez.call(path, "org.bluez.Adapter1", "StartDiscovery")
        await self.bluez.call(path, "org.bluez.Adapter1", "StopDiscovery")
        check(await discovering(), "our discovery has ended with theirs")
        self.ours.order("stopScan")

        async def ended():
            return not await discovering()
        await self.bluez.until("the end of discovery", ended)

    async def bluetoothd_is_killed(self):
        """In the midst of a connection: resetting, then powered on, and the same program goes on."""
        process, command = bluetoothd()
        os.kill(process, signal.SIGKILL)
        await self._state(RESETTING)
        await self.ours.event("disconnected")
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
        await self.bluez.power(self.adapter, True)
        await self._state(POWERED_ON)
        # The kernel may have kept the link, or ended it with the daemon.
        if self.peer.disconnections.empty():
            await self.peer.connection.disconnect()
        await self.peer.disconnected()
        await self._connect()

    async def switched_off(self):
        await self.bluez.power(self.adapter, False)
        await self._state(POWERED_OFF)
        await self.peer.disconnected()
        # BlueZ 5.66 ends links before it tells that the adapter goes off: what a phone leaves out is told.
        await self.ours.event("disconnected")
        await self.bluez.power(self.adapter, True)
        await self._state(POWERED_ON)
        await self._connect()

    async def another_programs_link(self):
        """A link that another program has made is joined, and left alone."""
        await self.ours.ask("disconnect", "disconnected")
        await self.peer.disconnected()
        await self.bluez.no_links(self.adapter)
        await self.peer.advertise()
        path = f"/org/bluez/{self.adapter}/dev_F0_F1_F2_F3_F4_F5"
        await self.bluez.call(path, "org.bluez.Device1", "Connect", seconds=60)
        await self.peer.connected()
        self.ours.order("connect", peer=self.identifier)
        await self.ours.event("connected")
        await self.ours.ask("discover", "database")
        await self.ours.ask("disconnect", "disconnected")
        check(await self.bluez.get(path, "org.bluez.Device1", "Connected"), "the other program's link has ended")
        await self.bluez.call(path, "org.bluez.Device1", "Disconnect")
        await self.peer.disconnected()

    async def examples(self):
        """The tutorials' programs as they are: each pair with its central over BlueZ, and with its peripheral over BlueZ."""
        await self.ours.end()
        self.ours = None
        for over_bluez in ("central", "peripheral"):
            for name, (peripheral, ready, central, words) in EXAMPLES.items():
                await self.bluez.forget(self.adapter)
                await self.bluez.no_links(self.adapter)
                await self._example(f"{name}-{over_bluez}", over_bluez, peripheral, ready, central, words)

    async def _example(self, name, over_bluez, peripheral, ready, central, words):
        state = self.folders.work / name
        state.mkdir()
        state.chmod(0o777)

        async def start(role, program, *words):
            is_ours = role == over_bluez
            return await Process.start(
                f"{program} ({name})", *(AS_NOBODY if is_ours else ()), self.folders.programs / program, *words,
                log=self.folders.work / f"{name}-{role}.log", HOME=str(state), RAVNING_STATE_DIR=str(state / role),
                RAVNING_ADAPTER=f"bluez:{self.adapter}" if is_ours else self.other)

        server = await start("peripheral", peripheral)
        try:
            await server.next(lambda line: line if ready in line else None, f"'{ready}'", 60)
            client = await start("central", central, *words)
            async with asyncio.timeout(120):
                same(await client.process.wait(), 0, f"{central}'s exit code ({name})")
            await client.end()
        finally:
            server.process.kill()
            await server.end()


EXAMPLES = {
    "band": ("BandPeripheral", "advertising as", "BandCentral", ["--read-all"]),
    "thermostat": ("Thermostat", "the thermostat waits", "ThermostatClient", []),
    "heart": ("HeartRatePeripheral", "advertising", "HeartRateCentral", []),
}
"""The peripheral, what it says when it's ready, the central, and its options."""
STEPS = ["doctor", "connect", "another_program_scans", "bluetoothd_is_killed", "switched_off", "another_programs_link",
         "examples"]


async def run(options):
    rows, version = [], bluez_version()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        folders = Folders("guest-bluez-flows", options.programs, options.captures, folder)
        bluez = await BlueZ.open()
        cell = Cell(rows, {}, peer=f"BlueZ {version}", radio=f"BlueZ {version}, as a user without rights", role="flows")
        try:
            async with virtual_controller(bluez, folders, True) as (adapter, other):
                async with BumblePeer(other.replace("tcp:", "tcp-client:"), folders) as peer:
                    flows = Flows(bluez, adapter, other, folders, peer)
                    for name in STEPS:
                        await cell.step(name.replace("_", " "), getattr(flows, name)())
                    if flows.ours:
                        await flows.ours.end()
        finally:
            for log in pathlib.Path(folder).glob("*.log"):
                (options.captures / f"guest-bluez-flows-{log.name}").write_bytes(log.read_bytes())
    save(options.results, rows)
    failed = sum(row["result"] in (FAILED, NOT_RUN) for row in rows)
    print(f"guest: bluez-flows {len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
