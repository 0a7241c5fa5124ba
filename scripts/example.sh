#!/usr/bin/env bash
# The examples of docs/integration.md and docs/clocks.md: lint without a waiver, then a message through the
# NIC to itself, with one clock, and with three clocks and products in parts. scripts/wrappers.py runs
# reset_tb.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/example
mkdir -p "$out"
nic=()
while read -r file; do nic+=("hdl/verilog/$file"); done <hdl/verilog/weft_nic.f
crossings=(fpga/cdc/{weft_reset_sync,weft_async_fifo,weft_mac_rx,weft_cdc_fence,weft_nic_cdc}.v)
verilator --lint-only -Wall --top-module nic_on_mac "${nic[@]}" fpga/example/{host_memory,nic_on_mac}.v
verilator --lint-only -Wall --top-module nic_on_clocks "${nic[@]}" fpga/cdc/weft_sync.v "${crossings[@]}" fpga/example/{host_memory,nic_on_clocks}.v
for factor_bits in 0 18; do
    clocks=$((factor_bits > 0))
    # The synchronisers are those of the bench, which sample a changing bit as either value.
    iverilog -g2005 -Wall -Wno-timescale -Ploopback_tb.CLOCKS=$clocks -Ploopback_tb.FACTOR_BITS=$factor_bits -s loopback_tb -o "$out/loopback$clocks" \
        "${nic[@]}" fpga/cdc/bench/weft_sync.v "${crossings[@]}" fpga/example/{host_memory,nic_on_mac,nic_on_clocks,loopback_tb}.v
    said=$(vvp -n "$out/loopback$clocks")
    echo "$said"
    [ "$said" = PASS ]
done
