"""The three radios that both ends are on. Each gives HCI transports: one that our program opens by its adapter's name,
and one for the peer, by Bumble's name of a transport."""
import asyncio
import contextlib
import importlib.metadata
import itertools
import os
import socket
import tempfile

from bumble import hci
from bumble.controller import Controller
from bumble.hci import LeFeatureMask
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket
from rootcanal.binaries import get_package_binary_resource_path

from programs import Process


@contextlib.asynccontextmanager
async def ravning(folders):
    """`ravning radio`: controllers of ours for both, ours over TCP and the peer's over a unix socket."""
    with tempfile.TemporaryDirectory() as runtime:
        air = folders.captures / f"{folders.name}-encrypted.pcap"
        path = f"{runtime}/hci"
        radio = await Process.start(
            "ravning radio", folders.programs / "ravning", "radio", "--stdin", "--tcp", "0", "--unix", path,
            "--capture", air, "--keys", air.with_suffix(".keys"), "--seed", "1",
            log=folders.work / "radio.log", XDG_RUNTIME_DIR=runtime)
        try:
            line = await radio.next(lambda line: line if line.startswith("tcp ") else None, "its port")
            await radio.next(lambda line: line if line.startswith("radio ") else None, "'radio'")
            yield "tcp:" + line.split()[1], f"unix:{path}"
        finally:
            await radio.end()


@contextlib.asynccontextmanager
async def bumble_controllers(folders):
    """Bumble's own controllers on its local link, in this process; both are used over TCP.

    Its link delivers data by random addresses, so the controllers have no public ones, like many chips. What they claim
    and don't keep is taken out: they report extended advertising to who hasn't asked for it, never answer
    HCI_LE_Set_PHY, and answer HCI_Read_RSSI with half an event."""
    link, transports, controllers, ports = LocalLink(), [], [], []
    for index in range(2):
        listening = socket.create_server(("127.0.0.1", 0))
        ports.append(listening.getsockname()[1])
        transports.append(await open_tcp_server_transport_with_socket(listening))
        controllers.append(Controller(
            f"C{index}", host_source=transports[-1].source, host_sink=transports[-1].sink, link=link,
            public_address="00:00:00:00:00:00"))
        controllers[-1].le_features &= ~(
            LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_2M_PHY | LeFeatureMask.LE_CODED_PHY)
        controllers[-1].supported_commands = controllers[-1].supported_commands - {
            hci.HCI_LE_SET_PHY_COMMAND, hci.HCI_READ_RSSI_COMMAND}
    try:
        yield f"tcp:127.0.0.1:{ports[0]}", f"tcp-client:127.0.0.1:{ports[1]}"
    finally:
        for transport in transports:
            transport.server.close()
            await transport.close()


PORTS = itertools.count(6401, 10)
"""Any will do: nobody else is in the namespace."""


@contextlib.asynccontextmanager
async def rootcanal(folders):
    """RootCanal as the controllers of both. It listens on every address, so it wants a network namespace of its own
    (Scripts/test-interop.sh makes it)."""
    port = next(PORTS)
    # Not strict: else it ends itself on a command that it lists as supported and lacks.
    configuration = f"tcp_server {{ tcp_port: {port} configuration {{ strict: false }} }}"
    binary = get_package_binary_resource_path("rootcanal")
    os.chmod(binary, 0o755)
    radio = await Process.start(
        "RootCanal", binary, f"-configuration={configuration}", f"-test_port={port + 1}", f"-link_port={port + 2}",
        f"-link_ble_port={port + 3}", log=folders.work / "rootcanal.log")
    try:
        for _ in range(200):
            with contextlib.suppress(OSError):
                # A connection is a controller, which leaves with it.
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError(f"RootCanal doesn't listen on port {port} after 10 s")
        yield f"tcp:127.0.0.1:{port}", f"tcp-client:127.0.0.1:{port}"
    finally:
        radio.process.terminate()
        await radio.end()


RADIOS = {
    "ravning": (ravning, "`ravning radio`", {}),
    "bumble": (bumble_controllers, f"Bumble {importlib.metadata.version('bumble')}", {
        "RSSI": "its controllers list HCI_Read_RSSI and lack it",
        "private addresses": "its link loses a peripheral that changes its random address while it is connected"}),
    "rootcanal": (rootcanal, f"RootCanal {importlib.metadata.version('rootcanal')}", {}),
}
"""For each radio how it is opened, its name, and which steps fail there because of it."""
