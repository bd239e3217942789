"""The association models, as both ends must see them. Ours has a keyboard and a display; what the peer has decides.
[Vol 3, Part H, 2.3.5.1]"""
import asyncio
import dataclasses

from bumble.pairing import PairingDelegate
from bumble.smp import ErrorCode

from bumble_peer import within
from results import check, same

CAPABILITIES = {
    "nothing": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "a display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "a keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yes and no": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


@dataclasses.dataclass
class Model:
    name: str
    secure: bool
    """LE Secure Connections; else LE legacy pairing."""
    peer_has: str
    question: str
    """What our person is asked."""

    @property
    def protected(self):
        return self.question != "confirmation"

    @property
    def bumble(self):
        return self.name, self.secure, CAPABILITIES[self.peer_has], self.protected

    async def answer(self, ours, person):
        """Answers for our person, as one who sees both screens."""
        asked = await ours.event("asked")
        same(asked["kind"], self.question, "the question to our person")
        match self.question:
            case "confirmation":
                ours.order("accept")
            case "passkeyEntry":
                ours.order("enter", passkey=await within("a passkey on its display", asyncio.shield(person.shown)))
            case "passkeyDisplay":
                check(0 <= asked["number"] <= 999_999, f"the passkey is {asked['number']}")
                person.typed.set_result(asked["number"])
            case "comparison":
                number = await within("a number to compare", asyncio.shield(person.compared))
                same(asked["number"], number, "the numbers on the two screens")
                person.is_same.set_result(True)
                ours.order("accept")

    async def answer_wrongly(self, ours, person):
        """Our person sees different numbers, or mistypes."""
        asked = await ours.event("asked")
        same(asked["kind"], self.question, "the question to our person")
        if self.question == "comparison":
            await within("a number to compare", asyncio.shield(person.compared))
            person.is_same.set_result(True)
            ours.order("reject")
        else:
            shown = await within("a passkey on its display", asyncio.shield(person.shown))
            ours.order("enter", passkey=(shown + 1) % 1_000_000)

    def check(self, keys):
        """What the peer has kept is of the right kind."""
        key = keys.ltk if self.secure else keys.ltk_peripheral or keys.ltk_central
        check(key is not None, f"Bumble has no key of the kind: {keys}")
        if not self.secure:
            check(keys.ltk is None, "Bumble has a key of LE Secure Connections")
        same(bool(key.authenticated), self.protected, "whether Bumble's key is authenticated")


REFUSALS = {
    "comparison refused": ("Secure Connections, comparison", ErrorCode.NUMERIC_COMPARISON_FAILED),
    "wrong passkey": ("Secure Connections, passkey typed here", ErrorCode.CONFIRM_VALUE_FAILED),
}
"""Pairings that fail: by which model, and what the peer must be told. [Vol 3, Part H, 3.5.5]"""

MODELS = [
    Model("legacy, Just Works", False, "nothing", "confirmation"),
    Model("legacy, passkey typed here", False, "a display", "passkeyEntry"),
    Model("legacy, passkey shown here", False, "a keyboard", "passkeyDisplay"),
    Model("Secure Connections, Just Works", True, "nothing", "confirmation"),
    Model("Secure Connections, comparison", True, "yes and no", "comparison"),
    Model("Secure Connections, passkey typed here", True, "a display", "passkeyEntry"),
    Model("Secure Connections, passkey shown here", True, "a keyboard", "passkeyDisplay"),
]
