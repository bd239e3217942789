"""A GATT client on BlueZ, over D-Bus.

bleak isn't used for it: BlueZ's socket may be connected before its management interface says so, on a radio as quick as
these; BlueZ then never signals that the device is connected, and bleak takes the link for lost. Here the properties are
asked for. (bleak has a cell of its own, which tries again.)"""
import asyncio

from bluez import within
from bluez_server import long_uuid
from dbus_fast import Message, MessageType, Variant

DEVICE, CHARACTERISTIC = "org.bluez.Device1", "org.bluez.GattCharacteristic1"


class Client:
    """One remote device of an adapter of BlueZ."""

    def __init__(self, bluez, path):
        self.bluez, self.path = bluez, path
        self.objects = {}
        self.followed = {}
        bluez.bus.add_message_handler(self._signal)

    def close(self):
        self.bluez.bus.remove_message_handler(self._signal)

    @classmethod
    async def find(cls, bluez, adapter, service, advertise):
        """Scans for the service, lets the other side advertise, and answers the device that was found."""
        path = f"/org/bluez/{adapter}"
        await bluez.call(path, "org.bluez.Adapter1", "SetDiscoveryFilter", "a{sv}", {
            "Transport": Variant("s", "le"), "UUIDs": Variant("as", [long_uuid(service)])})
        await bluez.call(path, "org.bluez.Adapter1", "StartDiscovery")
        # The scan comes first: btvirt reports an advertiser only as it starts.
        await bluez.until("the scan", lambda: bluez.get(path, "org.bluez.Adapter1", "Discovering"))
        await advertise()

        async def found():
            for path, interfaces in (await bluez.objects()).items():
                device = interfaces.get(DEVICE)
                if device and path.startswith(f"/org/bluez/{adapter}/") and long_uuid(service) in device["UUIDs"]:
                    return path
            return None
        device = await bluez.until("our advertisement", found)
        await bluez.call(path, "org.bluez.Adapter1", "StopDiscovery")
        return cls(bluez, device)

    async def property(self, name):
        return await self.bluez.get(self.path, DEVICE, name)

    async def connect(self):
        await self.bluez.call(self.path, DEVICE, "Connect", seconds=60)
        await self.bluez.until("the discovery", lambda: self.property("ServicesResolved"))
        self.objects = {path: interfaces for path, interfaces in (await self.bluez.objects()).items()
                        if path.startswith(self.path + "/")}

    async def disconnect(self):
        await self.bluez.call(self.path, DEVICE, "Disconnect")
        await self.gone()

    async def gone(self):
        async def is_gone():
            return not await self.property("Connected") and not await self.property("ServicesResolved")
        await self.bluez.until("the end of the connection", is_gone)
        await self.bluez.no_links(self.path.split("/")[3])

    def attributes(self, kind, under=None):
        """Path -> properties of the services, characteristics or descriptors, in the order of their handles."""
        interface = f"org.bluez.Gatt{kind}1"
        return {path: interfaces[interface] for path, interfaces in sorted(self.objects.items())
                if interface in interfaces and path.startswith(under or self.path)}

    def characteristic(self, uuid):
        found = [path for path, one in self.attributes("Characteristic").items() if one["UUID"] == long_uuid(uuid)]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} characteristics {uuid}")
        return found[0]

    async def read(self, path, kind="Characteristic"):
        return bytes(await self.bluez.call(path, f"org.bluez.Gatt{kind}1", "ReadValue", "a{sv}", {}))

    async def write(self, path, value, kind):
        """- kind: "request" or "command"."""
        await self.bluez.call(path, CHARACTERISTIC, "WriteValue", "aya{sv}", value, {"type": Variant("s", kind)})

    async def follow(self, path):
        """A queue of the values that are told from now on."""
        self.followed[path] = asyncio.Queue()
        rule = f"type='signal',interface='org.freedesktop.DBus.Properties',path='{path}'"
        await self._match("AddMatch", rule)
        await self.bluez.call(path, CHARACTERISTIC, "StartNotify")
        return self.followed[path]

    async def unfollow(self, path):
        await self.bluez.call(path, CHARACTERISTIC, "StopNotify")
        del self.followed[path]

    async def _match(self, member, rule):
        reply = await within(member, self.bluez.bus.call(Message(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, signature="s",
            body=[rule])))
        if reply.message_type == MessageType.ERROR:
            raise AssertionError(f"{member}: {reply.body}")

    def _signal(self, message):
        if message.member == "PropertiesChanged" and message.path in self.followed:
            interface, changed, _ = message.body
            if interface == CHARACTERISTIC and "Value" in changed:
                self.followed[message.path].put_nowait(bytes(changed["Value"].value))
