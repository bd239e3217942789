#!/bin/bash
# Our host against Linux' Bluetooth and BlueZ, in throw-away guests (Tests/Guest): on a user channel of the kernel, on a
# controller on USB, and BlueZ's host on a virtual controller of ours; bleak, bless and bluetoothctl; and each way in which an adapter can be
# refused. Needs root, for the guest's kernel mounts the host's files. Usage: Scripts/test-guest.sh
# What can't be done here is said in a line "SKIPPED: …". Results: .build/guest/results, logs and captures beside them.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$PWD/.build/guest
guest=$PWD/Tests/Guest/guest

skip() { # reason: counted in the summary of .ci/run
    echo "SKIPPED: the tests in the guest: $*"
    [ -z "${RAVNING_SKIPS:-}" ] || echo "the tests in the guest: $*" >>"$RAVNING_SKIPS"
    [ -z "${RAVNING_NO_SKIPS:-}" ] || exit 1
    exit 0
}
[ "$(id -u)" -eq 0 ] || skip "they need root"
[ "$(uname -m)" = x86_64 ] || skip "User-mode Linux is for x86-64, this is $(uname -m)"
command -v apt-get >/dev/null || skip "the guest's programs come from Debian's packages, and there is no apt-get"

"$guest" setup
build() { # options of the build
    swift build --quiet "$@" --product ravning
    swift build --quiet "$@" --product InteropPeer
}
build
for product in BandCentral BandPeripheral HeartRateCentral HeartRatePeripheral Thermostat ThermostatClient; do
    swift build --quiet --product "$product"
done
programs=$(swift build --show-bin-path)
# What is behind a trait, beside the build that has it not.
with_usb=(--traits default,USB --scratch-path .build/usb)
build "${with_usb[@]}"
usb_programs=$(swift build "${with_usb[@]}" --show-bin-path)
rm -rf "$out"
mkdir -p "$out/captures" "$out/results" "$out/logs"

in_guest() { # name, options of the guest, --, script and its options
    local name=$1 options=() log="$out/logs/$1" status try
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    for try in 1 2 3; do
        status=0
        "$guest" run --daemon --mtu 185 --share "$out" --logs "$log" "${options[@]}" -- \
            "$guest" python "$PWD/Tests/Guest/$1" --programs "$programs" "${@:2}" >"$log.txt" 2>&1 || status=$?
        # The guest's kernel now and then panics in its Bluetooth (6.1: l2cap_conn_free), or stands still; that says
        # nothing about ours.
        [ "$status" -eq 125 ] && grep -qs "Kernel panic\|kernel hung" "$log/console.log" "$log.txt" && [ "$try" -lt 3 ] ||
            break
        echo "guest: $name: the guest's kernel has failed; once more"
    done
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log.txt"
        echo "guest: $name FAILED with status $status; logs: $log"
        return 1
    fi
    grep "^guest: our\|^guest: refusals\|^guest: [a-z]* [0-9]" "$log.txt" || true
}

cells() { # radio, adapters
    local role kind failed=0 programs=$programs
    [ "$1" != usb ] || programs=$usb_programs
    for role in peripheral central; do
        for kind in secure legacy; do
            in_guest "$1-$role-$kind" --adapters "$2" -- run.py --captures "$out/captures" \
                --results "$out/results/$1-$role-$kind.json" --radio "$1" --role "$role" --kind "$kind" || failed=1
        done
    done
    return "$failed"
}

usb() {
    local failed=0
    cells usb 0 || failed=1
    programs=$usb_programs in_guest usb-refusals --adapters 0 -- usb_refusals.py --results "$out/usb-refusals.json" || failed=1
    return "$failed"
}

user_channel() {
    local failed=0
    cells user-channel 2 || failed=1
    in_guest refusals --adapters 2 -- refusals.py --results "$out/refusals.json" || failed=1
    return "$failed"
}

virtual() {
    local failed=0
    cells virtual 0 || failed=1
    usb || failed=1
    in_guest tools --adapters 0 -- tools.py --captures "$out/captures" --results "$out/results/tools.json" || failed=1
    return "$failed"
}

over_bluez() {
    local role failed=0
    for role in central peripheral; do
        in_guest "over-bluez-$role" --adapters 0 -- over_bluez.py --captures "$out/captures" \
            --results "$out/results/over-bluez-$role.json" --role "$role" || failed=1
    done
    in_guest bluez-flows --adapters 0 -- bluez_flows.py --captures "$out/captures" \
        --results "$out/bluez-flows.json" || failed=1
    return "$failed"
}

failed=0
user_channel >"$out/user-channel.txt" 2>&1 &
lane=$!
virtual || failed=1
over_bluez || failed=1
wait "$lane" || failed=1
cat "$out/user-channel.txt"

Scripts/check-captures.sh "$out/captures" || failed=1
Scripts/check-decryption.sh "$out/captures" || failed=1
python3 Scripts/interop_table.py --collect "$out/results" || failed=1
exit "$failed"
