#!/bin/bash
# Everything that continuous integration runs, step by step, with a time for each. Ends at the first step that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# What can't be tested here is said with its reason, kept in this file, and counted at the end. With RAVNING_NO_SKIPS
# set, as in continuous integration, it is a failure.
export RAVNING_SKIPS=$PWD/.build/skips.txt
mkdir -p .build
: >"$RAVNING_SKIPS"

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
        # A test's name may have the word, too.
        grep -E '(Test|Suite) .* skipped(: "|\.$)' "$log" >>"$RAVNING_SKIPS" || true
        grep -E 'Test run with| skipped(: "|\.$)' "$log" || tail -n 3 "$log"
    else
        grep -E "✘|error:|Fatal|recorded an issue|WARNING: ThreadSanitizer" "$log" | head -n 60 || true
        tail -n 30 "$log"
        return 1
    fi
}

sanitized_tests() { # every report counts: the flag chooses a lock that the sanitizer sees (Sources/BLELocking)
    quiet_tests --sanitize=thread -Xswiftc -DRAVNING_THREAD_SANITIZER --scratch-path .build-tsan \
        --filter 'BLERuntimeTests|CoreBluetoothTests'
}

demo_captures() {
    RAVNING_DEMO_CAPTURES=.build/captures Scripts/demo.sh band heart door serial thermostat >.build/demo-output.txt 2>&1 || {
        cat .build/demo-output.txt
        return 1
    }
}

step "lint" Scripts/lint.sh
step "build" swift build --build-tests --quiet
# These wait for answers of a bus, which has time-outs of its own: not beside all the others.
step "tests" quiet_tests --skip-build --skip BlueZDriverTests
step "tests on a message bus" quiet_tests --skip-build --filter BlueZDriverTests
step "demos" demo_captures
step "captures in tshark" Scripts/check-captures.sh .build/captures
step "captures decrypted" Scripts/check-decryption.sh .build/captures
step "conformance driver" Scripts/test-conformance-driver.sh
step "interoperability" Scripts/test-interop.sh
step "thread sanitizer" sanitized_tests
step "fuzzers" Scripts/fuzz.sh "${RAVNING_FUZZ_SECONDS:-30}"
step "documentation" Scripts/docs.sh

echo
printf '%s\n' "${summary[@]}"
skips=$(wc -l <"$RAVNING_SKIPS")
if [ "$skips" -gt 0 ]; then
    sed 's/^/skipped: /' "$RAVNING_SKIPS"
    if [ -n "${RAVNING_NO_SKIPS:-}" ]; then
        echo "=== FAILED: $skips skipped, and none may be (RAVNING_NO_SKIPS)" >&2
        exit 1
    fi
fi
echo "$((SECONDS - started)) s in all: everything passed, $skips skipped"
