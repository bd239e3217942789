#!/bin/sh
# Runs the demos: for each tutorial its two programs as two processes on a virtual radio of their own, both in view,
# with captures of the HCI of both sides and of the air. Usage: Scripts/demo.sh NAME…
set -eu
cd "$(dirname "$0")/.."

echo "building (the first time takes a few minutes)"
swift build --quiet --product ravning
bin=$(swift build --show-bin-path)
captures=${RAVNING_DEMO_CAPTURES:-captures}
mkdir -p "$captures"

work=$(mktemp -d)
chmod 700 "$work"
running=""
stop() {
    # shellcheck disable=SC2086
    [ -z "$running" ] || kill $running 2>/dev/null || true
    wait 2>/dev/null || true
    running=""
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Every line of a program says whose it is.
in_view() { # label, command…
    label=$1
    shift
    "$@" 2>&1 | sed -u "s/^/$label | /"
}

wait_for() { # file, text: until a program has said so
    tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || {
            echo "demo: '$2' did not come" >&2
            cat "$1" >&2
            exit 1
        }
        sleep 0.1
    done
}

# demo NAME HEADING PERIPHERAL READY "ITS OPTIONS" CENTRAL "ITS OPTIONS"
demo() {
    name=$1 heading=$2 peripheral=$3 ready=$4 peripheral_options=$5 central=$6 central_options=$7
    echo
    echo "=== $heading"
    swift build --quiet --product "$peripheral"
    swift build --quiet --product "$central"
    export XDG_RUNTIME_DIR="$work/$name-run" RAVNING_STATE_DIR="$work/$name-state" RAVNING_ADAPTER="virtual:$name"
    mkdir -p -m 700 "$XDG_RUNTIME_DIR" "$RAVNING_STATE_DIR"
    rm -f "$captures/$name"-*.btsnoop "$captures/$name"-*.pcap

    "$bin/ravning" radio --name "$name" --capture "$captures/$name-air.pcap" >"$work/radio.log" 2>&1 &
    running=$!
    wait_for "$work/radio.log" "^radio"
    sed 's/^/radio      | /' "$work/radio.log"

    mkfifo "$work/$name.fifo"
    tee "$work/$name.log" <"$work/$name.fifo" | sed -u 's/^/peripheral | /' &
    # shellcheck disable=SC2086
    RAVNING_CAPTURE="$captures/$name-peripheral.btsnoop" "$bin/$peripheral" $peripheral_options \
        >"$work/$name.fifo" 2>&1 &
    running="$running $!"
    wait_for "$work/$name.log" "$ready"

    status=0
    # shellcheck disable=SC2086
    { RAVNING_CAPTURE="$captures/$name-central.btsnoop" "$bin/$central" $central_options 2>&1 ||
        echo "$?" >"$work/$name.status"; } </dev/null | sed -u 's/^/central    | /'
    [ -s "$work/$name.status" ] && status=$(cat "$work/$name.status")
    stop
    if [ "$status" -ne 0 ]; then
        echo "demo: $central ended with exit code $status" >&2
        exit 1
    fi
    echo "--- captures for Wireshark: $captures/$name-central.btsnoop, $captures/$name-peripheral.btsnoop (HCI)," \
        "$captures/$name-air.pcap (the air)"
}

for which in "$@"; do
    case "$which" in
    band) demo band "Tutorial 1: a central finds, explores, follows and leaves a wrist band" \
        BandPeripheral "advertising as" "" BandCentral "--read-all" ;;
    heart) demo heart "Tutorial 2: a heart rate sensor with a sensitive characteristic" \
        HeartRatePeripheral "^advertising" "" HeartRateCentral "" ;;
    door) demo door "Tutorial 3: a door opener and its lock" \
        DoorLock "the lock waits" "" DoorOpener "--open" ;;
    serial) demo serial "Tutorial 4: a serial module that refuses writes with response" \
        SerialModule "the module waits" "" SerialTerminal "--with-response --line hello" ;;
    thermostat) demo thermostat "Tutorial 4: a thermostat to follow and to set" \
        Thermostat "the thermostat waits" "" ThermostatClient "" ;;
    *)
        echo "demo: no demo '$which': band, heart, door, serial, thermostat" >&2
        exit 64
        ;;
    esac
done
