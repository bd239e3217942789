#!/bin/sh
# The documentation of the public modules, into .build/documentation, with the toolchain's own docc.
# Warnings are errors: a link that leads nowhere is a defect. So is a public symbol without a comment, and a name of
# the facade that isn't Apple's.
set -eu
cd "$(dirname "$0")/.."
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[ -x "$docc" ] || docc=$(command -v docc) || {
    echo "docs: the toolchain has no docc" >&2
    exit 1
}
graphs=.build/symbol-graphs
rm -rf "$graphs" .build/documentation
swift package dump-symbol-graph --minimum-access-level public >/dev/null
mkdir -p "$graphs/CCoreBluetooth" .build/documentation
for module in CoreBluetooth Ravning CoreBluetoothSimulation; do
    mkdir -p "$graphs/$module"
    find .build -path "*symbolgraph*" \( -name "$module.symbols.json" -o -name "$module@*.symbols.json" \) \
        -exec cp {} "$graphs/$module/" \;
done
# The facade's enumerations are in a module of C.
triple=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
enumerations=Sources/CCoreBluetooth/include
echo "module CCoreBluetooth { header \"$PWD/$enumerations/CCoreBluetooth.h\" export * }" >"$graphs/module.modulemap"
swift symbolgraph-extract -module-name CCoreBluetooth -target "$triple" -I "$graphs" \
    -output-dir "$graphs/CCoreBluetooth" >/dev/null
python3 Scripts/symbol_docs.py "$graphs"
# The tutorials' code is cut out of the example programs.
catalogues=.build/catalogues
rm -rf "$catalogues"
mkdir -p "$catalogues"
for module in CoreBluetooth Ravning CoreBluetoothSimulation; do
    cp -R "Sources/$module/$module.docc" "$catalogues/"
done
python3 Scripts/tutorial_code.py "$catalogues/CoreBluetooth.docc/Resources"
for module in CoreBluetooth Ravning CoreBluetoothSimulation; do
    "$docc" convert "$catalogues/$module.docc" --additional-symbol-graph-dir "$graphs/$module" \
        --warnings-as-errors --disable-parameters-and-returns-validation \
        --fallback-display-name "$module" --fallback-bundle-identifier "ravning.$module" \
        --output-path ".build/documentation/$module.doccarchive"
    echo "docs: .build/documentation/$module.doccarchive"
done
python3 Scripts/check_api.py "$graphs/CoreBluetooth"
