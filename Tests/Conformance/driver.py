"""Speaks the driver protocol with a program: frames of a kind, a length and a body, both ways."""

import json
import struct
import subprocess


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write(self, kind, body):
        self.process.stdin.write(kind + struct.pack('<I', len(body)) + body)
        self.process.stdin.flush()

    def read(self):
        """The next frame: octets of a PDU, or a dictionary; None at the end."""
        head = self.process.stdout.read(5)
        if len(head) < 5:
            return None
        body = self.process.stdout.read(struct.unpack('<I', head[1:])[0])
        return body if head[:1] == b'P' else json.loads(body)

    def pdu(self, text):
        self.write(b'P', bytes.fromhex(text))

    def message(self, **members):
        self.write(b'J', json.dumps(members).encode())

    def ask(self, **members):
        """A message whose one answer is the next frame."""
        self.message(**members)
        return self.read()

    def settled(self):
        """All frames up to the answer to a sync, PDUs as hexadecimal text."""
        self.message(op='sync')
        frames = []
        while (frame := self.read()) != {'event': 'synced'}:
            if frame is None:
                raise EOFError('the driver ended')
            frames.append(frame.hex(' ') if isinstance(frame, bytes) else frame)
        return frames

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=10)
