#!/bin/sh
# Reads every capture in a folder with tshark: no malformed packet, no expert message of severity error, and the
# packets that a capture's name promises. Usage: Scripts/check-captures.sh FOLDER
# Captures of hostile input have "hostile" in their names and are exempt, and so are encrypted ones, named
# NAME-encrypted.pcap: Scripts/check-decryption.sh looks at those.
set -eu
folder=${1:?a folder with captures}
checked=0
exempt=0
bad=0
for file in "$folder"/*.btsnoop "$folder"/*.pcap; do
    [ -e "$file" ] || continue
    case "$file" in *hostile* | *-encrypted.*)
        exempt=$((exempt + 1))
        continue
        ;;
    esac
    checked=$((checked + 1))
    wrong='(_ws.malformed or _ws.expert.severity == "Error")'
    # Where both ends ask each other at a time tshark takes handles of one for the other's, and a value for what it
    # isn't, and a response for that to another request. (On the air more so: ATT is looked at in the captures of HCI.)
    case "$file" in
    */guest-*.pcap) wrong="$wrong and not btatt" ;;
    */guest-*) wrong="$wrong and not btatt.opcode in {0x09, 0x12}" ;;
    esac
    case "$file" in *.pcap)
        # Of an air on which a link is encrypted tshark reads what comes before: cipher text means nothing to it.
        start=$(tshark -r "$file" -Y 'btle.control_opcode == 0x05' -T fields -e frame.number 2>/dev/null | head -n 1)
        if [ -n "$start" ]; then wrong="$wrong and frame.number < $start"; fi
        ;;
    esac
    # A writer that was killed may cut its last record: tshark says so on standard error and with status 2.
    if ! found=$(tshark -r "$file" -Y "$wrong" 2>"$folder/.tshark-errors"); then
        if ! grep -q "cut short" "$folder/.tshark-errors"; then
            cat "$folder/.tshark-errors" >&2
            echo "captures: tshark can't read $file" >&2
            bad=$((bad + 1))
            continue
        fi
    fi
    if [ -n "$found" ]; then
        echo "captures: $file:" >&2
        echo "$found" | head -20 >&2
        bad=$((bad + 1))
    fi
done
rm -f "$folder/.tshark-errors"
[ "$checked" -gt 0 ] || {
    echo "captures: nothing to check in $folder" >&2
    exit 1
}
echo "captures: $checked checked, $exempt of hostile or encrypted input exempt, $bad bad"
[ "$bad" -eq 0 ]
