"""The ways in which our program and BlueZ meet in the guest. Each gives the adapter that BlueZ has, and what
RAVNING_ADAPTER is for our program. `encrypted` tells whether links will be, so that the air's keys are wanted."""
import contextlib
import os
import pathlib
import subprocess
import sys

from programs import Process


@contextlib.asynccontextmanager
async def user_channel(bluez, folders, encrypted):
    """btvirt's two controllers: hci0 is BlueZ's, hci1 is taken down for our user channel."""
    await bluez.power("hci0", True)
    await bluez.power("hci1", False)
    yield "hci0", "hci:1"


@contextlib.asynccontextmanager
async def hosted(bluez, folders, encrypted):
    """`ravning radio` with one of its controllers as the kernel's, through /dev/vhci: its address, and BlueZ's adapter."""
    air = folders.captures / f"{folders.name}-{'encrypted' if encrypted else 'air'}.pcap"
    keys = ["--keys", air.with_suffix(".keys")] if encrypted else []
    runtime = folders.work / "runtime"
    runtime.mkdir(mode=0o700)
    radio = await Process.start(
        "ravning radio", folders.programs / "ravning", "radio", "--stdin", "--tcp", "0", "--capture", air,
        *keys, "--seed", "1", log=folders.work / "radio.log", XDG_RUNTIME_DIR=str(runtime))
    try:
        line = await radio.next(lambda line: line if line.startswith("tcp ") else None, "its port")
        address = line.split()[1]
        bridge = await Process.start(
            "the bridge", sys.executable, os.environ["RAVNING_GUEST"] + "/vhci_bridge.py", address,
            log=folders.work / "bridge.log")
        adapter = await bridge.next(lambda line: line if line.startswith("hci") else None, "its adapter")
        await bluez.power(adapter, True)
        yield address, adapter
    finally:
        await radio.end()


@contextlib.asynccontextmanager
async def virtual_controller(bluez, folders, encrypted):
    """Our program has a controller of `ravning radio` over TCP."""
    async with hosted(bluez, folders, encrypted) as (address, adapter):
        yield adapter, f"tcp:{address}"


@contextlib.asynccontextmanager
async def usb(bluez, folders, encrypted):
    """Our program has a controller of `ravning radio` on USB, and takes it from the kernel's driver."""
    async with hosted(bluez, folders, encrypted) as (address, adapter):
        gadget = await Process.start(
            "the gadget", sys.executable, pathlib.Path(__file__).with_name("usb_gadget.py"), address,
            log=folders.work / "gadget.log")
        try:
            await gadget.next(lambda line: line == "plugged" or None, "the gadget")

            async def other():
                names = os.listdir("/sys/class/bluetooth")
                return next((name for name in names if name != adapter and ":" not in name), None)
            # Its daemon has it first, as on a desktop: it hangs where an adapter goes while it is being set up.
            await bluez.power(await bluez.until("the kernel's adapter on USB", other), True)
            yield adapter, "usb:0"
        finally:
            await gadget.end()


def bluez_version():
    return subprocess.run(["bluetoothctl", "--version"], capture_output=True, text=True).stdout.split()[-1]


RADIOS = {
    "user-channel": (user_channel, "our host on a user channel of Linux (btvirt)", 2),
    "virtual": (virtual_controller, "`ravning radio`, as Linux' controller through /dev/vhci", 0),
    "usb": (usb, "USB: a controller that the guest's kernel plays, with `ravning radio` behind it", 0),
}
"""How each is opened, its name, and how many adapters the guest is to have for it."""
