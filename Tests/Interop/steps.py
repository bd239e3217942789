"""The steps of a cell, in their order; each is a method of the cell's work."""
import privacy
from bumble_peer import BumblePeer
from pairing import MODELS, REFUSALS
from programs import start_peer

STEPS = {
    "connect": "connect", "MTU": "mtu", "discovery": "discover", "read": "read", "write": "write",
    "write without response": "write_without_response", "long read": "long_read", "long write": "long_write",
    "descriptor": "descriptor", "notify": "notify", "indicate": "indicate", "RSSI": "rssi",
    "L2CAP channel": "channel",
}
LAST_STEPS = {"disconnect": "disconnect", "reconnect": "reconnect"}


async def run(kind, cell, adapter, transport, folders):
    """A cell whose work is of this kind."""
    async with BumblePeer(transport, folders) as peer:
        ours = await start_peer(kind.ROLE, adapter, folders)
        try:
            work = kind(ours, peer)
            await work.begin()
            await run_all(cell, work)
        finally:
            await ours.end()
        await cell.step("private addresses", privacy.run(kind, peer, adapter, folders))


async def run_all(cell, work):
    """All steps, and those that the work has besides: in between, and on an encrypted link."""
    for feature, method in {**STEPS, **work.STEPS, **LAST_STEPS}.items():
        await cell.step(feature, getattr(work, method)())
    if not cell.broken:
        await work.disconnect()
    for model in MODELS:
        await cell.step(model.name, work.pair(model))
        await cell.step(f"{model.name}: encrypted reconnect", work.encrypted_reconnect())
        if model is MODELS[-1]:
            for feature, method in work.ENCRYPTED_STEPS.items():
                await cell.step(feature, getattr(work, method)())
        if not cell.broken:
            await work.forget()
    for feature, (name, reason) in REFUSALS.items():
        model = next(model for model in MODELS if model.name == name)
        await cell.step(feature, work.refuse(model, reason))
