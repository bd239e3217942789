"""How our person answers in each association model. Ours has a keyboard and a display; what the peer has decides which
model it is. [Vol 3, Part H, 2.3.5.1]"""
import asyncio
import dataclasses

from results import check, same

DEADLINE = 30
"""Seconds that the peer's person may take to show something."""


async def _screen(future, what):
    try:
        return await asyncio.wait_for(asyncio.shield(future), DEADLINE)
    except TimeoutError:
        raise AssertionError(f"{what} did not come within {DEADLINE} s") from None


@dataclasses.dataclass
class Model:
    """The peer's person has four futures: `shown` is the passkey on its display, `typed` the one that it is to type,
    `compared` the number on its display, `is_same` whether it finds ours to be the same."""
    name: str
    secure: bool
    """LE Secure Connections; else LE legacy pairing."""
    peer_has: str
    question: str
    """What our person is asked."""

    @property
    def protected(self):
        return self.question != "confirmation"

    async def answer(self, ours, person):
        """Answers for our person, as one who sees both screens."""
        asked = await ours.event("asked")
        same(asked["kind"], self.question, "the question to our person")
        match self.question:
            case "confirmation":
                ours.order("accept")
            case "passkeyEntry":
                ours.order("enter", passkey=await _screen(person.shown, "a passkey on its display"))
            case "passkeyDisplay":
                check(0 <= asked["number"] <= 999_999, f"the passkey is {asked['number']}")
                person.typed.set_result(asked["number"])
            case "comparison":
                number = await _screen(person.compared, "a number to compare")
                same(asked["number"], number, "the numbers on the two screens")
                person.is_same.set_result(True)
                ours.order("accept")

    async def answer_wrongly(self, ours, person):
        """Our person sees different numbers, or mistypes."""
        asked = await ours.event("asked")
        same(asked["kind"], self.question, "the question to our person")
        if self.question == "comparison":
            await _screen(person.compared, "a number to compare")
            person.is_same.set_result(True)
            ours.order("reject")
        else:
            shown = await _screen(person.shown, "a passkey on its display")
            ours.order("enter", passkey=(shown + 1) % 1_000_000)


LEGACY = [
    ("legacy, Just Works", False, "nothing", "confirmation"),
    ("legacy, passkey typed here", False, "a display", "passkeyEntry"),
    ("legacy, passkey shown here", False, "a keyboard", "passkeyDisplay"),
]
SECURE = [
    ("Secure Connections, Just Works", True, "nothing", "confirmation"),
    ("Secure Connections, comparison", True, "yes and no", "comparison"),
    ("Secure Connections, passkey typed here", True, "a display", "passkeyEntry"),
    ("Secure Connections, passkey shown here", True, "a keyboard", "passkeyDisplay"),
]
"""Name, LE Secure Connections, what the peer has, what our person is asked."""
