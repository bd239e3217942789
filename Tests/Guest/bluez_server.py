"""The services of the interoperability tests on BlueZ's GATT server, over D-Bus."""
import asyncio

import database
from dbus_fast import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

ROOT = "/ravning"
PROPERTIES = [
    (database.READ, "read"), (database.WRITE_WITHOUT_RESPONSE, "write-without-response"), (database.WRITE, "write"),
    (database.NOTIFY, "notify"), (database.INDICATE, "indicate"),
]
DESCRIPTION = "00002901-0000-1000-8000-00805f9b34fb"


def long_uuid(text):
    return text.lower() if len(text) > 4 else f"0000{text.lower()}-0000-1000-8000-00805f9b34fb"


class Service(ServiceInterface):
    def __init__(self, uuid, includes):
        super().__init__("org.bluez.GattService1")
        self.uuid, self.includes = uuid, includes

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return long_uuid(self.uuid)

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def Includes(self) -> "ao":
        return self.includes


class Characteristic(ServiceInterface):
    """Notes what is written; what it has to tell is told by `update`."""

    def __init__(self, one, service):
        super().__init__("org.bluez.GattCharacteristic1")
        self.one, self.service = one, service
        self.value = one.value
        self.written = asyncio.Queue()
        self.following = asyncio.Queue()
        self.confirmed = asyncio.Queue()
        self.flags = [name for bit, name in PROPERTIES if one.properties & bit]
        if one.permissions & database.READ_ENCRYPTED:
            self.flags.append("encrypt-read")

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return long_uuid(self.one.uuid)

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> "o":
        return self.service

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":
        return self.flags

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> "ay":
        return self.value

    @dbus_method()
    def ReadValue(self, options: "a{sv}") -> "ay":
        offset = options["offset"].value if "offset" in options else 0
        return self.value[offset:]

    @dbus_method()
    def WriteValue(self, value: "ay", options: "a{sv}"):
        offset = options["offset"].value if "offset" in options else 0
        self.value = self.value[:offset] + bytes(value) if offset else bytes(value)
        self.written.put_nowait(self.value)

    @dbus_method()
    def StartNotify(self):
        self.following.put_nowait(True)

    @dbus_method()
    def StopNotify(self):
        self.following.put_nowait(False)

    @dbus_method()
    def Confirm(self):
        self.confirmed.put_nowait(True)

    def update(self, value):
        self.value = value
        self.emit_properties_changed({"Value": value})


class Descriptor(ServiceInterface):
    def __init__(self, text, characteristic):
        super().__init__("org.bluez.GattDescriptor1")
        self.text, self.characteristic = text, characteristic

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return DESCRIPTION

    @dbus_property(access=PropertyAccess.READ)
    def Characteristic(self) -> "o":
        return self.characteristic

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":
        return ["read"]

    @dbus_method()
    def ReadValue(self, options: "a{sv}") -> "ay":
        return self.text.encode()


class Advertisement(ServiceInterface):
    def __init__(self, name, services):
        super().__init__("org.bluez.LEAdvertisement1")
        self.local_name, self.services = name, services

    @dbus_property(access=PropertyAccess.READ)
    def Type(self) -> "s":
        return "peripheral"

    @dbus_property(access=PropertyAccess.READ)
    def ServiceUUIDs(self) -> "as":
        return self.services

    @dbus_property(access=PropertyAccess.READ)
    def LocalName(self) -> "s":
        return self.local_name

    @dbus_method()
    def Release(self): ...


class Server:
    """The services and the advertisement of one adapter."""

    def __init__(self, bluez, adapter):
        self.bluez, self.adapter = bluez, f"/org/bluez/{adapter}"
        self.characteristics = {}

    async def publish(self, psm=b""):
        objects, paths = {}, {}
        for number, service in enumerate(database.SERVICES):
            path = paths[service.uuid] = f"{ROOT}/s{number}"
            objects[path] = Service(service.uuid, [paths[each] for each in service.includes])
            for index, one in enumerate(service.characteristics):
                characteristic = objects[f"{path}/c{index}"] = Characteristic(one, path)
                if one is database.PSM:
                    characteristic.value = psm
                self.characteristics[one.uuid] = characteristic
                if one.description:
                    objects[f"{path}/c{index}/d0"] = Descriptor(one.description, f"{path}/c{index}")
        for path, one in objects.items():
            self.bluez.bus.export(path, one)
        # The bus lists them by itself.
        await self.bluez.call(self.adapter, "org.bluez.GattManager1", "RegisterApplication", "oa{sv}", ROOT, {})

    async def advertise(self, name):
        advertisement = Advertisement(name, [long_uuid(database.INCLUDED.uuid)])
        self.bluez.bus.export(f"{ROOT}/advertisement", advertisement)
        await self.bluez.call(
            self.adapter, "org.bluez.LEAdvertisingManager1", "RegisterAdvertisement", "oa{sv}",
            f"{ROOT}/advertisement", {})
