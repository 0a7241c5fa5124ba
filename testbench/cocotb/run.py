"""Builds the committed Verilog and runs the client: run.py [icarus|verilator]."""
import sys

if sys.version_info < (3, 9):
    sys.exit("run.py needs Python 3.9 or newer, this is " + sys.version.split()[0])

from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERILOG = ROOT / "hdl" / "verilog"


def main() -> int:
    simulator = sys.argv[1] if len(sys.argv) > 1 else "icarus"
    sources = [VERILOG / line for line in (VERILOG / "weft_nic.f").read_text().split()]
    build = ROOT / "build" / f"cocotb-{simulator}"
    options = {"verilator": ["--x-initial", "unique", "-Wno-fatal"]}.get(simulator, [])
    runner = get_runner(simulator)
    runner.build(sources=sources, hdl_toplevel="weft_nic", build_dir=build, build_args=options, timescale=("1ns", "1ps"))
    results = runner.test(hdl_toplevel="weft_nic", test_module="test_nic", test_dir=HERE, build_dir=build,
                          results_xml=build / "results.xml")
    tests, failed = get_results(results)
    print(f"{simulator}: {tests} tests, {failed} failed")
    return int(failed > 0 or tests == 0)


if __name__ == "__main__":
    sys.exit(main())
