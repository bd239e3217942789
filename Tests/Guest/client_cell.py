"""Our peripheral against BlueZ as the central: the steps, each of which looks at both ends."""
import asyncio
import ctypes
import os
import socket
import struct

import database
from bluez import within
from bluez_client import DEVICE, Client
from bluez_server import DESCRIPTION, long_uuid
from ours import OurPeripheral
from programs import start_peer
from results import check, same

LE_ADDRESS = {"public": 1, "random": 2}


class ClientCell(OurPeripheral):
    def __init__(self, bluez, adapter, ours):
        self.bluez, self.adapter, self.ours = bluez, adapter, ours
        self.client = None

    async def connect(self):
        await self._find()
        await self.reconnect()

    async def _find(self):
        if self.client:
            self.client.close()
        self.client = await Client.find(
            self.bluez, self.adapter, database.INCLUDED.uuid, self.advertise)
        same(await self.client.property("Name"), "Ravning", "the name")

    async def reconnect(self):
        await self.client.connect()

    async def disconnect(self):
        await self.client.disconnect()

    def _at(self, one):
        return self.client.characteristic(one.uuid)

    async def mtu(self):
        mtu = await self.bluez.get(self._at(database.VALUE), "org.bluez.GattCharacteristic1", "MTU")
        same(mtu, database.MTU, "the ATT_MTU")

    async def discover(self):
        services = self.client.attributes("Service")
        for service in database.SERVICES:
            found = [path for path, one in services.items() if one["UUID"] == long_uuid(service.uuid)]
            same(len(found), 1, f"services {service.uuid}")
            includes = [services[path]["UUID"] for path in services[found[0]].get("Includes", [])]
            same(includes, [long_uuid(each) for each in service.includes], f"what service {service.uuid} includes")
            flags = [(one["UUID"], set(one["Flags"]))
                     for one in self.client.attributes("Characteristic", found[0]).values()]
            wanted = [(long_uuid(one.uuid), self._flags(one)) for one in service.characteristics]
            same(flags, wanted, f"the characteristics of {service.uuid}")

    @staticmethod
    def _flags(one):
        names = {database.READ: "read", database.WRITE_WITHOUT_RESPONSE: "write-without-response",
                 database.WRITE: "write", database.NOTIFY: "notify", database.INDICATE: "indicate"}
        return {name for bit, name in names.items() if one.properties & bit}

    async def _read(self, one, value=None):
        same(await self.client.read(self._at(one)), value or one.value, "the value")

    async def write(self):
        await self.client.write(self._at(database.VALUE), database.WRITTEN, "request")
        await self._wrote(database.VALUE, database.WRITTEN)

    async def write_without_response(self):
        await self.client.write(self._at(database.VALUE), database.COMMAND, "command")
        await self._wrote(database.VALUE, database.COMMAND)

    async def long_write(self):
        await self.client.write(self._at(database.LONG), database.LONG_WRITTEN, "request")
        await self._wrote(database.LONG, database.LONG_WRITTEN)
        await self._read(database.LONG, database.LONG_WRITTEN)

    async def descriptor(self):
        descriptors = self.client.attributes("Descriptor", self._at(database.VALUE))
        found = [path for path, one in descriptors.items() if one["UUID"] == DESCRIPTION]
        same(len(found), 1, "descriptions")
        value = await self.client.read(found[0], "Descriptor")
        same(value, database.VALUE.description.encode(), "the description")

    async def notify(self):
        await self._follow(database.NOTIFYING)

    async def indicate(self):
        await self._follow(database.INDICATING)

    async def _follow(self, one):
        updates = await self.client.follow(self._at(one))
        subscribed = await self.ours.event("subscribed", characteristic=one.uuid)
        same(subscribed["length"], database.MTU - 3, "maximumUpdateValueLength")
        for value in database.UPDATES:
            self.ours.order("update", characteristic=one.uuid, value=value.hex())
        for value in database.UPDATES:
            same(await within("an update", updates.get()), value, "the update")
        await self.client.unfollow(self._at(one))
        await self.ours.event("unsubscribed", characteristic=one.uuid)

    async def channel(self):
        psm = int.from_bytes(await self.client.read(self._at(database.PSM)), "little")
        kind = LE_ADDRESS[await self.client.property("AddressType")]
        echoed = await asyncio.to_thread(self._echo, psm, await self.client.property("Address"), kind)
        same((await self.ours.event("opened"))["psm"], psm, "the PSM")
        same(echoed, database.ECHO, "the echo")
        await self.ours.event("channelEnded")

    @staticmethod
    def _echo(psm, text, kind):
        """A channel of the kernel's, whose address Python can't write. (struct sockaddr_l2)"""
        octets = bytes.fromhex(text.replace(":", ""))[::-1]
        address = struct.pack("<HH6sHBx", 31, psm, octets, 0, kind)
        nobody = struct.pack("<HH6sHBx", 31, 0, bytes(6), 0, LE_ADDRESS["public"])
        with socket.socket(31, socket.SOCK_SEQPACKET, 0) as channel:
            library = ctypes.CDLL(None, use_errno=True)
            for name, value in (("bind", nobody), ("connect", address)):
                if getattr(library, name)(channel.fileno(), value, len(value)) != 0:
                    raise AssertionError(f"{name}: {os.strerror(ctypes.get_errno())}")
            channel.settimeout(20)
            got, sent = b"", 0
            while len(got) < len(database.ECHO):
                if sent < len(database.ECHO):
                    sent += channel.send(database.ECHO[sent:sent + 500])
                got += channel.recv(4096)
            return got

    # Pairing: BlueZ begins, our person is asked.

    async def pair(self, model):
        await self.reconnect()
        agent, end = await self.bluez.serve_person(model.peer_has)
        try:
            pairing = asyncio.create_task(self.bluez.call(self.client.path, DEVICE, "Pair", seconds=60))
            await model.answer(self.ours, agent)
            await pairing
        finally:
            await end()
        paired = await self.ours.event("paired")
        same(paired["failure"], "", "the failure of the pairing")
        await self._read(database.SECRET)

    async def encrypted_reconnect(self):
        await self.disconnect()
        await self.reconnect()
        await self._read(database.SECRET)
        check(not self.ours.has("asked") and not self.ours.has("paired"), "it paired again, in spite of the bond")

    async def forget(self):
        await self.disconnect()
        self.ours.order("forget")
        await self.ours.event("forgotten")
        self.ours.order("stopAdvertising")
        # BlueZ forgets the device with its bond: it must be found again.
        await self.bluez.forget(self.adapter)
        await self._find()


async def prepare(bluez, adapter, our_adapter, folders):
    ours = await start_peer("peripheral", our_adapter, folders)
    work = ClientCell(bluez, adapter, ours)
    await work.publish_all()
    return ours, work
