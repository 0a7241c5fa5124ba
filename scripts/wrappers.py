#!/usr/bin/env python3
"""Lints the modules around a NIC, `weft_nic_cdc`, `weft_app` and `mqnic_app_block`, with NICs of every shape and width.
Runs each once in Icarus: after a reset from time 0 on its registers must read as numbers. Exit 1 if one does not fit.

    scripts/wrappers.py [--soak]     without --soak the two that hold the others, each with one NIC
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("wrappers.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONNECTIONS, WIDTHS = (4, 16, 64, 256, 1024, 4096, 16384), (512, 256, 128)
# The wrappers that contain all others: the narrowest clock crossing, the smallest block of Corundum.
SHORT = {(16, 128): (1,), (4, 512): (3,)}
CDC = [f"fpga/cdc/weft_{name}.v" for name in ("reset_sync", "async_fifo", "mac_rx", "cdc_fence", "nic_cdc")]
APP = ["fpga/cdc/weft_cdc_fence.v"] + [f"fpga/corundum/weft_{name}.v" for name in ("axil_split", "dma_read", "dma_write", "join", "queues", "app")]
BLOCK = [*APP, "fpga/corundum/mqnic_app_block.v"]
# Wrappers in the order of the bench's parameter AROUND: module, files, and whether its streams have other
# widths than 512.
AROUND = [("weft_nic", [], True), ("weft_nic_cdc", [*CDC, "fpga/cdc/weft_sync.v"], True), ("weft_app", APP, False), ("mqnic_app_block", BLOCK, False)]


def runs(*command):
    """The output of a command, and whether it succeeded without a warning."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout, done.returncode == 0


def fits(number, a, width, nic, folder):
    """Whether the lint has no findings, and the registers read as numbers."""
    top, files, _ = AROUND[number]
    bits = [] if number == 0 else [f"-GA={a}"] + ([f"-GWIDTH={width}"] if number == 1 else [])
    said, good = runs("verilator", "--lint-only", "-Wall", "--top-module", top, *bits, *nic, *files)
    if good and not said:
        program = f"{folder}/{top}"
        values = {"A": a, "WIDTH": width, "AROUND": number}
        parameters = [f"-Preset_tb.{name}={value}" for name, value in values.items()]
        # In SystemVerilog's order at time 0, a declaration gets its value before any block waits for it.
        built = ["iverilog", "-g2012", "-Wno-timescale", *parameters, "-s", "reset_tb", "-o", program, "fpga/example/reset_tb.v", *nic]
        said, good = runs(*built, *sorted({*CDC, *BLOCK, "fpga/cdc/bench/weft_sync.v"}))
        if good:
            said, good = runs("vvp", "-n", program)
        good = good and said == "PASS\n"
    print(f"{'ok' if good else 'FAILED'} {top}, {1 << a} connections, {width} bits{'' if good else ': ' + said}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="every shape and width")
    options = parser.parse_args()
    os.chdir(ROOT)
    bad = 0
    every = {(c, w): range(len(AROUND)) for c in CONNECTIONS for w in WIDTHS}
    for (connections, width), numbers in (every if options.soak else SHORT).items():
        folder = f"build/wrappers/{connections}_{width}"
        shape = ["--connections", str(connections), "--width", str(width)]
        subprocess.run(["target/release/weft", "emit", "nic", *shape, "--no-gate", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/weft_nic.f", encoding="utf-8") as lines:
            nic = [f"{folder}/{line.strip()}" for line in lines]
        for number in numbers:
            if AROUND[number][2] or width == 512:
                bad += not fits(number, connections.bit_length() - 1, width, nic, folder)
    sys.exit(1 if bad else 0)


main()
