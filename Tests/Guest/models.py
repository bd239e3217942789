"""The association models, as both ends must see them. Ours has a keyboard and a display; BlueZ's agent has what its
capability says. [Vol 3, Part H, 2.3.5.1]"""
import asyncio
import dataclasses

from bluez import within
from results import check, same


@dataclasses.dataclass
class Model:
    name: str
    secure: bool
    """LE Secure Connections; else LE legacy pairing."""
    bluez: str
    """The capability of BlueZ's agent."""
    question: str
    """What our person is asked."""

    async def answer(self, ours, agent):
        """Answers for our person, as one who sees both screens."""
        asked = await ours.event("asked")
        same(asked["kind"], self.question, "the question to our person")
        match self.question:
            case "confirmation":
                ours.order("accept")
            case "passkeyEntry":
                ours.order("enter", passkey=await within("a passkey on its display", asyncio.shield(agent.shown)))
            case "passkeyDisplay":
                check(0 <= asked["number"] <= 999_999, f"the passkey is {asked['number']}")
                agent.typed.set_result(asked["number"])
            case "comparison":
                number = await within("a number to compare", asyncio.shield(agent.compared))
                same(asked["number"], number, "the numbers on the two screens")
                agent.is_same.set_result(True)
                ours.order("accept")


LEGACY = [
    Model("legacy, Just Works", False, "NoInputNoOutput", "confirmation"),
    Model("legacy, passkey typed here", False, "DisplayOnly", "passkeyEntry"),
    Model("legacy, passkey shown here", False, "KeyboardOnly", "passkeyDisplay"),
]
SECURE = [
    Model("Secure Connections, Just Works", True, "NoInputNoOutput", "confirmation"),
    Model("Secure Connections, comparison", True, "DisplayYesNo", "comparison"),
    Model("Secure Connections, passkey typed here", True, "DisplayOnly", "passkeyEntry"),
    Model("Secure Connections, passkey shown here", True, "KeyboardOnly", "passkeyDisplay"),
]
