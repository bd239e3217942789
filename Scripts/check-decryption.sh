#!/bin/sh
# Decrypts every capture of an encrypted air in a folder (NAME-encrypted.pcap beside NAME-encrypted.keys) by a program
# that shares nothing with the link layer that wrote it, and lets tshark look at the result.
# Usage: Scripts/check-decryption.sh FOLDER
set -eu
folder=${1:?a folder with captures}
here=$(dirname "$0")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ravning/python
if ! "$cache/bin/python" -c 'import cryptography' 2>/dev/null; then
    echo "check-decryption: installing the package cryptography into $cache" >&2
    python3 -m venv "$cache"
    "$cache/bin/python" -m pip install --quiet --disable-pip-version-check cryptography
fi
rm -rf "$folder/decrypted"
mkdir -p "$folder/decrypted"
found=0
for capture in "$folder"/*-encrypted.pcap; do
    [ -e "$capture" ] || continue
    found=$((found + 1))
    name=$(basename "$capture" -encrypted.pcap)
    "$cache/bin/python" "$here/decrypt_air.py" "$capture" "${capture%.pcap}.keys" "$folder/decrypted/$name.pcap"
done
[ "$found" -gt 0 ] || {
    echo "check-decryption: no NAME-encrypted.pcap in $folder" >&2
    exit 1
}
"$here/check-captures.sh" "$folder/decrypted"
