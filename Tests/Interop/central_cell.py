"""Our central against a peer's server: the steps, each of which looks at both ends."""
import database
from bumble_peer import within
from ours import OurCentral
from pairing import MODELS
from results import check, same

PEER_REMOVED_PAIRING_INFORMATION = 14


class CentralCell(OurCentral):
    ROLE = "central"
    STEPS = {"refused write": "refused_write", "Service Changed": "service_changed"}
    ENCRYPTED_STEPS = {"lost bond": "lost_bond"}

    def __init__(self, ours, peer):
        self.ours, self.peer = ours, peer
        self.identifier = None

    async def begin(self):
        """Nothing: the server is Bumble's."""

    async def connect(self):
        await self.peer.advertise()
        self.ours.order("scan", services=[database.INCLUDED.uuid])
        found = await self.ours.event("found", name="Bumble")
        check(found["rssi"] < 20, f"the RSSI is {found['rssi']}")
        self.ours.order("stopScan")
        self.identifier = found["peer"]
        await self._link()

    async def reconnect(self):
        await self.peer.advertise()
        await self._link()

    async def _link(self):
        self.ours.order("connect", peer=self.identifier)
        await self.ours.event("connected")
        await self.peer.connected()

    async def disconnect(self):
        answer = await self.ours.ask("disconnect", "disconnected")
        check("error" not in answer, f"{answer}")
        same(await self.peer.disconnected(), 0x13, "the reason that Bumble was given")

    async def mtu(self):
        await super().mtu()
        same(self.peer.connection.att_mtu, database.MTU, "Bumble's ATT_MTU")

    async def _wrote(self, one, value):
        same(await within("the write", self.peer.written.get()), (one.uuid, value), "what Bumble's server was given")

    async def write(self):
        uuid = database.VALUE.uuid
        await self.ours.ask("write", "written", characteristic=uuid, value=database.WRITTEN.hex())
        await self._wrote(database.VALUE, database.WRITTEN)

    async def write_without_response(self):
        self.ours.order("send without response", characteristic=database.VALUE.uuid, value=database.COMMAND.hex())
        await self._wrote(database.VALUE, database.COMMAND)

    async def long_write(self):
        value = database.LONG_WRITTEN
        await self.ours.ask("write", "written", characteristic=database.LONG.uuid, value=value.hex())
        await self._wrote(database.LONG, value)
        await self._read(database.LONG, value)

    async def notify(self):
        await self._follow(database.NOTIFYING, self.peer.device.notify_subscribers)

    async def indicate(self):
        await self._follow(database.INDICATING, self.peer.device.indicate_subscribers)

    async def _follow(self, one, send):
        await self.ours.ask("follow", "followed", characteristic=one.uuid, on=True)
        for value in database.UPDATES:
            await within("a confirmation", send(self.peer.characteristics[one.uuid], value))
        for value in database.UPDATES:
            answer = await self.ours.event("value", characteristic=one.uuid)
            same(answer["value"], value.hex(), "the update")
        answer = await self.ours.ask("follow", "followed", characteristic=one.uuid, on=False)
        same(answer["on"], False, "isNotifying")

    async def channel(self):
        psm = await self.ours.ask("read", "value", characteristic=database.PSM.uuid)
        await self.echo(int.from_bytes(bytes.fromhex(psm["value"]), "little"))
        same(self.peer.echoed, len(database.ECHO), "octets that came to Bumble")

    async def refused_write(self):
        self.ours.order("write", characteristic=database.VALUE.uuid, value=database.REFUSED.hex())
        answer = await self.ours.event("written")
        same((answer["error"]["domain"], answer["error"]["code"]), ("CBATTErrorDomain", database.REFUSAL), "the error")
        check(self.peer.values[database.VALUE.uuid] != database.REFUSED, "Bumble has taken it")

    async def service_changed(self):
        await self.peer.publish_late()
        await self.ours.event("modified")
        answer = await self.ours.ask("discover", "database")
        check(database.LATE.uuid in [each["uuid"] for each in answer["services"]], "the new service isn't discovered")
        await self._read(database.LATE.characteristics[0])

    # Pairing: reading what needs an encrypted link makes our central pair.

    async def pair(self, model):
        await self.reconnect()
        await self.pair_here(model)

    async def pair_here(self, model):
        """On the link that there is."""
        self.peer.pairs_as(*model.bumble)
        await self.discover()
        self.ours.order("read", characteristic=database.SECRET.uuid)
        await model.answer(self.ours, self.peer.person)
        paired = await self.ours.event("paired")
        same(paired["failure"], "", "the failure of the pairing")
        await self._secret()
        model.check(await self.peer.keys())

    async def refuse(self, model, reason):
        self.peer.pairs_as(*model.bumble)
        await self.reconnect()
        failures = self.peer.failures()
        await self.discover()
        self.ours.order("read", characteristic=database.SECRET.uuid)
        await model.answer_wrongly(self.ours, self.peer.person)
        same(await within("the failure of the pairing", failures.get()), reason, "why Bumble says that it failed")
        check((await self.ours.event("paired"))["failure"], "our program isn't told that the pairing failed")
        answer = await self.ours.event("value")
        same(answer.get("error", {}).get("domain"), "CBATTErrorDomain", f"what becomes of the read ({answer})")
        check(not await self.peer.device.keystore.get_all(), "Bumble has kept keys")
        await self.disconnect()

    async def _secret(self):
        await super()._secret()
        check(self.peer.connection.is_encrypted, "Bumble's link isn't encrypted")

    async def lost_bond(self):
        """The peer has forgotten; our person forgets as well, and both pair anew."""
        await self.disconnect()
        await self.peer.forget()
        await self.reconnect()
        answer = await self.ours.event("disconnected")
        same((answer["error"]["domain"], answer["error"]["code"]), ("CBErrorDomain", PEER_REMOVED_PAIRING_INFORMATION),
             "the error")
        await self.peer.disconnected()
        await self.ours.ask("forget", "forgotten")
        await self.pair(MODELS[-1])

    async def forget(self):
        self.ours.order("forget")
        await self.ours.event("forgotten")
        await self.ours.event("disconnected")
        await self.peer.disconnected()
        await self.peer.forget()
