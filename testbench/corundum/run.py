"""Builds the adapters to Corundum and runs their tests: run.py [--long] [--only NAME] [icarus|verilator]."""

import argparse
import os
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHELL, VERILOG = ROOT / "fpga" / "corundum", ROOT / "hdl" / "verilog"
# Module, its test, and the other modules in it.
ADAPTERS = ("weft_dma_read", "weft_dma_write", "weft_queues", "weft_join", "weft_axil_split")
TOPS = {
    "weft_dma_read": ("test_dma_read", ()),
    "weft_dma_write": ("test_dma_write", ()),
    "weft_queues": ("test_queues", ()),
    "weft_join": ("test_join", ()),
    "mqnic_app_block": ("test_app_block", (*ADAPTERS, "weft_app")),
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--verilog", type=Path, default=SHELL, help="where the adapters are")
    parser.add_argument("simulator", nargs="?", default="icarus")
    options = parser.parse_args()
    os.environ["WEFT_LONG"] = str(int(options.long))
    os.environ.setdefault("COCOTB_LOG_LEVEL", "WARNING")
    os.environ.setdefault("GPI_LOG_LEVEL", "ERROR")
    # cocotbext-axi uses names that cocotb 2.1 is about to drop.
    os.environ.setdefault("PYTHONWARNINGS", "ignore::DeprecationWarning")
    sys.path.append(str(HERE.parent / "cocotb"))
    nic = [VERILOG / line for line in (VERILOG / "weft_nic.f").read_text().split()]
    bad = 0
    for top, (module, inside) in TOPS.items():
        if options.only not in top:
            continue
        build = ROOT / "build" / f"corundum-{options.simulator}" / top
        sources = [options.verilog / f"{name}.v" for name in (*inside, top)]
        runner = get_runner(options.simulator)
        runner.build(sources=[*(nic if "weft_app" in inside else ()), *sources], hdl_toplevel=top, build_dir=build,
                     timescale=("1ns", "1ps"), always=True)
        results = runner.test(hdl_toplevel=top, test_module=module, test_dir=HERE, build_dir=build, results_xml=build / "results.xml")
        tests, failed = get_results(results)
        print(f"{top}: {tests} tests, {failed} failed", flush=True)
        bad += failed + (tests == 0)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
