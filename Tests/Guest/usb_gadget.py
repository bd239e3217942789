#!/usr/bin/env python3
"""usb_gadget.py HOST:PORT: gives the guest a Bluetooth controller on USB whose inside is at the other end of a TCP
connection that speaks HCI H4. The guest's kernel is both sides of the cable (dummy_hcd); FunctionFS makes the device.

Says `plugged` when it's there. Lines on standard input: `unplug`, `plug`. Ends with its input or with the connection."""
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading

NAME = f"bluetooth-{os.getpid()}"
GADGET = pathlib.Path("/sys/kernel/config/usb_gadget", NAME)
FUNCTION = pathlib.Path("/dev", NAME)
"""One of each run: what an earlier run made stays, out of its socket."""
VENDOR, PRODUCT = 0x1D6B, 0x0B1E
EVENT_SIZE, BULK_SIZE = 16, 64
"""What most controllers of full speed have."""
COMMAND, DATA, EVENT = 1, 2, 4
SETUP = 4
"""The kind of a FunctionFS event that is a request on the control endpoint."""


def descriptors():
    """One interface with the codes for Bluetooth and the three endpoints that HCI needs. [Vol 4, Part B, 2]"""
    def endpoint(address, kind, size, interval):
        return struct.pack("<BBBBHB", 7, 5, address, kind, size, interval)

    def speed(bulk, interval):
        return (struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 3, 0xE0, 1, 1, 0) + endpoint(0x81, 3, EVENT_SIZE, interval)
                + endpoint(0x82, 2, bulk, 0) + endpoint(0x02, 2, bulk, 0))

    all_requests = 64  # those to the device come too, as HCI's commands do
    body = struct.pack("<II", 4, 4) + speed(BULK_SIZE, 1) + speed(512, 1)
    return struct.pack("<III", 3, len(body) + 12, 1 | 2 | all_requests) + body


def write(path, text):
    pathlib.Path(path).write_text(f"{text}\n")


def mount(kind, source, folder):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", kind, source, folder], check=True)


class Gadget:
    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.controller = socket.create_connection((host, int(port)))
        self.controller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = pathlib.Path("/sys/kernel/config")
        if not (config / "usb_gadget").exists():
            mount("configfs", "none", config)
        GADGET.mkdir()
        for name, value in {"idVendor": VENDOR, "idProduct": PRODUCT, "bDeviceClass": 0xE0, "bDeviceSubClass": 1,
                            "bDeviceProtocol": 1, "max_speed": "full-speed"}.items():
            write(GADGET / name, value)
        (GADGET / "configs/c.1").mkdir()
        (GADGET / "functions" / f"ffs.{NAME}").mkdir()
        (GADGET / "configs/c.1/ffs").symlink_to(GADGET / "functions" / f"ffs.{NAME}")
        mount("functionfs", NAME, FUNCTION)
        self.control = os.open(FUNCTION / "ep0", os.O_RDWR)
        os.write(self.control, descriptors())
        os.write(self.control, struct.pack("<IIII", 2, 16, 0, 0))
        self.events, self.data_in, self.data_out = (os.open(FUNCTION / f"ep{n}", os.O_RDWR) for n in (1, 2, 3))

    def plug(self):
        write(GADGET / "UDC", os.listdir("/sys/class/udc")[0])

    def unplug(self):
        write(GADGET / "UDC", "")

    def take_commands(self):
        """Requests of the host on the control endpoint: HCI's commands."""
        while True:
            event = os.read(self.control, 12)
            kind, _, _, _, length = struct.unpack("<BBHHH", event[:8])
            if event[8] != SETUP:
                continue
            if kind == 0x20:
                self.controller.sendall(bytes([COMMAND]) + os.read(self.control, length))
            else:
                self.refuse(kind)

    def refuse(self, kind):
        """The wrong direction is how FunctionFS is told to stall."""
        try:
            os.read(self.control, 0) if kind & 0x80 else os.write(self.control, b"")
        except OSError:
            pass

    def take_data(self):
        """A packet may come in several transfers, each shorter than the buffer."""
        pending = b""
        while True:
            try:
                pending += os.read(self.data_out, 4096)
            except OSError:  # unplugged: waits until it is plugged again
                pending = b""
                continue
            while len(pending) >= 4 and len(pending) >= (end := 4 + int.from_bytes(pending[2:4], "little")):
                self.controller.sendall(bytes([DATA]) + pending[:end])
                pending = pending[end:]

    def give(self):
        """What the controller says, into the endpoint for its kind."""
        stream = self.controller.makefile("rb")
        while kind := stream.read(1):
            header = stream.read(2 if kind[0] == EVENT else 4)
            body = stream.read(header[1] if kind[0] == EVENT else int.from_bytes(header[2:4], "little"))
            try:
                os.write(self.events if kind[0] == EVENT else self.data_in, header + body)
            except OSError:  # unplugged: nobody hears it
                pass
        print("the connection was closed", flush=True)
        os._exit(1)


def main():
    gadget = Gadget(sys.argv[1])
    for work in (gadget.take_commands, gadget.take_data, gadget.give):
        threading.Thread(target=work, daemon=True).start()
    gadget.plug()
    print("plugged", flush=True)
    for line in sys.stdin:
        {"plug": gadget.plug, "unplug": gadget.unplug}[line.strip()]()
        print(line.strip() + "ged", flush=True)
    gadget.unplug()
    os._exit(0)


if __name__ == "__main__":
    main()
