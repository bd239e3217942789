"""The association models with Bumble."""
from bumble.pairing import PairingDelegate
from bumble.smp import ErrorCode

import association
from results import check, same

CAPABILITIES = {
    "nothing": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "a display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "a keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yes and no": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


class Model(association.Model):
    """With what Bumble has to be told, and has then kept."""

    @property
    def bumble(self):
        return self.name, self.secure, CAPABILITIES[self.peer_has], self.protected

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

MODELS = [Model(*each) for each in association.LEGACY + association.SECURE]
