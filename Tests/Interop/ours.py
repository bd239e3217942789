"""What our program does in its role, and what it must be told, whoever the peer is. A cell adds the peer's side."""
import database
from results import check, same


class OurCentral:
    """`self.ours` is InteropPeer as the central, connected to a peer that serves `database`."""

    async def discover(self):
        self.check_database(await self.ours.ask("discover", "database"))

    @staticmethod
    def check_database(answer):
        found = {service["uuid"]: (service["includes"], [
            (one["uuid"], one["properties"], "2902" in one["descriptors"], "2901" in one["descriptors"])
            for one in service["characteristics"]]) for service in answer["services"]}
        for uuid, wanted in database.shape(database.SERVICES).items():
            same(found.get(uuid), wanted, f"service {uuid}")

    async def mtu(self):
        # Exchanged after connecting: what is discovered first waits for it.
        await self.discover()
        answer = await self.ours.ask("mtu", "mtu")
        same(answer["withoutResponse"], database.MTU - 3, "maximumWriteValueLength")

    async def _read(self, one, value=None):
        answer = await self.ours.ask("read", "value", characteristic=one.uuid)
        same((answer["characteristic"], answer["value"]), (one.uuid, (value or one.value).hex()), "the value")

    async def read(self):
        for one in (database.VALUE, database.FIXED, database.SHORT):
            await self._read(one)

    async def long_read(self):
        await self._read(database.LONG)

    async def descriptor(self):
        answer = await self.ours.ask(
            "readDescriptor", "descriptor", characteristic=database.VALUE.uuid, descriptor="2901")
        same(answer["value"], database.VALUE.description, "the description")

    async def rssi(self):
        answer = await self.ours.ask("rssi", "rssi")
        check(-127 <= answer["rssi"] <= 20, f"the RSSI is {answer['rssi']}")

    async def echo(self, psm):
        """Opens a channel to a PSM that echoes, and closes it again."""
        answer = await self.ours.ask("open", "opened", psm=psm)
        same(answer["psm"], psm, "the PSM")
        self.ours.order("send", value=database.ECHO.hex())
        got = b""
        while len(got) < len(database.ECHO):
            got += bytes.fromhex((await self.ours.event("channelData"))["value"])
        same(got, database.ECHO, "the echo")
        await self.ours.ask("close", "closed")

    async def encrypted_reconnect(self):
        await self.disconnect()
        await self.reconnect()
        await self.discover()
        self.ours.order("read", characteristic=database.SECRET.uuid)
        await self._secret()
        check(not self.ours.has("asked") and not self.ours.has("paired"), "it paired again, in spite of the bond")

    async def _secret(self):
        answer = await self.ours.event("value", "refused")
        same(answer.get("value"), database.SECRET.value.hex(), "the value that needs an encrypted link")


class OurPeripheral:
    """`self.ours` is InteropPeer as the peripheral."""

    async def publish(self, service, psm=0):
        await self.ours.ask(
            "publish", "published", uuid=service.uuid, includes=list(service.includes), characteristics=[{
                "uuid": one.uuid, "properties": one.properties, "permissions": one.permissions,
                "value": (psm.to_bytes(2, "little") if one is database.PSM else one.value).hex(),
                "description": one.description, "fixed": one.fixed} for one in service.characteristics])

    async def publish_all(self):
        psm = (await self.ours.ask("publishChannel", "channelPublished", encrypted=False))["psm"]
        for service in database.SERVICES:
            await self.publish(service, psm)

    async def advertise(self):
        await self.ours.ask("advertise", "advertising", name="Ravning", services=[database.INCLUDED.uuid])

    async def read(self):
        for one in (database.VALUE, database.FIXED, database.SHORT):
            await self._read(one)

    async def long_read(self):
        await self._read(database.LONG)

    async def _wrote(self, one, value):
        got = b""
        while len(got) < len(value):
            wrote = await self.ours.event("wrote")
            same((wrote["characteristic"], wrote["offset"]), (one.uuid, len(got)), "what was written, and where")
            got += bytes.fromhex(wrote["value"])
        same(got, value, "what our program was given")
        kept = await self.ours.ask("value", "value", characteristic=one.uuid)
        same(kept["value"], value.hex(), "what our program has")
