#!/usr/bin/env python3
"""Runs Bumble's own tests over our virtual controllers: two of its hosts meet on a `ravning radio`.

    bumble_tests.py --programs .build/debug --cache FOLDER --results FILE

The tests come from the source distribution of the installed version, which is kept in the cache."""
import argparse
import asyncio
import collections
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from programs import Process

VERSION = importlib.metadata.version("bumble")
FILES = ["device_test.py", "gatt_test.py", "smp_test.py", "self_test.py", "l2cap_test.py", "profiles"]
SPEED = "100"
"""Radio seconds a second: the tests mostly wait for their links."""


def source(cache):
    """The folder of the tests."""
    folder = cache / f"bumble-{VERSION}" / "tests"
    if not folder.exists():
        print(f"test-interop: downloading the source of Bumble {VERSION} into {cache}", file=sys.stderr)
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--no-binary", ":all:", "--dest", cache, f"bumble=={VERSION}"], check=True)
        subprocess.run(["tar", "-xf", cache / f"bumble-{VERSION}.tar.gz", "-C", cache], check=True)
    return folder


async def run(options):
    """pytest's exit code and output."""
    tests = source(options.cache)
    with tempfile.TemporaryDirectory() as runtime:
        path = f"{runtime}/hci"
        radio = await Process.start(
            "ravning radio", options.programs / "ravning", "radio", "--stdin", "--unix", path, "--speed", SPEED,
            "--seed", "1", log=f"{runtime}/radio.log", XDG_RUNTIME_DIR=runtime)
        try:
            await radio.next(lambda line: line if line.startswith("radio ") else None, "'radio'")
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "pytest", "-p", "ravning_controllers", "-p", "no:cacheprovider", "-q",
                "--import-mode=importlib", "--tb=short", "-W", "ignore", *FILES, cwd=tests,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={
                    **os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent), "PYTHONDONTWRITEBYTECODE": "1",
                    "RAVNING_TEST_RADIO": path, "RAVNING_TEST_RESULTS": str(options.results)})
            output, _ = await process.communicate()
            return process.returncode, output.decode()
        finally:
            await radio.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=lambda text: pathlib.Path(text).absolute(), required=True)
    options = parser.parse_args()
    options.programs = options.programs.absolute()
    code, output = asyncio.run(run(options))
    rows = json.loads(options.results.read_text()) if options.results.exists() else []
    over = [row for row in rows if row["result"] == "passed" and row["packets"]]
    alone = [row for row in rows if row["result"] == "passed" and not row["packets"]]
    not_run = collections.Counter(row["detail"] for row in rows if row["result"] == "not run")
    print(f"interop: Bumble {VERSION}'s own tests: {len(over)} passed over our controllers "
          f"({sum(row['packets'] for row in over)} packets of HCI to its hosts), {len(alone)} passed that use none, "
          f"{sum(row['result'] == 'failed' for row in rows)} failed, {not_run.total()} not run:")
    for reason, count in not_run.most_common():
        print(f"  {count} not run: {reason}")
    if code or not over:
        print(output)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
