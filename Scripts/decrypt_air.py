#!/usr/bin/env python3
"""Decrypts a capture of the air: a pcap of link type 256 with encrypted links, and the keys that were exported with it.

Usage: decrypt_air.py CAPTURE.pcap KEYS OUTPUT.pcap

Nothing of Ravning is used: AES-CCM comes from the package `cryptography`, the rest is the specification's
[Vol 6, Part B, 5.1.3] and [Vol 6, Part E]. The session key diversifier and the initialization vector are read from
LL_ENC_REQ and LL_ENC_RSP in the capture itself and must be those of a line of KEYS, which names the long term key:

    keys ACCESS-ADDRESS LTK SKD IV      hexadecimal digits, most significant first

Packets that were encrypted are written as what they said: without their check, with a length and a CRC that fit.
Ends with 1 where a packet doesn't decrypt, a session has no key, or nothing was encrypted at all.
"""
import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

ADVERTISING = 0x8E89BED6
ENC_REQ, ENC_RSP, START_ENC_REQ, START_ENC_RSP, PAUSE_ENC_RSP = 0x03, 0x04, 0x05, 0x06, 0x0B
TO_PERIPHERAL, TO_CENTRAL = 0, 1


def crc24(pdu, initial):
    """The CRC of a PDU, as it is sent. [Vol 6, Part B, 3.1.1]"""
    register = int(f"{initial:024b}"[::-1], 2)
    for octet in pdu:
        register ^= octet
        for _ in range(8):
            register = register >> 1 ^ 0xDA6000 if register & 1 else register >> 1
    return register.to_bytes(3, "little")


class Way:
    """One direction of a link."""

    def __init__(self):
        self.encrypted = False
        self.counter = 0
        self.last = None  # SN and payload of the last PDU, and what it said


class Link:
    def __init__(self, initial):
        self.initial = initial
        self.ways = [Way(), Way()]
        self.request = self.cipher = self.vector = None


class Decryption:
    def __init__(self, keys):
        self.keys = keys
        self.links = {}
        self.sessions = self.packets = 0
        self.failures = []

    def advertising(self, pdu):
        """A CONNECT_IND begins a link. [Vol 6, Part B, 2.3.3.1]"""
        if pdu[0] & 0x0F == 5 and len(pdu) == 36:
            address, = struct.unpack_from("<I", pdu, 14)
            self.links[address] = Link(int.from_bytes(pdu[18:21], "little"))

    def data(self, number, address, direction, pdu):
        """The PDU as what it said, and the link's CRC initial value; None where nothing changes."""
        link = self.links.get(address)
        if link is None or len(pdu) < 2 or pdu[1] != len(pdu) - 2:
            return None
        way = link.ways[direction]
        sequence, payload = pdu[0] >> 3 & 1, pdu[2:]
        if not payload:
            way.last = (sequence, payload, None)
            return None
        if way.last is not None and way.last[:2] == (sequence, payload):
            plain = way.last[2]  # sent again: the same number, the same text
        else:
            plain = self.decrypt(number, link, direction, pdu) if way.encrypted else None
            way.last = (sequence, payload, plain)
            said = plain if way.encrypted else payload
            if pdu[0] & 3 == 3 and said:
                self.control(number, address, link, direction, said)
        if plain is None:
            return None
        return bytes([pdu[0], len(plain)]) + plain, link.initial

    def decrypt(self, number, link, direction, pdu):
        way = link.ways[direction]
        flag = 0x80 if direction == TO_PERIPHERAL else 0
        nonce = bytearray(way.counter.to_bytes(5, "little")) + link.vector
        nonce[4] |= flag
        try:
            plain = link.cipher.decrypt(bytes(nonce), bytes(pdu[2:]), bytes([pdu[0] & 0xE3]))
        except InvalidTag:
            self.failures.append(f"packet {number} doesn't decrypt")
            return None
        way.counter += 1
        self.packets += 1
        return plain

    def control(self, number, address, link, direction, said):
        opcode = said[0]
        ways = link.ways
        if opcode == ENC_REQ and len(said) == 23:
            link.request = said
        elif opcode == ENC_RSP and len(said) == 13 and link.request:
            diversifier = (said[1:9][::-1] + link.request[11:19][::-1])
            vector = link.request[19:23] + said[9:13]
            key = self.keys.get((address, diversifier, vector[::-1]))
            link.cipher = None
            if key is None:
                self.failures.append(f"packet {number} begins a session whose key wasn't exported")
                return
            encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
            link.cipher = AESCCM(encryptor.update(diversifier), tag_length=4)
            link.vector = vector
            ways[0].counter = ways[1].counter = 0
            self.sessions += 1
        elif opcode == START_ENC_REQ and direction == TO_CENTRAL and link.cipher:
            ways[TO_PERIPHERAL].encrypted = True
        elif opcode == START_ENC_RSP and direction == TO_PERIPHERAL and link.cipher:
            ways[TO_CENTRAL].encrypted = True
        elif opcode == PAUSE_ENC_RSP:
            ways[TO_PERIPHERAL if direction == TO_CENTRAL else TO_CENTRAL].encrypted = False


def read_keys(path):
    keys = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if len(words) == 5 and words[0] == "keys":
                address = int(words[1], 16)
                key, diversifier, vector = (bytes.fromhex(word) for word in words[2:])
                keys[address, diversifier, vector] = key
    return keys


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], "rb") as file:
        octets = file.read()
    magic, _, _, _, _, _, kind = struct.unpack_from("<IHHiIII", octets)
    if magic not in (0xA1B2C3D4, 0xA1B23C4D) or kind != 256:
        print(f"decrypt_air: {sys.argv[1]} is no pcap of link type 256", file=sys.stderr)
        return 2
    decryption = Decryption(read_keys(sys.argv[2]))
    output = bytearray(octets[:24])
    position, number = 24, 0
    while position + 16 <= len(octets):
        seconds, fraction, length, whole = struct.unpack_from("<IIII", octets, position)
        record = octets[position + 16:position + 16 + length]
        position += 16 + length
        number += 1
        flags, = struct.unpack_from("<H", record, 8)
        address, = struct.unpack_from("<I", record, 10)
        # On the Coded PHY a coding indicator comes before the PDU.
        start = 15 if flags >> 14 == 2 else 14
        pdu = record[start:-3]
        changed = None
        if flags & 0x0800:
            if address == ADVERTISING:
                decryption.advertising(pdu)
            elif flags >> 7 & 7 in (2, 3):
                changed = decryption.data(number, address, (flags >> 7 & 7) - 2, pdu)
        if changed:
            plain, initial = changed
            record = record[:start] + plain + crc24(plain, initial)
            length = whole = len(record)
        output += struct.pack("<IIII", seconds, fraction, length, whole) + record
    with open(sys.argv[3], "wb") as file:
        file.write(output)
    for failure in decryption.failures[:20]:
        print(f"decrypt_air: {failure}", file=sys.stderr)
    print(f"decrypt_air: {number} packets, {decryption.sessions} sessions, {decryption.packets} packets decrypted, "
          f"{len(decryption.failures)} failures")
    return 0 if decryption.packets and not decryption.failures else 1


if __name__ == "__main__":
    sys.exit(main())
