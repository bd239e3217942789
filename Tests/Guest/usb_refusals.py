#!/usr/bin/env python3
"""Inside the guest, with bluetoothd: each reason why a controller on USB can't be had, one that is unplugged and plugged in
again, and that the kernel's driver gets it back.

    usb_refusals.py --programs FOLDER --results FILE"""
import contextlib
import pathlib
import sys

import refusals
from refusals import POWERED_ON, RESETTING, UNAUTHORIZED, UNSUPPORTED, OurProgram

from programs import Process  # noqa: E402
from results import same  # noqa: E402

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all")


class OverUSB(OurProgram):
    NAMES = ("no_such_controller", "no_permission", "another_program_has_it", "unplugged", "given_back")
    RADIO = "USB"

    @contextlib.asynccontextmanager
    async def _plugged(self):
        """A controller on USB, with the kernel's driver and bluetoothd on it."""
        radio = await Process.start(
            "ravning radio", self.programs / "ravning", "radio", "--stdin", "--tcp", "0", log=self.folder / "radio.log",
            XDG_RUNTIME_DIR=str(self.folder))
        try:
            line = await radio.next(lambda line: line if line.startswith("tcp ") else None, "its port")
            gadget = await Process.start(
                "the gadget", sys.executable, pathlib.Path(__file__).with_name("usb_gadget.py"), line.split()[1],
                log=self.folder / "gadget.log")
            try:
                await gadget.next(lambda line: line == "plugged" or None, "the gadget")
                await self._kernels()
                yield gadget
            finally:
                await gadget.end()
        finally:
            await radio.end()

    async def _kernels(self):
        """Until bluetoothd has the controller."""
        async def known():
            return next((path for path in await self.bluez.objects() if path.startswith("/org/bluez/hci")), None)
        path = await self.bluez.until("the kernel's adapter on USB", known)
        await self.bluez.power(path.rsplit("/", 1)[1], True)

    async def no_such_controller(self):
        return await self._refused("usb:7", UNSUPPORTED, "usb:7", "no such Bluetooth controller", "plug it in")

    async def no_permission(self):
        async with self._plugged():
            return await self._refused("usb:0", UNAUTHORIZED, "usb:0", "no right", "udev rule", wrapper=NOBODY)

    async def another_program_has_it(self):
        async with self._plugged():
            first, _ = await self._start("usb:0")
            try:
                same(await self._state(first), POWERED_ON, "CBManager.state of the first")
                return await self._refused(
                    "usb:1d6b:0b1e", UNSUPPORTED, "usb:1d6b:0b1e", "another program has the device")
            finally:
                await first.end()

    async def unplugged(self):
        async with self._plugged() as gadget:
            peer, log = await self._start("usb:0")
            try:
                same(await self._state(peer), POWERED_ON, "CBManager.state")
                gadget.process.stdin.write(b"unplug\n")
                await peer.event("state", state=RESETTING)
                gadget.process.stdin.write(b"plug\n")
                await peer.event("state", state=POWERED_ON)
            finally:
                await peer.end()
            return self._line(log, "the controller is lost", "it was unplugged, or is faulty")

    async def given_back(self):
        """When our program has ended, the kernel's driver has the controller again."""
        async with self._plugged():
            peer, _ = await self._start("usb:0")
            same(await self._state(peer), POWERED_ON, "CBManager.state")

            async def gone():
                return not any(path.startswith("/org/bluez/hci") for path in await self.bluez.objects())
            await self.bluez.until("no adapter of the kernel's", gone)
            await peer.end()
            await self._kernels()


if __name__ == "__main__":
    sys.exit(refusals.main(OverUSB))
