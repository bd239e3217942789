#!/bin/bash
# Our programs against foreign stacks: Core Bluetooth's central and peripheral against Bumble's server and client, over
# our virtual controllers, Bumble's and RootCanal's; the phone of the article "With a dongle and a phone", played by
# Bumble; and Bumble's own tests over our controllers. Every capture of these runs is read by tshark.
# Usage: Scripts/test-interop.sh
# What can't be done here is said in a line "SKIPPED: …". Results, captures and logs are kept in .build/interop; what
# differs there from the table of the documentation (Scripts/interop_table.py) is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${XDG_CACHE_HOME:-$HOME/.cache}/ravning
python=$cache/interop/bin/python
out=$PWD/.build/interop
captures=$out/captures

# The virtual environment is made anew when what it is to hold has changed.
if ! cmp -s Tests/Interop/requirements.txt "$cache/interop/requirements.txt"; then
    echo "test-interop: installing what Tests/Interop/requirements.txt names into $cache/interop" >&2
    rm -rf "$cache/interop"
    mkdir -p "$cache"
    python3 -m venv "$cache/interop"
    "$cache/interop/bin/python" -m pip install --quiet --disable-pip-version-check -r Tests/Interop/requirements.txt
    cp Tests/Interop/requirements.txt "$cache/interop/"
fi

for product in ravning InteropPeer BandPeripheral HeartRatePeripheral DoorLock SerialModule Thermostat; do
    swift build --quiet --product "$product"
done
programs=$(swift build --show-bin-path)
rm -rf "$out"
mkdir -p "$captures"

skipped() { # reason: counted in the summary of Scripts/test.sh
    echo "SKIPPED: $*"
    [ -z "${RAVNING_SKIPS:-}" ] || echo "$*" >>"$RAVNING_SKIPS"
}

cells() { # name of the results, options…
    local name=$1
    shift
    "$python" Tests/Interop/run.py --programs "$programs" --captures "$captures" --results "$out/$name.json" "$@"
}

failed=0
"$python" Tests/Interop/bumble_tests.py --programs "$programs" --results "$out/bumble-tests.json" \
    --cache "$cache/bumble-source" >"$out/bumble-tests.txt" 2>&1 &
tests=$!
"$python" Tests/Interop/phone.py --programs "$programs" --captures "$captures" >"$out/phone.txt" 2>&1 &
phone=$!

# RootCanal listens on every address: it gets a network of its own, with nothing but a loopback.
rootcanal=""
if unshare -rn true 2>"$out/unshare.txt"; then
    export -f cells
    export python programs captures out
    unshare -rn bash -c 'ip link set lo up && cells rootcanal --radio rootcanal' >"$out/rootcanal.txt" 2>&1 &
    rootcanal=$!
else
    skipped "interoperability over RootCanal: no network namespace here: $(head -n 1 "$out/unshare.txt")"
fi
cells local --radio ravning --radio bumble || failed=1
if [ -n "$rootcanal" ]; then
    wait "$rootcanal" || failed=1
    cat "$out/rootcanal.txt"
fi
wait "$phone" || failed=1
cat "$out/phone.txt"
wait "$tests" || failed=1
cat "$out/bumble-tests.txt"

Scripts/check-captures.sh "$captures" || failed=1
Scripts/check-decryption.sh "$captures" || failed=1
python3 Scripts/interop_table.py --collect "$out" || failed=1
exit "$failed"
