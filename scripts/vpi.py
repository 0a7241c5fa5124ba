#!/usr/bin/env python3
"""libweft as a VPI module of Icarus (integrations/vpi): `weft_reps` beside its model, without faults and with faults in
the Verilog, each of which the bench must find. Exit code 1 if a fault is not found, or the sound block differs.

    scripts/vpi.py [--soak]     with --soak nine of the faults of `weft_reps` in scripts/dpi.py, without it two
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("vpi.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

import dpi
import libweft

WORK = f"{dpi.ROOT}/build/vpi"
VPI = f"{dpi.ROOT}/integrations/vpi"
# The fourth does not show in 400,000 clocks of this bench.
FAULTS = [*dpi.REPS_FAULTS[:3], *dpi.REPS_FAULTS[4:]]


def module():
    """Builds the VPI module."""
    os.makedirs(WORK, exist_ok=True)
    flags = subprocess.run(["iverilog-vpi", "--cflags"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    includes = [flag for flag in flags if flag.startswith("-I")]
    command = ["gcc", "-std=c11", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-O2", *includes, f"-I{dpi.ROOT}/capi/include"]
    command += [f"{VPI}/weft_vpi.c", libweft.STATIC, "-lpthread", "-ldl", "-lm", "-o", f"{WORK}/weft_vpi.vpi"]
    subprocess.run(command, check=True)


def says(texts, clocks):
    """The verdict of the bench with these files in place of the emitted ones, after this many clocks."""
    files = dpi.verilog("weft_reps")
    for name, text in texts.items():
        files[name] = f"{WORK}/{name}.v"
        with open(files[name], "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run(["iverilog", "-g2012", "-o", f"{WORK}/reps.vvp", f"{VPI}/reps_tb.v", *files.values()], check=True)
    done = subprocess.run(["vvp", "-M", WORK, "-m", "weft_vpi", f"{WORK}/reps.vvp", f"+clocks={clocks}"], stdout=subprocess.PIPE, text=True, check=False)
    return next((line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL"))), done.stdout or "nothing")


def example():
    """Whether the output of the page's example differs from the page."""
    page = dpi.read(f"{dpi.ROOT}/docs/verify-your-nic.md").partition("```verilog\n")[2]
    text, _, rest = page.partition("```")
    with open(f"{WORK}/example.v", "w", encoding="utf-8") as file:
        file.write(text)
    wanted = rest.partition("```text\n")[2].partition("```")[0]
    subprocess.run(["iverilog", "-g2012", "-o", f"{WORK}/example.vvp", f"{WORK}/example.v"], check=True)
    done = subprocess.run(["vvp", "-M", WORK, "-m", "weft_vpi", f"{WORK}/example.vvp"], stdout=subprocess.PIPE, text=True, check=False)
    print(f"the example of docs/verify-your-nic.md: {done.stdout}", end="", flush=True)
    return not wanted or done.stdout != wanted or len(text.splitlines()) > 20


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="test nine faults in place of two")
    options = parser.parse_args()
    libweft.build()
    module()
    # More than 100,000 decisions.
    clocks = 130_000
    said = says({}, clocks)
    print(f"weft_reps beside its model in Icarus: {said}", flush=True)
    bad = not said.startswith("PASS") or example()
    for name, there, instead in FAULTS[: None if options.soak else 2]:
        said = says({name: dpi.changed(dpi.read(dpi.verilog("weft_reps")[name]), name, there, instead)}, clocks)
        print(f"{name}, {instead.strip()!r} for {there.strip()!r}: {said}", flush=True)
        bad |= not said.startswith("FAIL: differs")
    sys.exit(1 if bad else 0)


main()
