#!/usr/bin/env python3
"""Plays the phone of the article "With a dongle and a phone": each demo's peripheral runs over a controller, and Bumble
does at the other end what the article tells a person to do. What comes must be what the article says, and the demo's
lines must be those of the article's logs, in their order.

    phone.py --programs .build/debug --captures FOLDER"""
import argparse
import asyncio
import logging
import pathlib
import re
import sys
import tempfile

from bumble.core import UUID
from bumble.device import Peer
from bumble.pairing import PairingDelegate

from bumble_peer import BumblePeer, LinkEnded, within
from programs import Folders, Process
from radios import ravning
from results import check, same

ARTICLE = pathlib.Path(__file__).resolve().parents[2] / \
    "Sources/CoreBluetooth/CoreBluetooth.docc/WithADongleAndAPhone.md"
TIME = re.compile(r"\d\d(:\d\d){5}")


class Phone:
    """What a person does with LightBlue or nRF Connect."""

    def __init__(self, peer):
        self.peer = peer
        self.client, self.updates = None, asyncio.Queue()

    async def connect(self, shown):
        """Scans until an advertisement shows this (a name or a service), connects, discovers."""
        found = asyncio.get_running_loop().create_future()

        def advertised(advertisement):
            data = advertisement.data
            name = data.get(data.Type.COMPLETE_LOCAL_NAME) or data.get(data.Type.SHORTENED_LOCAL_NAME)
            services = [uuid for kind in (data.Type.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
                                          data.Type.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS)
                        for uuids in data.get_all(kind) for uuid in uuids]
            if (name == shown or shown in services) and not found.done():
                found.set_result(advertisement.address)
        self.peer.device.on("advertisement", advertised)
        await within("scanning", self.peer.device.start_scanning())
        address = await within(f"an advertisement with {shown}", found)
        await within("the end of scanning", self.peer.device.stop_scanning())
        self.peer.device.remove_listener("advertisement", advertised)
        self.client = Peer(await within("the connection", self.peer.device.connect(address)))
        await self.peer.connected()
        await within("the exchange of the MTU", self.client.request_mtu(185))
        await within("the discovery", self.client.discover_all())

    def at(self, uuid):
        found = self.client.get_characteristics_by_uuid(UUID(uuid))
        same(len(found), 1, f"characteristics {uuid}")
        return found[0]

    async def read(self, uuid, shown):
        same(await within(f"the value of {uuid}", self.at(uuid).read_value()), shown, f"the value of {uuid}")

    async def write(self, uuid, value, with_response=True):
        await within("the write", self.at(uuid).write_value(value, with_response=with_response))

    async def subscribe(self, uuid):
        await within("the subscription", self.at(uuid).subscribe(self.updates.put_nowait))

    async def shown(self, *values):
        for value in values:
            same(await within("a notification", self.updates.get()), value, "the notification")

    async def leave(self):
        await within("the disconnection", self.peer.connection.disconnect())
        await self.peer.disconnected()


async def band(phone):
    await phone.connect("OBand-75")
    await phone.read("FFE1", b"XMG band")
    await phone.write("FFF2", b"hello")
    await phone.read("FFF2", b"hello")
    await phone.subscribe("FFF1")
    update = await within("a notification", phone.updates.get())
    check(TIME.fullmatch(update.decode()), f"{update} is no time")
    await within("the end of it", phone.at("FFF1").unsubscribe())


async def heart(phone):
    own = "71DA3FD2-7E10-41C1-B16F-4430B506CDE7"
    await phone.connect(UUID("180D"))
    await phone.read("2A38", b"\x01")
    await phone.subscribe("2A37")
    for beats in (61, 62, 63):
        update = await within("a notification", phone.updates.get())
        same(update[1], beats, "beats a minute")
    await within("the end of it", phone.at("2A37").unsubscribe())
    phone.peer.pairs_as("Just Works", sc=True, capability=PairingDelegate.NO_OUTPUT_NO_INPUT, mitm=False)
    await within("the pairing", phone.peer.connection.pair())
    await phone.read(own, b"runner@example.org")
    # The phone forgets, and pairs anew, but the sensor's bond is not replaced: nobody is there to agree to it.
    await phone.leave()
    await phone.peer.forget()
    await phone.connect(UUID("180D"))
    await within("the pairing", phone.peer.connection.pair())
    await phone.read(own, b"runner@example.org")
    await phone.leave()
    await phone.connect(UUID("180D"))
    try:
        await within("the encryption", phone.peer.connection.encrypt())
    except LinkEnded:
        await phone.peer.disconnected()
    else:
        raise AssertionError("the sensor's bond was replaced, and nobody was asked")


async def door(phone):
    characteristic = "F6F6B7E0-897D-4F51-959F-387A94BF440E"
    await phone.connect("Door")
    await phone.read(characteristic, b"closed")
    await phone.subscribe(characteristic)
    await phone.write(characteristic, b"OLWANDA_IL12345678", with_response=False)
    await phone.shown(bytes.fromhex("4f4c0100"), bytes.fromhex("09646f6f72206f70656e0d0a"))
    await phone.read(characteristic, b"open")
    await phone.write(characteristic, b"1234", with_response=False)
    await phone.shown(bytes.fromhex("4f4c0100"), b"\x09wrong key\x0d\x0a")


async def serial(phone):
    await phone.connect("HMSoft")
    await phone.subscribe("FFE1")
    await phone.write("FFE1", bytes.fromhex("68656c6c6f0a"), with_response=False)
    await phone.shown(bytes.fromhex("68656c6c6f0a"))


async def thermostat(phone):
    target = "0B7C9C31-5B5E-4D7A-9E5C-2F6B3C1A7E01"
    await phone.connect("Thermostat")
    await phone.read("2A6E", bytes.fromhex("3a07"))
    await phone.subscribe("2A6E")
    await phone.shown(bytes.fromhex("4907"))
    await phone.write(target, bytes.fromhex("6608"))
    try:
        await phone.write(target, bytes.fromhex("ac26"))
    except Exception as error:
        check("UNLIKELY_ERROR" in str(error), f"99 °C was refused with {error}")
    else:
        raise AssertionError("99 °C was accepted")
    await within("the end of it", phone.at("2A6E").unsubscribe())


DEMOS = {"BandPeripheral": band, "HeartRatePeripheral": heart, "DoorLock": door, "SerialModule": serial,
         "Thermostat": thermostat}


def logs():
    """For each demo the lines of its log in the article."""
    found = {}
    for section in ARTICLE.read_text().split("\n## "):
        if command := re.search(r"RAVNING_ADAPTER=hci:0 \.build/debug/(\w+)\n\n", section):
            blocks = re.findall(r"(?:^    .*\n)+", section[command.end():], re.MULTILINE)
            check(len(blocks) == 1, f"the article has {len(blocks)} logs of {command[1]}")
            found[command[1]] = [line.strip() for line in blocks[0].splitlines() if line.strip() != "…"]
    same(set(found), set(DEMOS), "the demos of the article")
    return found


async def run(name, play, log, adapter, transport, folders):
    folders = Folders(f"phone-{name}", folders.programs, folders.captures, folders.work)
    state = folders.work / f"{name}-state"
    state.mkdir(mode=0o700)
    async with BumblePeer(transport, folders) as peer:
        demo = await Process.start(
            name, folders.programs / name, log=folders.work / f"{name}.log", RAVNING_ADAPTER=adapter,
            RAVNING_CAPTURE=str(folders.captures / f"phone-{name}-demo.btsnoop"), RAVNING_STATE_DIR=str(state))
        try:
            phone = Phone(peer)
            await play(phone)
            for line in log:
                wanted = TIME.sub("TIME", line)
                await demo.next(
                    lambda got: got if TIME.sub("TIME", got) == wanted else None, f"'{line}', which the article has,")
            if peer.connection:
                await phone.leave()
        finally:
            demo.process.terminate()
            await demo.end()


async def run_all(options):
    failed = 0
    expected = logs()
    with tempfile.TemporaryDirectory() as work:
        folders = Folders("phone", options.programs, options.captures, work)
        async with ravning(folders) as (adapter, transport):
            for name, play in DEMOS.items():
                try:
                    await run(name, play, expected[name], adapter, transport, folders)
                except Exception as error:
                    failed += 1
                    print(f"interop: the article's phone with {name}: {type(error).__name__}: {error}")
    passed = len(DEMOS) - failed
    print(f"interop: the phone of the article, played by Bumble: {passed} of {len(DEMOS)} demos as it says")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.captures.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(filename=options.captures / "phone.log", level=logging.WARNING)
    return asyncio.run(run_all(options))


if __name__ == "__main__":
    sys.exit(main())
