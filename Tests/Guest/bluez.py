"""BlueZ over D-Bus, as far as the cells need it: adapters, devices, an agent that answers for the person."""
import asyncio
import glob

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method

DEADLINE = 30
"""Seconds that anything may take: the guest has one slow processor."""


CAPABILITIES = {
    "nothing": "NoInputNoOutput", "a display": "DisplayOnly", "a keyboard": "KeyboardOnly",
    "yes and no": "DisplayYesNo",
}


class Refused(Exception):
    """BlueZ's error."""


async def within(what, work, seconds=DEADLINE):
    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise AssertionError(f"{what} did not come within {seconds} s") from None


class BlueZ:
    """A connection to the system bus."""

    def __init__(self, bus):
        self.bus = bus

    @classmethod
    async def open(cls):
        return cls(await MessageBus(bus_type=BusType.SYSTEM).connect())

    async def call(self, path, interface, member, signature="", *body, destination="org.bluez", seconds=DEADLINE):
        message = Message(destination, path, interface, member, signature=signature, body=list(body))
        reply = await within(f"{member}'s answer", self.bus.call(message), seconds)
        if reply.message_type == MessageType.ERROR:
            raise Refused(f"{member}: {reply.error_name}: {' '.join(map(str, reply.body))}")
        return reply.body[0] if reply.body else None

    async def get(self, path, interface, name):
        value = await self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, name)
        return value.value

    async def set(self, path, interface, name, signature, value):
        await self.call(
            path, "org.freedesktop.DBus.Properties", "Set", "ssv", interface, name, Variant(signature, value))

    async def objects(self):
        """Path -> interface -> property -> value."""
        found = await self.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return {path: {interface: {name: value.value for name, value in properties.items()}
                       for interface, properties in interfaces.items()} for path, interfaces in found.items()}

    async def until(self, what, condition, seconds=DEADLINE):
        """Asks until the condition is something."""
        async def ask():
            while True:
                try:
                    if (result := await condition()) not in (None, False):
                        return result
                except Refused:
                    pass
                await asyncio.sleep(0.1)
        return await within(what, ask(), seconds)

    async def no_links(self, adapter):
        """Until the kernel has no link of the adapter any more: BlueZ says so before, and a connection that is asked for
        in between fails with the end of the old one."""
        async def none():
            return not glob.glob(f"/sys/class/bluetooth/{adapter}:*")
        await self.until("the end of the link", none)

    async def power(self, adapter, on):
        """Powers an adapter on or off, once bluetoothd knows it."""
        path = f"/org/bluez/{adapter}"
        await self.until(f"{adapter}", lambda: self.get(path, "org.bluez.Adapter1", "Address"))

        async def changed():
            await self.set(path, "org.bluez.Adapter1", "Powered", "b", on)
            return await self.get(path, "org.bluez.Adapter1", "Powered") == on
        await self.until(f"{adapter} powered {'on' if on else 'off'}", changed)

    async def forget(self, adapter):
        """Removes all devices of an adapter, with their bonds."""
        for path, interfaces in (await self.objects()).items():
            if "org.bluez.Device1" in interfaces and path.startswith(f"/org/bluez/{adapter}/"):
                await self.call(f"/org/bluez/{adapter}", "org.bluez.Adapter1", "RemoveDevice", "o", path)

    async def serve_person(self, has):
        """Registers an agent for a person who has this, anew for each."""
        agent, capability = Agent(), CAPABILITIES[has]
        path = f"/agent/{capability}"
        self.bus.export(path, agent)
        manager = ("/org/bluez", "org.bluez.AgentManager1")
        await self.call(*manager, "RegisterAgent", "os", path, capability)
        await self.call(*manager, "RequestDefaultAgent", "o", path)

        async def end():
            await self.call(*manager, "UnregisterAgent", "o", path)
            self.bus.unexport(path, agent)
        return agent, end


class Agent(ServiceInterface):
    """Agrees to everything, once the cell has compared or handed over the number."""

    def __init__(self):
        super().__init__("org.bluez.Agent1")
        loop = asyncio.get_running_loop()
        self.shown, self.typed, self.compared, self.is_same = (loop.create_future() for _ in range(4))

    @dbus_method()
    def Release(self): ...

    @dbus_method()
    async def RequestConfirmation(self, device: "o", passkey: "u"):
        if not self.compared.done():
            self.compared.set_result(passkey)
        await asyncio.wait_for(asyncio.shield(self.is_same), DEADLINE)

    @dbus_method()
    def RequestAuthorization(self, device: "o"):
        pass

    @dbus_method()
    async def RequestPasskey(self, device: "o") -> "u":
        return await asyncio.wait_for(asyncio.shield(self.typed), DEADLINE)

    @dbus_method()
    def DisplayPasskey(self, device: "o", passkey: "u", entered: "q"):
        if not self.shown.done():
            self.shown.set_result(passkey)

    @dbus_method()
    def Cancel(self): ...
