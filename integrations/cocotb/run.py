"""Runs the scoreboard of weft_sim on weft_nic: run.py [SIMULATOR [FOLDER FAULT [TEST]]].

Modules in the folder replace emitted ones. A fault above 0 is the number of a planted fault that these modules have
(scripts/dpi.py). TEST is a module on PYTHONPATH, by default test_scoreboard. Exit code 1: the test does not find the
fault, or the NIC without a fault differs."""
import os
import sys

from cocotb_tools.runner import get_results, get_runner

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, f"{ROOT}/testbench/cocotb")
sys.path.insert(0, HERE)


def main():
    given = sys.argv[1:]
    simulator, folder, fault, test = given + ["icarus", None, "0", "test_scoreboard"][len(given):]
    with open(f"{ROOT}/hdl/verilog/weft_nic.f", encoding="utf-8") as file:
        sources = [f"{ROOT}/hdl/verilog/{line}" for line in file.read().split()]
    if folder:
        mine = [f"{folder}/{os.path.basename(source)}" for source in sources]
        sources = [own if os.path.exists(own) else source for own, source in zip(mine, sources)]
    build = f"{ROOT}/build/scoreboard-{simulator}"
    options = {"verilator": ["--x-initial", "unique", "-Wno-fatal"]}.get(simulator, [])
    runner = get_runner(simulator)
    runner.build(sources=sources, hdl_toplevel="weft_nic", build_dir=build, build_args=options, timescale=("1ns", "1ps"))
    os.environ["PYTHONPATH"] = os.pathsep.join([HERE, f"{ROOT}/testbench/cocotb", os.environ.get("PYTHONPATH", "")])
    results = runner.test(hdl_toplevel="weft_nic", test_module=test, test_dir=HERE, build_dir=build,
                          plusargs=[f"+fault={fault}"], results_xml=f"{build}/results.xml")
    tests, failed = get_results(results)
    with open(results, encoding="utf-8") as file:
        found = "Difference" in file.read()
    print(f"{simulator}, fault {fault}: {tests} tests, {failed} failed{', a difference' if found else ''}")
    return int(tests == 0 or (failed > 0 if fault == "0" else not found))


if __name__ == "__main__":
    sys.exit(main())
