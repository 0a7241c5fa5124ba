"""Builds the adapters to Corundum and runs their tests.

    run.py [--long] [--faults] [--only TEXT] [--simulator icarus|verilator]

With --long the long forms: thousands of lengths, more frames, lost frames, a NIC that passes 97 bits beside frames of
the host.
With --faults each fault of faults.toml is planted, and its test has to fail.
"""
import sys

if sys.version_info < (3, 11):
    sys.exit("run.py needs Python 3.11 or newer, this is " + sys.version.split()[0])

import argparse
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHELL, CDC, VERILOG, WEFT = ROOT / "fpga" / "corundum", ROOT / "fpga" / "cdc", ROOT / "hdl" / "verilog", ROOT / "target" / "release" / "weft"
# Keys of a fault in faults.toml.
KEYS = {"what", "module", "text", "instead", "top"}
INSIDE = ("weft_dma_read", "weft_dma_write", "weft_queues", "weft_join", "weft_axil_split", "weft_app")
# Module, its test, and the modules below it.
TOPS = {
    "weft_dma_read": ("test_dma_read", ()),
    "weft_dma_write": ("test_dma_write", ()),
    "weft_queues": ("test_queues", ()),
    "weft_join": ("test_join", ()),
    "weft_axil_split": ("test_axil_split", ()),
    "mqnic_app_block": ("test_app_block", INSIDE),
}


def run(top, simulator, shell=SHELL, nic=VERILOG, name="", only="", **parameters):
    """Numbers of tests, and of failed tests."""
    module, inside = TOPS[top]
    build = ROOT / "build" / f"corundum-{simulator}" / (top + name)
    files = [nic / line for line in (nic / "weft_nic.f").read_text().split()] if inside else []
    files += [CDC / "weft_cdc_fence.v"] if inside else []
    files += [shell / f"{each}.v" for each in (*inside, top)]
    os.environ["COCOTB_TEST_FILTER"] = only
    os.environ["WEFT_PTP"] = str(parameters.get("PTP_TS_ENABLE", 0))
    runner = get_runner(simulator)
    runner.build(sources=files, hdl_toplevel=top, build_dir=build, timescale=("1ns", "1ps"), always=True, parameters=parameters)
    results = runner.test(hdl_toplevel=top, test_module=module, test_dir=HERE, build_dir=build, results_xml=build / "results.xml")
    return get_results(results)


def faults(options) -> int:
    """Plants the faults one by one. Returns the number that was not found."""
    missed = 0
    planted = [fault for fault in tomllib.loads((HERE / "faults.toml").read_text())["fault"] if options.only in fault["module"]]
    assert planted, f"no fault is in a module whose name holds {options.only!r}"
    for fault in planted:
        assert KEYS <= set(fault) <= KEYS | {"test", "cards"}, f"keys of {fault}"
        module, old, new = fault["module"], fault["text"], fault["instead"]
        folder = ROOT / "build" / "corundum-faults" / module
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SHELL, folder)
        path = folder / f"{module}.v"
        text = path.read_text()
        assert text.count(old) == 1, f"{text.count(old)} times in {module}: {old}"
        path.write_text(text.replace(old, new))
        # A design that does not build or run is an error, and does not count as a found fault.
        _, failed = run(fault["top"], options.simulator, shell=folder, name="-fault", only=fault.get("test", ""))
        missed += failed == 0
        print(f"{'found' if failed else 'MISSED'} in {module}: {fault['what']}", flush=True)
    return missed


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--simulator", default="icarus", choices=("icarus", "verilator"))
    options = parser.parse_args()
    os.environ["WEFT_LONG"] = str(int(options.long))
    os.environ.setdefault("COCOTB_LOG_LEVEL", "CRITICAL" if options.faults else "WARNING")
    os.environ.setdefault("GPI_LOG_LEVEL", "ERROR")
    # cocotbext-axi uses names that cocotb 2.1 is about to drop.
    os.environ.setdefault("PYTHONWARNINGS", "ignore::DeprecationWarning")
    # The driver of the independent client.
    sys.path.append(str(HERE.parent / "cocotb"))
    if options.faults:
        return int(faults(options) > 0)
    if not any(options.only in top for top in TOPS):
        parser.error(f"no top's name holds {options.only!r}: {', '.join(TOPS)}")
    bad = 0
    for top in TOPS:
        if options.only in top:
            tests, failed = run(top, options.simulator)
            print(f"{top}: {tests} tests, {failed} failed", flush=True)
            bad += failed + (tests == 0)
    if options.long and options.only in "mqnic_app_block":
        wide = ROOT / "build" / "corundum-nic"
        subprocess.run([WEFT, "emit", "nic", "--bypass-user", "97", "--no-gate", "--out", wide], check=True, stdout=subprocess.DEVNULL)
        tests, failed = run("mqnic_app_block", options.simulator, nic=wide, name="-ptp", PTP_TS_ENABLE=1)
        print(f"mqnic_app_block with time stamps: {tests} tests, {failed} failed", flush=True)
        bad += failed + (tests == 0)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
