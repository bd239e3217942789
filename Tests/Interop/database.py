"""The services that both servers publish, ours and the peer's, and the values that both clients expect."""
import dataclasses

# Properties as in the characteristic's declaration. [Vol 3, Part G, 3.3.1.1]
READ, WRITE_WITHOUT_RESPONSE, WRITE, NOTIFY, INDICATE = 0x02, 0x04, 0x08, 0x10, 0x20
# Permissions, which Core Bluetooth and Bumble write with the same bits.
READABLE, WRITEABLE, READ_ENCRYPTED = 0x01, 0x02, 0x04


def uuid(number):
    return f"8D6B{number:04X}-5C54-4B5C-9E0B-6C8E5B6E0A10"


@dataclasses.dataclass
class Characteristic:
    uuid: str
    properties: int
    permissions: int
    value: bytes = b""
    description: str = ""
    fixed: bool = False


@dataclasses.dataclass
class Service:
    uuid: str
    characteristics: list
    includes: tuple = ()


MTU = 185
"""The ATT_MTU that the peer names: less than ours, so that it decides, and longer values take several steps."""

VALUE = Characteristic(
    uuid(1), READ | WRITE | WRITE_WITHOUT_RESPONSE, READABLE | WRITEABLE, bytes.fromhex("000102fdfeff"), "A value")
LONG = Characteristic(uuid(2), READ | WRITE, READABLE | WRITEABLE, bytes(i * 7 % 256 for i in range(400)))
NOTIFYING = Characteristic(uuid(3), NOTIFY, READABLE)
INDICATING = Characteristic(uuid(4), INDICATE, READABLE)
SECRET = Characteristic(uuid(5), READ, READABLE | READ_ENCRYPTED, b"for paired ears only")
FIXED = Characteristic(uuid(6), READ, READABLE, b"cached", fixed=True)
PSM = Characteristic(uuid(7), READ, READABLE, fixed=True)
"""Its value is the number of the channel, two octets, the lower one first."""
SHORT = Characteristic("FFF1", READ, READABLE, b"\x64", fixed=True)

LATE = Service(uuid(16), [Characteristic(uuid(17), READ, READABLE, b"late", fixed=True)])
"""Published while the client is connected."""

INCLUDED = Service("FFF0", [SHORT])
MAIN = Service(uuid(0), [VALUE, LONG, NOTIFYING, INDICATING, SECRET, FIXED, PSM], (INCLUDED.uuid,))
SERVICES = [INCLUDED, MAIN]

WRITTEN = bytes.fromhex("a5005affee")
REFUSED = b"refuse"
"""What both servers refuse to take, with an error of their own."""
REFUSAL = 0x80
COMMAND = b"without a response"
LONG_WRITTEN = bytes((i * i + 3) % 256 for i in range(512))
UPDATES = [bytes([i]) * (i + 1) for i in range(20)]
ECHO = bytes(i * 31 % 251 for i in range(3000))


def shape(services):
    """What a discovery must give: for each service its included ones, and its characteristics with properties and
    whether there's a configuration and a description."""
    return {service.uuid: (list(service.includes), [
        (characteristic.uuid, characteristic.properties, bool(characteristic.properties & (NOTIFY | INDICATE)),
         bool(characteristic.description)) for characteristic in service.characteristics]) for service in services}
