#!/bin/sh
# Installs the Debian packages that the named purposes need, where they are missing.
# Usage: Scripts/packages.sh [build] [lint] [test] [bench] [fuzz] [usb]
# Looks first; calls apt only for what is missing, and says so.
set -eu

fail() {
    echo "packages: $*" >&2
    exit 1
}

command -v swift >/dev/null 2>&1 ||
    fail "no Swift toolchain: 'swift' is not in PATH. Install Swift 6.2 or later from https://www.swift.org/install/linux/"

# A package and a sign that it is there: a command, or a header (then a compiler finds it).
missing=""
need() { # package, command or /path
    case "$2" in
    /*)
        for sign in $2; do [ -e "$sign" ] && return 0; done
        ;;
    *) command -v "$2" >/dev/null 2>&1 && return 0 ;;
    esac
    missing="$missing $1"
}

need libssl-dev /usr/include/openssl/evp.h
need libyaml-dev /usr/include/yaml.h
need libsystemd-dev /usr/include/systemd/sd-bus.h
for purpose in "$@"; do
    case "$purpose" in
    build) ;;
    lint) need python3 python3 ;;
    test)
        need python3 python3
        need tshark tshark
        need dbus-daemon dbus-daemon
        need iproute2 ip
        need util-linux unshare
        # Debian keeps what a virtual environment begins with in a package of its own.
        python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
        ;;
    bench)
        need python3 python3
        need gcc cc
        need util-linux taskset
        ;;
    fuzz) ;;
    usb) need libusb-1.0-0-dev /usr/include/libusb-1.0/libusb.h ;;
    *) fail "unknown purpose '$purpose'" ;;
    esac
done
[ -n "$missing" ] || exit 0

echo "packages: missing:$missing; installing with apt-get" >&2
command -v apt-get >/dev/null 2>&1 ||
    fail "apt-get is not here: install the equivalents of$missing with this system's package manager"
if [ "$(id -u)" -eq 0 ]; then
    root=""
elif command -v sudo >/dev/null 2>&1; then
    root="sudo"
else
    fail "root is needed to install: run 'apt-get install$missing' as root, then try again"
fi
log=$(mktemp)
# The package lists of a fresh machine are empty or old: fetch them when the first try fails.
install() {
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1
}
if ! install; then
    $root apt-get update >>"$log" 2>&1 || true
    if ! install; then
        cat "$log" >&2
        rm -f "$log"
        fail "apt-get could not install$missing (its output is above)"
    fi
fi
rm -f "$log"
echo "packages: installed$missing" >&2
