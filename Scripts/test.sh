#!/bin/bash
# Everything that continuous integration runs, step by step, with a time for each. Ends at the first step that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

started=$SECONDS
summary=()
step() { # name, command…
    local name=$1 begun=$SECONDS
    shift
    echo "=== $name"
    if ! "$@"; then
        echo "=== FAILED: $name (after $((SECONDS - begun)) s)" >&2
        exit 1
    fi
    summary+=("$(printf '%5d s  %s' $((SECONDS - begun)) "$name")")
}

export RAVNING_TEST_CAPTURES=$PWD/.build/captures
rm -rf "$RAVNING_TEST_CAPTURES"
mkdir -p "$RAVNING_TEST_CAPTURES"

quiet_tests() { # swift test's output: only what failed, and the last lines
    local log=.build/test-output.txt
    if swift test "$@" >"$log" 2>&1; then
        grep -E "^(✔|✘|􁁛|Test run|.*Test run with)|skipped" "$log" | grep -E "Test run|skipped" || tail -n 3 "$log"
    else
        grep -E "✘|error:|Fatal|recorded an issue|WARNING: ThreadSanitizer" "$log" | head -n 60 || true
        tail -n 30 "$log"
        return 1
    fi
}

# Swift's Mutex waits by futex inside the uninstrumented libswiftSynchronization: where two threads contend for one,
# ThreadSanitizer misses the hand-over and reports a "Swift access race" of two accesses that are both under the lock.
# Those reports don't count; every other one does.
sanitized_tests() {
    TSAN_OPTIONS=exitcode=0 quiet_tests --sanitize=thread --scratch-path .build-tsan \
        --filter 'BLERuntimeTests|CoreBluetoothTests' || return 1
    if grep "WARNING: ThreadSanitizer" .build/test-output.txt | grep -v "Swift access race"; then
        grep -A 30 "WARNING: ThreadSanitizer" .build/test-output.txt | head -n 120
        return 1
    fi
}

demo_captures() {
    RAVNING_DEMO_CAPTURES=.build/captures Scripts/demo.sh band heart door serial thermostat >.build/demo-output.txt 2>&1 || {
        cat .build/demo-output.txt
        return 1
    }
}

step "lint" Scripts/lint.sh
step "build" swift build --build-tests --quiet
step "tests" quiet_tests --skip-build
step "demos" demo_captures
step "captures in tshark" Scripts/check-captures.sh .build/captures
step "conformance driver" Scripts/test-conformance-driver.sh
step "thread sanitizer" sanitized_tests
step "fuzzers" Scripts/fuzz.sh "${RAVNING_FUZZ_SECONDS:-30}"
step "documentation" Scripts/docs.sh

echo
printf '%s\n' "${summary[@]}"
echo "$((SECONDS - started)) s in all: everything passed"
