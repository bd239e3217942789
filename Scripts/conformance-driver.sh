#!/bin/sh
# Builds the conformance driver and prints the path of the program as its last line.
# It has a build folder of its own, since the manifest with the tools in it is another one.
set -eu
cd "$(dirname "$0")/.."
configuration="${1:-release}"
RAVNING_DEV=tools swift build -c "$configuration" --scratch-path .build-tools --product ConformanceDriver >&2
echo "$(pwd)/$(RAVNING_DEV=tools swift build -c "$configuration" --scratch-path .build-tools --show-bin-path \
    | sed "s|^$(pwd)/||")/ConformanceDriver"
