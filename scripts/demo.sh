#!/usr/bin/env bash
# Runs `make demo`: emits the Verilog, runs it in lockstep with its model, and draws the results.
set -euo pipefail
cd "$(dirname "$0")/.."

weft=target/release/weft
out=build/demo
scenarios=(healthy congested dead)
mkdir -p "$out"

printf '\n== The Verilog of the NIC, 256 connections\n'
"$weft" emit nic --out "$out/verilog"

printf '\n== Eight of these NICs on a fabric: a ring AllReduce while a path dies, sprayed blindly (OPS) and with REPS\n'
"$weft" cosim nic --scenario allreduce --connections 16 --bytes 2097152 --paths 4 --cut-path 1:120:700 \
    --ev-mode ops --ev-mode reps --plot "$out/nic.svg"

printf '\n== A block in lockstep with its model: REPS, random events\n'
"$weft" cosim block reps --seed 1 --cycles 2000000

printf '\n== And over packet traces: all well, a slow path, a dead path\n'
traces=()
for scenario in "${scenarios[@]}"; do traces+=(--trace "traces/reps_$scenario.pcapng"); done
"$weft" cosim block reps "${traces[@]}" --plot "$out/reps.svg"

printf '\n== The last trace as the NIC would have sent it\n'
"$weft" cosim block reps --trace traces/reps_dead.pcapng \
    --out "$out/reps_dead_sent.pcapng" --decisions "$out/reps_dead.csv" --wave "$out/reps.vcd" >/dev/null
tshark -r "$out/reps_dead_sent.pcapng" -c 400 -Y 'infiniband.bth.opcode == 10' \
    -T fields -E header=y -e frame.time_relative -e ip.src -e udp.srcport -e infiniband.bth.psn 2>/dev/null | tail -n 4

printf '\n== Eight senders into one port, their windows kept by the Verilog of SMaRTT\n'
"$weft" cosim incast --senders 8 --plot "$out/smartt_incast8.svg"

cat <<END

Look at $out/nic.svg (goodput and losses while a path dies), $out/reps.svg (what REPS did), $out/smartt_incast8.svg (what SMaRTT did), $out/verilog/ (the Verilog),
$out/reps_dead_sent.pcapng (the packets), $out/reps_dead.csv (every decision), $out/reps.vcd (a waveform).
END
