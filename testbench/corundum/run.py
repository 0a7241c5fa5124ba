"""Builds the adapters to Corundum and runs their tests: run.py [--long] [--only NAME] [icarus|verilator]."""

import argparse
import os
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHELL, VERILOG = ROOT / "fpga" / "corundum", ROOT / "hdl" / "verilog"
# Module and the other files that it is made of.
TOPS = {
    "weft_dma_read": (),
    "weft_dma_write": (),
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
    bad = 0
    for top, others in TOPS.items():
        if options.only not in top:
            continue
        build = ROOT / "build" / f"corundum-{options.simulator}" / top
        runner = get_runner(options.simulator)
        sources = [options.verilog / f"{name}.v" for name in (*others, top)]
        runner.build(sources=sources, hdl_toplevel=top, build_dir=build, timescale=("1ns", "1ps"), always=True)
        results = runner.test(hdl_toplevel=top, test_module="test_" + top.removeprefix("weft_"), test_dir=HERE, build_dir=build,
                              results_xml=build / "results.xml")
        tests, failed = get_results(results)
        print(f"{top}: {tests} tests, {failed} failed", flush=True)
        bad += failed + (tests == 0)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
