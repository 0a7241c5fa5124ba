#!/usr/bin/env bash
# The FuseSoC cores, as another user would use them: each is linted, one is synthesised, and the example sends
# a message to itself in Icarus, with one clock and with three, and in Verilator.
#
#   scripts/fusesoc.sh [--soak]    without --soak the largest is run, and one block linted and synthesised
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/build/tools/fusesoc
if [ ! -d "$tools/fusesoc" ]; then
    echo "fusesoc is missing: run scripts/setup.sh extra (needs python3 with pip)" >&2
    exit 2
fi
export PYTHONPATH=$tools PYTHONDONTWRITEBYTECODE=1
work=$PWD/build/fusesoc
mkdir -p "$work"

# target TARGET CORE: runs a target, and prints its output if it fails.
target() {
    echo "$1 of $2"
    if ! python3 -m fusesoc.main --cores-root hdl/verilog --cores-root fpga --cores-root integrations run --work-root "$work/$2-$1" --target "$1" "weft:nic:$2" >"$work/said" 2>&1; then
        cat "$work/said" >&2
        exit 1
    fi
}

if [ "${1:-}" = --soak ]; then
    for core in hdl/verilog/*.core; do target lint "$(basename "$core" .core)"; done
    target lint weft_nic_cdc
    target lint weft_example
    target lint_clocks weft_example
else
    # The files of these cores are those of the NIC's emission, which another step lints. The simulation below
    # reads the wrappers' files.
    target lint weft_sack_rx
fi
sims=(sim_clocks)
if [ "${1:-}" = --soak ]; then
    target lint weft_corundum
    target lint weft_dpi
    target lint_reps weft_dpi
    target lint_smartt weft_dpi
    # The module is compiled against libweft.
    scripts/libweft.py
    mkdir -p "$work/lib"
    ln -sf "$PWD/target/release/libweft.a" "$work/lib/"
    CPATH=$PWD/capi/include LIBRARY_PATH=$work/lib target sim weft_vpi
    grep -q '^PASS' "$work/said" || { cat "$work/said" >&2; exit 1; }
    if [ -d build/tools/maturin ] && [ -d build/tools/cocotb ]; then
        # The example of docs/verify-your-nic.md, with the Python package.
        scripts/wheel.py --for-here "$work/wheel"
        python3 -m zipfile -e "$work"/wheel/*.whl "$work/site"
        sed -n '/^import cocotb.clock/,/^```/p' docs/verify-your-nic.md | sed '$d' >"$work/test_example.py"
        (
            export PATH=$PWD/build/tools/cocotb/bin:$PATH PYTHONPATH=$work:$work/site:$PWD/build/tools/cocotb:$PYTHONPATH
            GPI_USERS="$(cocotb-config --libpython);$(cocotb-config --pygpi-entry-point)"
            export GPI_USERS
            target sim weft_cocotb
        )
        grep -q 'TESTS=1 PASS=1' "$work/said" || { cat "$work/said" >&2; exit 1; }
    fi
    sims+=(sim sim_verilator)
fi
target synth weft_reps
[ -s "$(find "$work/weft_reps-synth" -name '*.json' -size +100k | head -n 1)" ]
for sim in "${sims[@]}"; do
    target "$sim" weft_example
    grep -qx PASS "$work/said" || { cat "$work/said" >&2; exit 1; }
done
