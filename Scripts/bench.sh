#!/bin/sh
# The benchmarks. With --compare: against the run before.
set -eu
cd "$(dirname "$0")/.."
exec python3 Benchmarks/run.py "$@"
