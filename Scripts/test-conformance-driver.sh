#!/bin/sh
# Builds the conformance driver and drives it through sessions of both roles, octet by octet.
set -eu
cd "$(dirname "$0")/.."
program=$(Scripts/conformance-driver.sh debug 2>/dev/null | tail -n 1)
python3 Tests/Conformance/test_driver.py "$program"
