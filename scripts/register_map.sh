#!/usr/bin/env bash
# The register map in SystemRDL, as other tools read it: scripts/register_map.py. Writes IP-XACT to
# build/systemrdl/weft_nic.xml.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/build/tools/fusesoc
if [ ! -d "$tools/systemrdl" ]; then
    echo "systemrdl-compiler is missing: run scripts/setup.sh extra (needs python3 with pip)" >&2
    exit 2
fi
mkdir -p build/systemrdl
PYTHONPATH=$tools PYTHONDONTWRITEBYTECODE=1 exec python3 scripts/register_map.py
