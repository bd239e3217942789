"""Our peripheral against a peer's client: the steps, each of which looks at both ends."""
import asyncio
import struct

from bumble import att, l2cap
from bumble.core import UUID
from bumble.device import Peer
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, GATT_SERVICE_CHANGED_CHARACTERISTIC
from bumble.hci import (
    HCI_AUTHENTICATION_FAILURE_ERROR, HCI_PIN_OR_KEY_MISSING_ERROR, HCI_READ_RSSI_COMMAND, HCI_Error)

import database
from bumble_peer import USER_DESCRIPTION, within
from ours import OurPeripheral
from pairing import MODELS
from results import check, same

INSUFFICIENT_AUTHENTICATION = 0x0005
"""The result of a connection request on a link without a key. [Vol 3, Part A, 4.23]"""


class PeripheralCell(OurPeripheral):
    ROLE = "peripheral"
    STEPS = {
        "read by UUID": "read_by_uuid", "read multiple": "read_multiple", "cancelled long write": "cancelled_write",
        "refused write": "refused_write", "Service Changed": "service_changed",
    }
    ENCRYPTED_STEPS = {"L2CAP channel with encryption": "encrypted_channel", "lost bond": "lost_bond"}

    def __init__(self, ours, peer):
        self.ours, self.peer = ours, peer
        self.address, self.client = None, None

    async def begin(self):
        await self.publish_all()
        self.encrypted_psm = (await self.ours.ask("publishChannel", "channelPublished", encrypted=True))["psm"]
        await self.advertise()

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

    async def write(self):
        await within("the response", self._at(database.VALUE).write_value(database.WRITTEN, with_response=True))
        await self._wrote(database.VALUE, database.WRITTEN)

    async def write_without_response(self):
        await self._at(database.VALUE).write_value(database.COMMAND, with_response=False)
        await self._wrote(database.VALUE, database.COMMAND)

    LONG_WRITTEN = database.LONG_WRITTEN

    async def long_write(self):
        value = self.LONG_WRITTEN
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
        try:
            await self._open(self.encrypted_psm)
        except l2cap.L2capError as error:
            same(error.error_code, INSUFFICIENT_AUTHENTICATION, "why the encrypted channel is refused")
        else:
            raise AssertionError("a channel that is for encrypted links only was opened on this one")
        await self._echo(int.from_bytes(await within("the PSM", self._at(database.PSM).read_value()), "little"))

    async def encrypted_channel(self):
        await self._echo(self.encrypted_psm)

    async def _open(self, psm):
        spec = l2cap.LeCreditBasedChannelSpec(psm=psm, mtu=512, mps=100, max_credits=5)
        return await within("the channel", self.peer.connection.create_l2cap_channel(spec))

    async def _echo(self, psm):
        channel = await self._open(psm)
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

    async def read_by_uuid(self):
        values = await within("the values", self.client.gatt_client.read_characteristics_by_uuid(
            UUID(database.FIXED.uuid), None))
        same(values, [database.FIXED.value], "the values by UUID")

    async def _request(self, pdu):
        return await within(pdu.name, self.client.gatt_client.send_request(pdu))

    async def read_multiple(self):
        ones = database.FIXED, database.SHORT
        handles = [self._at(one).handle for one in ones]
        answer = await self._request(att.ATT_Read_Multiple_Request(set_of_handles=handles))
        same(answer.set_of_values, b"".join(one.value for one in ones), "the values")
        answer = await self._request(att.ATT_Read_Multiple_Variable_Request(set_of_handles=handles))
        same(answer.length_value_tuple_list, [(len(one.value), one.value) for one in ones], "the values with lengths")

    async def cancelled_write(self):
        before = await self.ours.ask("value", "value", characteristic=database.LONG.uuid)
        handle = self._at(database.LONG).handle
        answer = await self._request(att.ATT_Prepare_Write_Request(
            attribute_handle=handle, value_offset=0, part_attribute_value=b"never"))
        same((answer.attribute_handle, answer.part_attribute_value), (handle, b"never"), "the response")
        same((await self._request(att.ATT_Execute_Write_Request(flags=0))).name, "ATT_EXECUTE_WRITE_RESPONSE", "it")
        await self._read(database.LONG, bytes.fromhex(before["value"]))
        check(not self.ours.has("wrote"), "our program was given what was cancelled")

    async def refused_write(self):
        try:
            await within("the response", self._at(database.VALUE).write_value(database.REFUSED, with_response=True))
        except att.ATT_Error as error:
            same(error.error_code, database.REFUSAL, "the error")
        else:
            raise AssertionError("the write wasn't refused")

    async def service_changed(self):
        """A service is published, found, and withdrawn while the client is connected. [Vol 3, Part G, 7.1]"""
        changed = self.client.get_characteristics_by_uuid(GATT_SERVICE_CHANGED_CHARACTERISTIC)[0]
        told = asyncio.Queue()
        await within("the subscription", changed.subscribe(told.put_nowait))
        await self.publish(database.LATE)
        first, last = struct.unpack("<HH", await within("Service Changed", told.get()))
        services = await within("the discovery", self.client.discover_service(UUID(database.LATE.uuid)))
        same(len(services), 1, "new services")
        check(first <= services[0].handle and services[0].end_group_handle <= last,
              f"Service Changed tells of {first} to {last}, and the service is at {services[0].handle}")
        self.ours.order("withdraw", uuid=database.LATE.uuid)
        same(struct.unpack("<HH", await within("Service Changed", told.get())), (first, last), "what has changed")
        services = await within("the discovery", self.client.discover_service(UUID(database.LATE.uuid)))
        same(len(services), 0, "services that were withdrawn")

    # Pairing: the peer begins.

    async def pair(self, model):
        await self.reconnect()
        await self.pair_here(model)

    async def pair_here(self, model):
        """On the link that there is."""
        self.peer.pairs_as(*model.bumble)
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

    async def refuse(self, model, reason):
        await self.reconnect()
        self.peer.pairs_as(*model.bumble)
        failures = self.peer.failures()
        pairing = asyncio.create_task(self.peer.connection.pair())
        await model.answer_wrongly(self.ours, self.peer.person)
        same(await within("the failure of the pairing", failures.get()), reason, "why Bumble says that it failed")
        check((await self.ours.event("paired"))["failure"], "our program isn't told that the pairing failed")
        await asyncio.wait([pairing])
        check(pairing.exception() is not None, "Bumble has paired")
        await self.disconnect()

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

    async def lost_bond(self):
        """Our person has forgotten; the peer is told so, and both pair anew."""
        self.ours.order("forget")
        await self.ours.event("forgotten")
        await self.peer.disconnected()
        await self.reconnect()
        try:
            await within("the encryption", self.peer.connection.encrypt())
        except HCI_Error as error:
            # RootCanal says the latter.
            check(error.error_code in (HCI_PIN_OR_KEY_MISSING_ERROR, HCI_AUTHENTICATION_FAILURE_ERROR),
                  f"the link can't be encrypted because of {error}")
        else:
            raise AssertionError("the link is encrypted, and our side has forgotten the key")
        await self.peer.forget()
        await self.pair_here(MODELS[-1])

    async def forget(self):
        self.ours.order("forget")
        await self.ours.event("forgotten")
        await self.peer.disconnected()
        await self.peer.forget()
