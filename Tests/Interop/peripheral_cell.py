"""Our peripheral against a peer's client: the steps, each of which looks at both ends."""
import asyncio

from bumble import l2cap
from bumble.core import UUID
from bumble.device import Peer
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
from bumble.hci import HCI_READ_RSSI_COMMAND

import database
import steps
from bumble_peer import USER_DESCRIPTION, BumblePeer, within
from programs import start_peer
from results import check, same


class PeripheralCell:
    def __init__(self, ours, peer):
        self.ours, self.peer = ours, peer
        self.address, self.client = None, None

    async def publish(self):
        psm = (await self.ours.ask("publishChannel", "channelPublished", encrypted=False))["psm"]
        for service in database.SERVICES:
            await self.ours.ask(
                "publish", "published", uuid=service.uuid, includes=list(service.includes),
                characteristics=[{
                    "uuid": one.uuid, "properties": one.properties, "permissions": one.permissions,
                    "value": (psm.to_bytes(2, "little") if one is database.PSM else one.value).hex(),
                    "description": one.description, "fixed": one.fixed} for one in service.characteristics])
        await self.ours.ask("advertise", "advertising", name="Ravning", services=[database.INCLUDED.uuid])

    async def connect(self):
        found = asyncio.get_running_loop().create_future()

        def advertised(advertisement):
            data = advertisement.data
            services = data.get_all(data.Type.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS) or []
            if any(UUID(database.INCLUDED.uuid) in uuids for uuids in services) and not found.done():
                found.set_result(advertisement.address)
        self.peer.device.on("advertisement", advertised)
        await within("scanning", self.peer.device.start_scanning())
        self.address = await within("our advertisement", found)
        await within("the end of scanning", self.peer.device.stop_scanning())
        self.peer.device.remove_listener("advertisement", advertised)
        await self.reconnect()

    async def reconnect(self):
        connection = await within("the connection", self.peer.device.connect(self.address))
        same(await self.peer.connected(), connection, "the connection")
        self.client = Peer(connection)

    async def disconnect(self):
        await within("the disconnection", self.peer.connection.disconnect())
        await self.peer.disconnected()

    async def mtu(self):
        same(await within("the exchange", self.client.request_mtu(database.MTU)), database.MTU, "the ATT_MTU")

    async def discover(self):
        await within("the discovery", self.client.discover_all())
        found = {}
        for service in self.client.services:
            includes = await within("included services", self.client.discover_included_services(service))
            found[service.uuid] = ([one.uuid for one in includes], [
                (one.uuid, int(one.properties),
                 any(each.type == GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR for each in one.descriptors),
                 any(each.type == USER_DESCRIPTION for each in one.descriptors)) for one in service.characteristics])
        for uuid, (includes, characteristics) in database.shape(database.SERVICES).items():
            wanted = [UUID(each) for each in includes], [(UUID(each), *rest) for each, *rest in characteristics]
            same(found.get(UUID(uuid)), wanted, f"service {uuid}")

    def _at(self, one):
        found = self.client.get_characteristics_by_uuid(UUID(one.uuid))
        same(len(found), 1, f"characteristics {one.uuid}")
        return found[0]

    async def _read(self, one, value=None):
        same(await within("the value", self._at(one).read_value()), value or one.value, "the value")

    async def read(self):
        for one in (database.VALUE, database.FIXED, database.SHORT):
            await self._read(one)

    async def _wrote(self, one, value):
        got = b""
        while len(got) < len(value):
            wrote = await self.ours.event("wrote")
            same((wrote["characteristic"], wrote["offset"]), (one.uuid, len(got)), "what was written, and where")
            got += bytes.fromhex(wrote["value"])
        same(got, value, "what our program was given")
        kept = await self.ours.ask("value", "value", characteristic=one.uuid)
        same(kept["value"], value.hex(), "what our program has")

    async def write(self):
        await within("the response", self._at(database.VALUE).write_value(database.WRITTEN, with_response=True))
        await self._wrote(database.VALUE, database.WRITTEN)

    async def write_without_response(self):
        await self._at(database.VALUE).write_value(database.COMMAND, with_response=False)
        await self._wrote(database.VALUE, database.COMMAND)

    async def long_read(self):
        await self._read(database.LONG)

    async def long_write(self):
        value = database.LONG_WRITTEN
        await within("the response", self._at(database.LONG).write_value(value, with_response=True))
        await self._wrote(database.LONG, value)
        await self._read(database.LONG, value)

    async def descriptor(self):
        descriptor = next(one for one in self._at(database.VALUE).descriptors if one.type == USER_DESCRIPTION)
        value = await within("the description", descriptor.read_value())
        same(value, database.VALUE.description.encode(), "the description")

    async def notify(self):
        await self._follow(database.NOTIFYING)

    async def indicate(self):
        await self._follow(database.INDICATING)

    async def _follow(self, one):
        updates = asyncio.Queue()
        await within("the subscription", self._at(one).subscribe(updates.put_nowait))
        subscribed = await self.ours.event("subscribed", characteristic=one.uuid)
        same(subscribed["length"], database.MTU - 3, "maximumUpdateValueLength")
        for value in database.UPDATES:
            self.ours.order("update", characteristic=one.uuid, value=value.hex())
        for value in database.UPDATES:
            same(await within("an update", updates.get()), value, "the update")
        await within("the end of it", self._at(one).unsubscribe())
        await self.ours.event("unsubscribed", characteristic=one.uuid)

    async def rssi(self):
        check(self.peer.device.host.supports_command(HCI_READ_RSSI_COMMAND), "the controller has no HCI_Read_RSSI")
        rssi = await within("the RSSI", self.peer.connection.get_rssi())
        check(-127 <= rssi <= 20, f"the RSSI is {rssi}")

    async def channel(self):
        psm = int.from_bytes(await within("the PSM", self._at(database.PSM).read_value()), "little")
        spec = l2cap.LeCreditBasedChannelSpec(psm=psm, mtu=512, mps=100, max_credits=5)
        channel = await within("the channel", self.peer.connection.create_l2cap_channel(spec))
        same((await self.ours.event("opened"))["psm"], psm, "the PSM")
        echoed = asyncio.Queue()
        channel.sink = echoed.put_nowait
        channel.write(database.ECHO)
        got = b""
        while len(got) < len(database.ECHO):
            got += await within("the echo", echoed.get())
        same(got, database.ECHO, "the echo")
        await within("the channel's end", channel.disconnect())
        await self.ours.event("channelEnded")

    # Pairing: the peer begins.

    async def pair(self, model):
        self.peer.pairs_as(*model.bumble)
        await self.reconnect()
        await self.discover()
        pairing = asyncio.create_task(within("the pairing", self.peer.connection.pair()))
        try:
            await model.answer(self.ours, self.peer.person)
            await pairing
        finally:
            pairing.cancel()
        paired = await self.ours.event("paired")
        same(paired["failure"], "", "the failure of the pairing")
        await self._secret()
        model.check(await self.peer.keys())

    async def _secret(self):
        check(self.peer.connection.is_encrypted, "Bumble's link isn't encrypted")
        await self._read(database.SECRET)

    async def encrypted_reconnect(self):
        await self.disconnect()
        await self.reconnect()
        await within("the encryption", self.peer.connection.encrypt())
        await self.discover()
        await self._secret()
        check(not self.ours.has("asked") and not self.ours.has("paired"), "it paired again, in spite of the bond")

    async def forget(self):
        self.ours.order("forget")
        await self.ours.event("forgotten")
        await self.peer.disconnected()
        await self.peer.forget()


async def run(cell, adapter, transport, folders):
    async with BumblePeer(transport, folders) as peer:
        ours = await start_peer("peripheral", adapter, folders)
        try:
            work = PeripheralCell(ours, peer)
            await work.publish()
            await steps.run(cell, work)
        finally:
            await ours.end()
