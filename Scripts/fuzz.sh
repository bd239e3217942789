#!/bin/sh
# Runs every fuzzer for a time on its corpus: Scripts/fuzz.sh [SECONDS [FUZZER...]]
#
# One build for all. Inputs that find something new stay in .build-fuzz/corpus; an input that breaks a rule is kept in
# .build-fuzz/findings and named, and belongs into Tests/Corpus/<fuzzer> once the fault is mended.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-30}
[ $# -gt 0 ] && shift
fuzzers=${*:-"HCIEvents HCICommands AdvertisingData WireDecoders Captures ATTServer ATTClient L2CAP Pairing Radio"}
build=.build-fuzz

RAVNING_DEV=fuzz swift build -c release --sanitize=fuzzer --product Fuzz --scratch-path "$build"
program=$(RAVNING_DEV=fuzz swift build -c release --sanitize=fuzzer --scratch-path "$build" --show-bin-path)/Fuzz

failed=0
for fuzzer in $fuzzers; do
    new="$build/corpus/$fuzzer"
    findings="$build/findings/$fuzzer"
    mkdir -p "$new" "$findings" "Tests/Corpus/$fuzzer"
    log="$findings/log.txt"
    # A trap is to end the process at once, without a picture of the stack for each.
    if RAVNING_FUZZ=$fuzzer SWIFT_BACKTRACE=enable=no "$program" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="$findings/" -print_final_stats=1 "$new" "Tests/Corpus/$fuzzer" \
        > "$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "$fuzzer: $runs inputs, nothing found"
    else
        failed=1
        echo "$fuzzer: a finding, see $log" >&2
        grep -E 'Fatal error|ERROR|Test unit written' "$log" >&2 || tail -n 20 "$log" >&2
    fi
done
exit $failed
