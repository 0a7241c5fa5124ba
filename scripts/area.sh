#!/usr/bin/env bash
# Counts what yosys makes of the committed Verilog of a block on UltraScale+ cells, and the LUTs on the longest way
# between registers.
#
#   scripts/area.sh [TOP] [LUT RAMB36 RAMB18 DSP LEVELS]
#
# TOP is weft_reps. With bounds, a block that has outgrown one is an error; a shift-register LUT counts as a LUT.
# YOSYS chooses another yosys.
set -euo pipefail
cd "$(dirname "$0")/../hdl/verilog"
top=${1:-weft_reps}
yosys=${YOSYS:-yosys}
flags="-family xcup -flatten"
[ -f "$top.f" ] || { echo "area: hdl/verilog has no $top.f" >&2; exit 2; }
command -v "$yosys" >/dev/null || { echo "area: yosys is missing: apt-get install yosys" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/stat
"$yosys" -q -p "read_verilog $(tr '\n' ' ' <"$top.f"); hierarchy -check -top $top;
    synth_xilinx $flags; tee -o $log stat; write_json $scratch/netlist.json" >/dev/null 2>&1
area=$scratch/area
{
echo "$top, $("$yosys" -V), synth_xilinx $flags"
awk '
    function count(   i) { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/) return $i }
    / LUT[1-6]( |$)| INV( |$)/ { lut += count() }
    / SRL(16E|C32E)( |$)/      { srl += count() }
    / FD[RSCP]E/               { ff += count() }
    / CARRY4/                  { carry += count() }
    / MUXF/                    { mux += count() }
    / RAMB36E2/                { ram36 += count() }
    / RAMB18E2/                { ram18 += count() }
    / DSP48E2/                 { dsp += count() }
    END {
        printf "LUT %d  FF %d  CARRY4 %d  MUXF %d  RAMB36 %d  RAMB18 %d  DSP %d  SRL %d\n",
            lut, ff, carry, mux, ram36, ram18, dsp, srl
    }' "$log"
../../scripts/levels.py "$scratch/netlist.json"
} | tee "$area"
[ $# -ge 6 ] || exit 0
shift
awk -v bounds="$*" '
    BEGIN { split(bounds, bound) }
    $1 == "LUT" { found += 1; if ($2 + $16 > bound[1] || $10 > bound[2] || $12 > bound[3] || $14 > bound[4]) exit 1 }
    $1 == "levels" { found += 1; if ($2 > bound[5]) exit 1 }
    END { if (found != 2) exit 1 }' "$area" || { echo "$top has outgrown its bounds ($*)"; exit 1; }
