#!/usr/bin/env bash
# Packages the crates that others can use, as for a registry. Checks that manifests and files are complete,
# and that their names do not conflict in the workspace. With --soak cargo also unpacks and builds each crate
# alone.
#
#   scripts/crates.sh [--soak]
set -euo pipefail
cd "$(dirname "$0")/.."

names=$(cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(*[package["name"] for package in json.load(sys.stdin)["packages"] if package["publish"] is None])')
[ "${1:-}" = --soak ] && verify= || verify=--no-verify
# shellcheck disable=SC2086
cargo package --quiet --allow-dirty $verify $(printf -- '-p %s ' $names)
echo "packaged: $names"
