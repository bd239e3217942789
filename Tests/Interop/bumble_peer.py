"""Bumble as the peer: its host on a transport, with a person of its own who answers while it pairs."""
import asyncio
import contextlib
import struct

from bumble import l2cap
from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import (
    GATT_SERVICE_CHANGED_CHARACTERISTIC, Characteristic, CharacteristicValue, Descriptor, Service)
from bumble.hci import Address
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.snoop import BtSnooper
from bumble.transport import open_transport

import database
from programs import DEADLINE

ADDRESS = "F0:F1:F2:F3:F4:F5"
USER_DESCRIPTION = UUID.from_16_bits(0x2901)


class LinkEnded(Exception):
    """The link has ended under what was under way."""


async def within(what, awaitable, deadline=DEADLINE):
    try:
        return await asyncio.wait_for(awaitable, deadline)
    except asyncio.CancelledError as error:
        # Bumble cancels what waits on a link that ends.
        if asyncio.current_task().cancelling():
            raise
        raise LinkEnded(f"Bumble: {what}: {error}") from None
    except TimeoutError:
        raise AssertionError(f"Bumble: {what} did not come within {deadline} s") from None


class Person(PairingDelegate):
    """Answers for Bumble; the test is told what was shown, and says what is typed."""

    def __init__(self, capability):
        super().__init__(capability)
        loop = asyncio.get_running_loop()
        self.shown, self.typed = loop.create_future(), loop.create_future()
        self.compared, self.is_same = loop.create_future(), loop.create_future()

    async def display_number(self, number, digits=6):
        self.shown.set_result(number)

    async def get_number(self):
        return await self.typed

    async def compare_numbers(self, number, digits=6):
        self.compared.set_result(number)
        return await self.is_same


class BumblePeer:
    """Bumble's host. `async with BumblePeer(…) as peer`."""

    def __init__(self, transport, folders):
        self.transport, self.folders = transport, folders
        self.connections, self.disconnections = asyncio.Queue(), asyncio.Queue()
        self.connection, self.person = None, None

    async def __aenter__(self):
        self.stack = contextlib.AsyncExitStack()
        self.hci = await open_transport(self.transport)
        self.stack.push_async_callback(self.hci.close)
        self.device = Device.with_hci("Bumble", Address(ADDRESS), self.hci.source, self.hci.sink)
        capture = self.stack.enter_context(open(self.folders.captures / f"{self.folders.name}-bumble.btsnoop", "wb"))
        self.device.host.snooper = BtSnooper(capture)
        self.device.keystore = MemoryKeyStore()
        self.device.host.long_term_key_provider = self._long_term_key
        self.device.gatt_server.max_mtu = database.MTU
        self.device.on("connection", self._connected)
        self.pairs_as("Just Works", sc=True, capability=PairingDelegate.NO_OUTPUT_NO_INPUT, mitm=False)
        self._publish()
        await within("power on", self.device.power_on())
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(Exception):  # what has failed before is told elsewhere
            await within("power off", self.device.power_off(), 5)
        self.device.host.snooper = None
        await self.stack.aclose()

    def _connected(self, connection):
        connection.on("disconnection", self.disconnections.put_nowait)
        self.connections.put_nowait(connection)

    def pairs_as(self, _, sc, capability, mitm):
        """How the next pairing goes."""
        self.person = Person(capability)
        # The identity that it tells is the address that it uses; else it tells its controller's public one.
        identity = PairingConfig.AddressType.RANDOM
        config = PairingConfig(
            sc=sc, mitm=mitm, bonding=True, delegate=self.person, identity_address_type=identity)
        self.device.pairing_config_factory = lambda connection: config

    async def _long_term_key(self, handle, random, diversifier):
        """Bumble answers as peripheral with the key that the central has given, which is the wrong one of the two that
        LE legacy pairing gives (google/bumble#890): the one that is asked for is named by its numbers.
        [Vol 3, Part H, 2.4.4.2]"""
        for _, keys in await self.device.keystore.get_all():
            for key in filter(None, (keys.ltk_central, keys.ltk_peripheral)):
                if (key.ediv, key.rand) == (diversifier, random):
                    return key.value
        return await self.device.get_long_term_key(handle, random, diversifier)

    async def connected(self):
        self.connection = await within("a connection", self.connections.get())
        return self.connection

    async def disconnected(self):
        reason = await within("a disconnection", self.disconnections.get())
        self.connection = None
        return reason

    def failures(self):
        """Where the reasons of failed pairings on this connection come."""
        failures = asyncio.Queue()
        self.connection.on("pairing_failure", failures.put_nowait)
        return failures

    async def keys(self):
        """What the one bond holds; the pairing may end here a little later than at the other side."""
        for _ in range(100):
            if found := await self.device.keystore.get_all():
                return found[0][1]
            await asyncio.sleep(0.05)
        raise AssertionError("Bumble keeps no keys of the pairing")

    async def forget(self):
        await self.device.keystore.delete_all()
        await self.device.refresh_resolving_list()

    # What its server publishes.

    def _publish(self):
        self.values, self.written, self.characteristics = {}, asyncio.Queue(), {}
        self.channels, self.echoed = [], 0
        psm = self.device.create_l2cap_server(
            spec=l2cap.LeCreditBasedChannelSpec(mtu=512, mps=100, max_credits=5), handler=self._channel).psm
        database.PSM.value = psm.to_bytes(2, "little")
        services = {}
        for service in database.SERVICES:
            characteristics = [self._characteristic(one) for one in service.characteristics]
            services[service.uuid] = Service(
                UUID(service.uuid), characteristics, included_services=[services[uuid] for uuid in service.includes])
            self.device.add_service(services[service.uuid])

    async def publish_late(self):
        """One more service, and Service Changed for its handles. [Vol 3, Part G, 7.1]"""
        late = Service(UUID(database.LATE.uuid), [self._characteristic(one) for one in database.LATE.characteristics])
        self.device.add_service(late)
        changed = next(one for one in self.device.gatt_server.attributes
                       if isinstance(one, Characteristic) and one.uuid == GATT_SERVICE_CHANGED_CHARACTERISTIC)
        handles = struct.pack("<HH", late.handle, late.end_group_handle)
        await within("the confirmation of Service Changed", self.device.indicate_subscribers(changed, handles))

    def _characteristic(self, one):
        self.values[one.uuid] = one.value

        def write(_connection, value):
            if value == database.REFUSED:
                raise ATT_Error(error_code=database.REFUSAL)
            self.values[one.uuid] = bytes(value)
            self.written.put_nowait((one.uuid, bytes(value)))
        value = one.value if one.fixed else CharacteristicValue(read=lambda _: self.values[one.uuid], write=write)
        descriptors = [Descriptor(USER_DESCRIPTION, Descriptor.READABLE, one.description.encode())]
        self.characteristics[one.uuid] = Characteristic(
            one.uuid, Characteristic.Properties(one.properties), Characteristic.Permissions(one.permissions), value,
            descriptors if one.description else [])
        return self.characteristics[one.uuid]

    def _channel(self, channel):
        def echo(data):
            self.echoed += len(data)
            channel.write(data)
        self.channels.append(channel)
        channel.sink = echo

    async def advertise(self):
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])), (AdvertisingData.COMPLETE_LOCAL_NAME, b"Bumble"),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(database.INCLUDED.uuid)))]))
        await within("advertising", self.device.start_advertising(
            advertising_interval_min=30, advertising_interval_max=30))
