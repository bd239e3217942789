"""Programs of ours as processes: InteropPeer, which is driven by lines of JSON, and `ravning radio`."""
import asyncio
import json
import os
import pathlib
import urllib.parse

DEADLINE = 20
"""Seconds that an event may take: generous, because the machine may be busy."""


class Process:
    """A program whose lines are read as they come, and that is ended with the test."""

    def __init__(self, name, process, log):
        self.name, self.process, self.log = name, process, log
        self.lines, self.changed = [], asyncio.Event()
        self.reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, name, *command, log, **environment):
        log = open(log, "ab")
        process = await asyncio.create_subprocess_exec(
            *map(str, command), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
            env={**os.environ, **environment})
        return cls(name, process, log)

    async def _read(self):
        while line := await self.process.stdout.readline():
            self.log.write(line)
            self.log.flush()
            self.lines.append(line.decode().rstrip("\n"))
            self.changed.set()
        self.lines.append(None)
        self.changed.set()

    async def next(self, matches, what, deadline=DEADLINE):
        """The first line that matches, taken out; the ones before it stay."""
        try:
            async with asyncio.timeout(deadline):
                while True:
                    for index, line in enumerate(self.lines):
                        if line is None:
                            raise AssertionError(f"{self.name} ended before {what} (see {self.log.name})")
                        if (found := matches(line)) is not None:
                            del self.lines[index]
                            return found
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(
                f"{self.name}: {what} did not come within {deadline} s; what came: {self.lines[-8:]}") from None

    async def end(self):
        """Closes the program's input, at whose end it ends."""
        self.process.stdin.close()
        try:
            async with asyncio.timeout(DEADLINE):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        await self.reader
        self.log.close()


class Peer(Process):
    """InteropPeer in one of the roles."""

    def order(self, verb, **fields):
        self.process.stdin.write(json.dumps({"do": verb, **fields}).encode() + b"\n")

    async def event(self, *names, deadline=DEADLINE, **wanted):
        """The next event with one of these names and with these fields."""
        def matches(line):
            event = json.loads(line)
            if event["event"] == "refused":
                raise AssertionError(f"{self.name} refused an order: {event['cause']}")
            is_it = event["event"] in names and all(event.get(key) == value for key, value in wanted.items())
            return event if is_it else None
        return await self.next(matches, f"'{' or '.join(names)}' {wanted or ''}", deadline)

    async def ask(self, verb, event, **fields):
        """Gives an order whose answer is an event without an error."""
        self.order(verb, **fields)
        answer = await self.event(event)
        if "error" in answer:
            raise AssertionError(f"{self.name}: {verb} {fields} gave the error {answer['error']}")
        return answer

    def has(self, name):
        return any(line is not None and json.loads(line)["event"] == name for line in self.lines)


async def start_peer(role, adapter, folders, name="", profile=""):
    """Starts InteropPeer on a controller, with a capture, and waits until Bluetooth is on.

    The profile is the file of what nothing in Core Bluetooth can set."""
    capture = folders.captures / f"{folders.name}-{role}{name}.btsnoop"
    state = folders.work / f"{role}{name}-state"
    device = state / "adapters" / urllib.parse.quote(adapter, safe="") / "InteropPeer"
    device.mkdir(mode=0o700, parents=True)
    (device / "profile").write_text(profile)
    peer = await Peer.start(
        f"our {role}", folders.programs / "InteropPeer", role, log=folders.work / f"{role}{name}.log",
        RAVNING_ADAPTER=adapter, RAVNING_CAPTURE=str(capture), RAVNING_STATE_DIR=str(state), RAVNING_LOG="debug")
    while (await peer.event("state"))["state"] != 5:
        pass
    return peer


class Folders:
    """Where a run's programs are, and where its captures and logs go."""

    def __init__(self, name, programs, captures, work):
        self.name, self.programs, self.captures = name, pathlib.Path(programs), pathlib.Path(captures)
        self.work = pathlib.Path(work)
