"""Private addresses: our device, which changes its address every two seconds here, is known again by who has paired
with it. [Vol 3, Part C, 10.7]"""
import asyncio

from bumble.hci import Address

from pairing import MODELS
from programs import start_peer
from results import check, same

LIFETIME = 2
"""Seconds; an iPhone has 15 minutes."""
MODEL = next(model for model in MODELS if model.secure and not model.protected)


async def run(kind, peer, adapter, folders):
    """One step: connects, pairs, and meets the same device under another address."""
    profile = f"private-addresses = yes\nprivate-address-lifetime = {LIFETIME}\n"
    ours = await start_peer(kind.ROLE, adapter, folders, "-private", profile)
    try:
        work = kind(ours, peer)
        await work.begin()
        await work.connect()
        before = peer.connection.peer_address
        check(before.is_resolvable, f"our address is {before}, which is no private one")
        await work.pair_here(MODEL)
        identity, _ = (await peer.device.keystore.get_all())[0]
        check(not Address(identity).is_resolvable, f"our identity is {identity}, which is a private address")
        await asyncio.sleep(LIFETIME + 1)
        work.address = Address(identity)
        await work.encrypted_reconnect()
        same(str(peer.connection.peer_address), identity, "who Bumble takes us for")
        now = peer.connection.peer_resolvable_address
        check(now is not None and now != before, f"our address is {now}, and was {before}")
    finally:
        await ours.end()
