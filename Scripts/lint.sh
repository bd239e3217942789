#!/bin/sh
# What the sources must look like: format, layers, forbidden constructs, lengths, citations; and what is generated from them
# or cut out of them.
set -eu
cd "$(dirname "$0")/.."
swift format lint --strict --parallel -r Package.swift Sources Tests Examples $(ls -d Fuzz Tools Benchmarks 2>/dev/null || true)
python3 Scripts/check_sources.py
python3 Scripts/assigned_numbers.py --check
python3 Scripts/seeds.py --check
python3 Scripts/contract.py --check
python3 Scripts/security_cases.py --check
python3 Scripts/tutorial_code.py --check
python3 Scripts/interop_table.py --check
python3 Scripts/mutants.py --check
