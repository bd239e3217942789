"""The steps of a cell, in their order; each is a method of the cell's work."""
from pairing import MODELS

STEPS = {
    "connect": "connect", "MTU": "mtu", "discovery": "discover", "read": "read", "write": "write",
    "write without response": "write_without_response", "long read": "long_read", "long write": "long_write",
    "descriptor": "descriptor", "notify": "notify", "indicate": "indicate", "RSSI": "rssi",
    "L2CAP channel": "channel",
}
LAST_STEPS = {"disconnect": "disconnect", "reconnect": "reconnect"}


async def run(cell, work):
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
