"""A plug-in of pytest that puts Bumble's own tests on our virtual controllers: where a test makes a `Controller` of
Bumble's, its host gets one of the `ravning radio` at the unix socket RAVNING_TEST_RADIO instead, over H4.

What became of each test is written to the file RAVNING_TEST_RESULTS."""
import asyncio
import dataclasses
import json
import os
import pathlib
import socket
import tomllib

import bumble.controller
import bumble.device
import bumble.testing.test_utils
import pytest
from bumble import hci
from bumble.transport.common import PacketParser

RADIO = os.environ["RAVNING_TEST_RADIO"]
NOT_RUN = {name: group["reason"] for group in tomllib.loads(
    (pathlib.Path(__file__).parent / "bumble_tests_not_run.toml").read_text())["not_run"] for name in group["tests"]}
QUIET = 0.1
"""Seconds without a packet after which nothing more is to come; much more of the radio's time, which runs faster."""

controllers = []
results = {}


class Controller:
    """Stands where Bumble's controller would: source and sink of a host's HCI."""

    def __init__(self, name, host_source=None, host_sink=None, link=None, public_address=None):
        # The devices that a test had before have the same addresses, and are done with.
        for old in [each for each in controllers if each.link is not link]:
            old.close()
        self.name, self.link, self.host = name, link, None
        self.le_features = hci.LeFeatureMask(0)
        self.loop = asyncio.get_event_loop()
        self.last_packet = self.loop.time()
        self.outbox, self.packets = bytearray(), 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(RADIO)
        self.socket.setblocking(False)
        self.loop.add_reader(self.socket, self._read)
        controllers.append(self)

    def set_packet_sink(self, sink):
        self.host = sink
        self.parser = PacketParser(_ToHost(self))

    def on_packet(self, packet):
        """From the host."""
        self.last_packet = self.loop.time()
        self.outbox += packet
        self._write()

    def _write(self):
        if not self.socket:
            return
        try:
            del self.outbox[:self.socket.send(self.outbox)]
        except BlockingIOError:
            pass
        if self.outbox:
            self.loop.add_writer(self.socket, self._write)
        else:
            self.loop.remove_writer(self.socket)

    def _read(self):
        data = self.socket.recv(65536)
        if not data:
            self.close()
            raise ConnectionError("ravning radio has ended")
        self.last_packet = self.loop.time()
        self.parser.feed_data(data)

    def close(self):
        controllers.remove(self)
        self.loop.remove_reader(self.socket)
        self.loop.remove_writer(self.socket)
        self.socket.close()
        self.socket = None


class _ToHost:
    """Packets of the controller, on their way to the host."""

    def __init__(self, controller):
        self.controller = controller

    def on_packet(self, packet):
        self.controller.packets += 1
        # HCI_Command_Complete of HCI_LE_Read_Local_Supported_Features. [Vol 4, Part E, 7.8.3]
        if packet[:2] == b"\x04\x0e" and packet[4:7] == b"\x03\x20\x00":
            self.controller.le_features = hci.LeFeatureMask(int.from_bytes(packet[7:15], "little"))
        self.controller.host.on_packet(packet)


async def async_barrier():
    """Bumble's waits for three turns of the loop; here packets come through sockets, in the radio's time."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(QUIET / 3)
        if all(loop.time() - each.last_packet > QUIET for each in controllers):
            return


start_advertising = bumble.device.Device.start_advertising
set_parameters = bumble.device.AdvertisingSet.set_advertising_parameters
lookup_connection = bumble.device.Device.lookup_connection
create_sync = bumble.device.Device.create_periodic_advertising_sync


async def start_advertising_within_limits(self, *arguments, **keywords):
    """Bumble's tests ask for intervals of 1 ms, which no controller takes but Bumble's. [Vol 4, Part E, 7.8.5]"""
    for name in ("advertising_interval_min", "advertising_interval_max"):
        if keywords.get(name) is not None:
            keywords[name] = max(keywords[name], 20)
    if keywords.get("advertising_interval_min") is not None:
        keywords.setdefault("advertising_interval_max", keywords["advertising_interval_min"])
    await start_advertising(self, *arguments, **keywords)


async def set_parameters_within_limits(self, parameters):
    """The same for advertising sets. [Vol 4, Part E, 7.8.53]"""
    await set_parameters(self, dataclasses.replace(
        parameters, primary_advertising_interval_min=max(parameters.primary_advertising_interval_min, 20),
        primary_advertising_interval_max=max(parameters.primary_advertising_interval_max, 20)))


def lookup_connection_by_its_place(self, handle):
    """A test asks for its only connection by the first handle of Bumble's controllers; ours count from another."""
    only = list(self.connections.values()) if handle == 0x0001 and len(self.connections) == 1 else [None]
    return lookup_connection(self, handle) or only[0]


async def create_sync_while_scanning(self, *arguments, **keywords):
    """A train of periodic advertising is found while scanning only, which the tests leave out.
    [Vol 4, Part E, 7.8.67]"""
    if not self.scanning:
        await self.start_scanning()
    return await create_sync(self, *arguments, **keywords)

bumble.device.Device.create_periodic_advertising_sync = create_sync_while_scanning
bumble.device.Device.lookup_connection = lookup_connection_by_its_place
bumble.device.Device.start_advertising = start_advertising_within_limits
bumble.device.AdvertisingSet.set_advertising_parameters = set_parameters_within_limits
bumble.controller.Controller = Controller
bumble.testing.test_utils.Controller = Controller
bumble.testing.test_utils.async_barrier = async_barrier


def pytest_collection_modifyitems(items):
    known = set()
    for item in items:
        # Generous, because the machine may be busy: Bumble's is 0.1 s, and its packets never leave the process.
        if hasattr(item.module, "_TIMEOUT"):
            item.module._TIMEOUT = 20
        names = {f"{item.path.stem}::{name}" for name in (item.originalname, item.name)}
        known |= names
        for name in names & NOT_RUN.keys():
            item.add_marker(pytest.mark.skip(reason=NOT_RUN[name]))
    if unknown := NOT_RUN.keys() - known:
        raise pytest.UsageError(f"bumble_tests_not_run.toml names what is no test: {', '.join(sorted(unknown))}")


@pytest.fixture(autouse=True)
def our_controllers(request):
    """The test's controllers leave the air with it."""
    used = []
    original = Controller.__init__

    def made(self, *arguments, **keywords):
        original(self, *arguments, **keywords)
        used.append(self)
    Controller.__init__ = made
    yield
    Controller.__init__ = original
    for controller in list(controllers):
        controller.close()
    request.node.packets = sum(controller.packets for controller in used)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    row = results.setdefault(item.nodeid, {"test": item.nodeid, "result": "passed", "detail": "", "packets": 0})
    if report.failed:
        row.update(result="failed", detail=str(call.excinfo.value)[:500])
    elif report.skipped:
        row.update(result="not run", detail=str(report.longrepr[2]).removeprefix("Skipped: "))
    if report.when == "teardown":
        row["packets"] = getattr(item, "packets", 0)


def pytest_sessionfinish():
    pathlib.Path(os.environ["RAVNING_TEST_RESULTS"]).write_text(json.dumps(list(results.values()), indent=1) + "\n")
