#!/usr/bin/env python3
"""Inside the guest: what people use, against ours, over `ravning radio`: bleak, bless and bluetoothctl.

    tools.py --programs FOLDER --captures FOLDER --results FILE

The whole of BlueZ is looked at by run.py; here the tools find, connect, read, write and follow, in the way of their own
manuals."""
import argparse
import asyncio
import importlib.metadata
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Interop"))

import database  # noqa: E402
from bleak import BleakClient, BleakScanner  # noqa: E402
from bleak.exc import BleakError  # noqa: E402
from bless import BlessServer, GATTAttributePermissions, GATTCharacteristicProperties  # noqa: E402
from bluez import BlueZ, within  # noqa: E402
from bluez_server import long_uuid  # noqa: E402
from guest_radios import RADIOS, bluez_version  # noqa: E402
from ours import OurPeripheral  # noqa: E402
from programs import Folders, Process, start_peer  # noqa: E402
from results import FAILED, NOT_RUN, Cell, check, same, save  # noqa: E402

VALUE, NOTIFYING = database.VALUE.uuid, database.NOTIFYING.uuid
NEWS = b"news"


class Bleak(OurPeripheral):
    """bleak as the central of our peripheral."""
    role, version = "peripheral", "bleak " + importlib.metadata.version("bleak")

    def __init__(self, bluez, adapter, ours):
        self.bluez, self.adapter, self.ours, self.client = bluez, adapter, ours, None

    async def connect(self):
        await self.publish_all()
        await self.advertise()
        wanted = long_uuid(database.INCLUDED.uuid)
        device = await BleakScanner.find_device_by_filter(
            lambda _, data: wanted in data.service_uuids, timeout=40, bluez={"adapter": self.adapter})
        check(device is not None, "bleak did not find our peripheral")
        # Where BlueZ never tells of the connection, bleak takes the link for lost (see bluez_client.py).
        for attempt in range(5):
            self.client = BleakClient(device, bluez={"adapter": self.adapter}, timeout=40)
            try:
                return await self.client.connect()
            except BleakError:
                if attempt == 4:
                    raise
                await self.bluez.no_links(self.adapter)

    async def read(self):
        same(bytes(await self.client.read_gatt_char(VALUE)), database.VALUE.value, "the value")

    async def write(self):
        await self.client.write_gatt_char(VALUE, database.WRITTEN, response=True)
        same((await self.ours.event("wrote"))["value"], database.WRITTEN.hex(), "what our program was given")

    async def notify(self):
        updates = asyncio.Queue()
        await self.client.start_notify(NOTIFYING, lambda _, value: updates.put_nowait(bytes(value)))
        await self.ours.event("subscribed", characteristic=NOTIFYING)
        self.ours.order("update", characteristic=NOTIFYING, value=NEWS.hex())
        same(await within("the update", updates.get()), NEWS, "the update")

    async def disconnect(self):
        await self.client.disconnect()
        await self.ours.event("unsubscribed", characteristic=NOTIFYING)


class Bluetoothctl(Bleak):
    """bluetoothctl as the central of our peripheral, by the words of its prompt."""

    @property
    def version(self):
        return f"bluetoothctl {bluez_version()}"

    async def connect(self):
        await self.publish_all()
        await self.advertise()
        self.tool = await Process.start("bluetoothctl", "bluetoothctl", log=self.ours.log.name + "-bluetoothctl")
        await self._say("scan le", r"Device ((?:[0-9A-F]{2}:){5}[0-9A-F]{2}) (?:Name: )?Ravning")
        self.address = self.found
        await self._say("scan off", r"Discovery stopped")
        await self._say(f"connect {self.address}", r"Connection successful")
        # It knows the attributes when it says so itself: the bus tells it later than others.
        await self.tool.next(lambda line: re.search("ServicesResolved: yes", line), "the discovery", 40)
        self.tool.process.stdin.write(b"menu gatt\n")

    def _select(self, uuid):
        # Answered by a prompt only, which no line ends.
        self.tool.process.stdin.write(f"select-attribute {long_uuid(uuid)}\n".encode())

    async def _say(self, words, answer):
        self.tool.process.stdin.write(words.encode() + b"\n")
        match = await self.tool.next(lambda line: re.search(answer, line), f"'{answer}' after '{words}'", 40)
        self.found = match.group(1) if match.groups() else None

    async def read(self):
        self._select(VALUE)
        value = " ".join(f"{octet:02x}" for octet in database.VALUE.value)
        await self._say("read", value)

    async def write(self):
        octets = " ".join(f"0x{octet:02x}" for octet in database.WRITTEN)
        self.tool.process.stdin.write(f'write "{octets}" 0 request\n'.encode())
        same((await self.ours.event("wrote"))["value"], database.WRITTEN.hex(), "what our program was given")

    async def notify(self):
        self._select(NOTIFYING)
        await self._say("notify on", "Notify started")
        await self.ours.event("subscribed", characteristic=NOTIFYING)
        self.ours.order("update", characteristic=NOTIFYING, value=NEWS.hex())
        await self.tool.next(
            lambda line: re.search(NEWS.hex(" "), line), "the update", 40)

    async def disconnect(self):
        self.tool.process.stdin.write(b"back\n")
        await self._say(f"disconnect {self.address}", "Successful disconnected")
        await self.ours.event("unsubscribed", characteristic=NOTIFYING)
        self.tool.process.stdin.write(b"quit\n")
        await self.tool.end()


class Bless:
    """bless as the peripheral of our central."""
    role, version = "central", "bless " + importlib.metadata.version("bless")

    def __init__(self, bluez, adapter, ours):
        self.bluez, self.adapter, self.ours = bluez, adapter, ours

    async def connect(self):
        self.server = BlessServer(name="Bless", adapter=self.adapter)
        self.server.read_request_func = lambda one, **_: one.value
        self.server.write_request_func = lambda one, value, **_: setattr(one, "value", value)
        kinds, allowed = GATTCharacteristicProperties, GATTAttributePermissions
        service = database.MAIN.uuid
        await self.server.add_new_service(service)
        await self.server.add_new_characteristic(
            service, VALUE, kinds.read | kinds.write | kinds.notify, bytearray(database.VALUE.value),
            allowed.readable | allowed.writeable)
        self.ours.order("scan", services=[service])
        await self.server.start()
        found = await self.ours.event("found")
        self.ours.order("stopScan")
        self.ours.order("connect", peer=found["peer"])
        await self.ours.event("connected")
        found = await self.ours.ask("discover", "database")
        check(any(one["uuid"] == service for one in found["services"]), f"bless' service isn't in {found}")

    async def read(self):
        answer = await self.ours.ask("read", "value", characteristic=VALUE)
        same(answer["value"], database.VALUE.value.hex(), "the value")

    async def write(self):
        await self.ours.ask("write", "written", characteristic=VALUE, value=database.WRITTEN.hex())
        same(bytes(self.server.get_characteristic(VALUE).value), database.WRITTEN, "what bless was given")

    async def notify(self):
        await self.ours.ask("follow", "followed", characteristic=VALUE, on=True)
        self.server.get_characteristic(VALUE).value = bytearray(NEWS)
        self.server.update_value(database.MAIN.uuid, VALUE)
        same((await self.ours.event("value"))["value"], NEWS.hex(), "the update")

    async def disconnect(self):
        answer = await self.ours.ask("disconnect", "disconnected")
        check("error" not in answer, f"{answer}")
        await self.server.stop()


async def run(options):
    opened, title, _ = RADIOS["virtual"]
    rows = []
    for kind in (Bleak, Bluetoothctl, Bless):
        name = f"guest-{kind.__name__.lower()}"
        with tempfile.TemporaryDirectory() as folder:
            folders = Folders(name, options.programs, options.captures, folder)
            bluez = await BlueZ.open()
            try:
                async with opened(bluez, folders, False) as (adapter, our_adapter):
                    ours = await start_peer(kind.role, our_adapter, folders)
                    tool = kind(bluez, adapter, ours)
                    cell = Cell(rows, {}, peer=tool.version, radio=title, role=kind.role)
                    try:
                        for feature in ("connect", "read", "write", "notify", "disconnect"):
                            await cell.step(feature, getattr(tool, feature)())
                    finally:
                        await ours.end()
            finally:
                for log in pathlib.Path(folder).glob("*.log*"):
                    shutil.copy(log, options.captures / f"{name}-{log.name}")
        count = sum(row["result"] in (FAILED, NOT_RUN) for row in rows if row["peer"] == tool.version)
        print(f"guest: {tool.version} with our {kind.role}: {'passed' if count == 0 else 'failed'}", flush=True)
    save(options.results, rows)
    return 1 if any(row["result"] in (FAILED, NOT_RUN) for row in rows) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
