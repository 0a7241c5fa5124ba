#!/usr/bin/env bash
# The example of docs/integration.md: lint without a waiver, then a message through the NIC to itself.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/example
mkdir -p "$out"
nic=()
while read -r file; do nic+=("hdl/verilog/$file"); done <hdl/verilog/weft_nic.f
verilator --lint-only -Wall --top-module nic_on_mac "${nic[@]}" fpga/example/{host_memory,nic_on_mac}.v
iverilog -g2005 -Wall -s loopback_tb -o "$out/loopback" "${nic[@]}" fpga/example/*.v
said=$(vvp -n "$out/loopback")
echo "$said"
[ "$said" = PASS ]
