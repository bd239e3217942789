"""Our central against BlueZ as the peripheral, over D-Bus: the steps, each of which looks at both ends."""
import contextlib
import ctypes
import os
import socket
import struct
import threading

import database
from bluez import within
from bluez_server import Server
from ours import OurCentral
from programs import start_peer
from results import check, same

LONG_WRITTEN = database.LONG_WRITTEN[:500]
"""BlueZ 5.66 counts the request's header as part of the value, and refuses what is then longer than 512 octets."""


class Echo:
    """A channel of the kernel's that echoes: a listening socket whose address Python can't write."""

    def __init__(self):
        self.socket = socket.socket(31, socket.SOCK_SEQPACKET, 0)
        address = struct.pack("<HH6sHBx", 31, 0, bytes(6), 0, 1)
        library = ctypes.CDLL(None, use_errno=True)
        if library.bind(self.socket.fileno(), address, len(address)) != 0:
            raise AssertionError(f"bind: {os.strerror(ctypes.get_errno())}")
        self.socket.listen(1)
        got, length = ctypes.create_string_buffer(14), ctypes.c_int(14)
        library.getsockname(self.socket.fileno(), got, ctypes.byref(length))
        self.psm = struct.unpack_from("<H", got.raw, 2)[0]
        self.echoed = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        descriptor = ctypes.CDLL(None, use_errno=True).accept(self.socket.fileno(), None, None)
        with socket.socket(fileno=descriptor, family=31, type=socket.SOCK_SEQPACKET, proto=0) as channel:
            with contextlib.suppress(ConnectionError):  # the other side has closed it
                while octets := channel.recv(4096):
                    channel.send(octets)
                    self.echoed += len(octets)


class ServerCell(OurCentral):
    def __init__(self, bluez, adapter, ours):
        self.bluez, self.adapter, self.ours = bluez, adapter, ours
        self.server, self.echoing, self.identifier = Server(bluez, adapter), Echo(), None

    async def publish(self):
        await self.server.publish(self.echoing.psm.to_bytes(2, "little"))

    async def connect(self):
        # The scan comes first: btvirt reports an advertiser only as it starts.
        self.ours.order("scan", services=[database.INCLUDED.uuid])
        await self.server.advertise("BlueZ")
        found = await self.ours.event("found")
        self.ours.order("stopScan")
        self.identifier = found["peer"]
        await self.reconnect()

    async def reconnect(self):
        self.ours.order("connect", peer=self.identifier)
        await self.ours.event("connected")
        await self.bluez.until("BlueZ's side of the link", self._device)

    async def discover(self):
        # BlueZ lets a link go whose encryption, which we begin, crosses its own wish for it (its log has
        # "setsockopt(BT_SECURITY): Invalid argument"): a program connects again.
        for _ in range(3):
            self.ours.order("discover")
            answer = await self.ours.event("database", "disconnected")
            if answer["event"] == "database":
                check("error" not in answer, f"{answer}")
                return self.check_database(answer)
            await self.bluez.no_links(self.adapter)
            await self.reconnect()
        raise AssertionError("BlueZ has let the link go three times")

    async def _device(self):
        """The path of the device that is connected to BlueZ's adapter; nil where there is none."""
        for path, interfaces in (await self.bluez.objects()).items():
            device = interfaces.get("org.bluez.Device1")
            if device and path.startswith(f"/org/bluez/{self.adapter}/") and device["Connected"]:
                return path
        return None

    async def disconnect(self):
        answer = await self.ours.ask("disconnect", "disconnected")
        check("error" not in answer, f"{answer}")

        async def gone():
            return await self._device() is None
        await self.bluez.until("the end of the connection", gone)
        await self.bluez.no_links(self.adapter)

    def _at(self, one):
        return self.server.characteristics[one.uuid]

    async def write(self):
        await self.ours.ask(
            "write", "written", characteristic=database.VALUE.uuid, value=database.WRITTEN.hex())
        got = await within("what was written", self._at(database.VALUE).written.get())
        same(got, database.WRITTEN, "what BlueZ was given")

    async def write_without_response(self):
        self.ours.order(
            "send without response", characteristic=database.VALUE.uuid, value=database.COMMAND.hex())
        got = await within("what was written", self._at(database.VALUE).written.get())
        same(got, database.COMMAND, "what BlueZ was given")

    async def long_write(self):
        await self.ours.ask(
            "write", "written", characteristic=database.LONG.uuid, value=LONG_WRITTEN.hex())
        got = b""
        while len(got) < len(LONG_WRITTEN):
            got = await within("what was written", self._at(database.LONG).written.get())
        same(got, LONG_WRITTEN, "what BlueZ was given")
        await self._read(database.LONG, LONG_WRITTEN)

    async def notify(self):
        await self._follow(database.NOTIFYING)

    async def indicate(self):
        await self._follow(database.INDICATING)

    async def _follow(self, one):
        await self.ours.ask("follow", "followed", characteristic=one.uuid, on=True)
        same(await within("the subscription", self._at(one).following.get()), True, "StartNotify")
        for value in database.UPDATES:
            # BlueZ drops an indication while the one before waits for its confirmation.
            self._at(one).update(value)
            answer = await self.ours.event("value", characteristic=one.uuid)
            same(answer["value"], value.hex(), "the update")
            if one is database.INDICATING:
                await within("the confirmation", self._at(one).confirmed.get())
        answer = await self.ours.ask("follow", "followed", characteristic=one.uuid, on=False)
        same(answer["on"], False, "isNotifying")
        same(await within("the end of it", self._at(one).following.get()), False, "StopNotify")

    async def channel(self):
        await self.echo(self.echoing.psm)
        same(self.echoing.echoed, len(database.ECHO), "octets that came to BlueZ")

    # Pairing: reading what needs an encrypted link makes our central pair.

    async def pair(self, model):
        agent, end = await self.bluez.serve_person(model.peer_has)
        try:
            await self.reconnect()
            await self.discover()
            self.ours.order("read", characteristic=database.SECRET.uuid)
            await model.answer(self.ours, agent)
            paired = await self.ours.event("paired")
            same(paired["failure"], "", "the failure of the pairing")
            await self._secret()
        finally:
            await end()

    async def forget(self):
        self.ours.order("forget")
        await self.ours.event("forgotten")
        await self.ours.event("disconnected")
        await self.bluez.forget(self.adapter)


async def prepare(bluez, adapter, our_adapter, folders):
    ours = await start_peer("central", our_adapter, folders)
    work = ServerCell(bluez, adapter, ours)
    await work.publish()
    return ours, work
