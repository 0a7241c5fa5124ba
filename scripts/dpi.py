#!/usr/bin/env python3
"""libweft as the golden model of a SystemVerilog bench (integrations/dpi): `weft_reps` beside its model in Verilator, port by port;
then faults in the Verilog, each of which the bench must find. Exit 1 if a fault is not found, or the sound block differs.

    scripts/dpi.py [--soak]     with --soak also the faults
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("dpi.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/dpi"
DPI = f"{ROOT}/integrations/dpi"
LIBRARY = f"{ROOT}/target/release/libweft.a"
# Faults: module, old text and new text.
FAULTS = [
    ("weft_reps_control_core", "(frozen | freeze) & !thaw & !clear", "(frozen | freeze) & !clear"),
    ("weft_reps_control_core", "take ? tail : at_head", "take ? head : at_head"),
    ("weft_reps_control_core", "(explore - 8'd1)", "(explore - 8'd2)"),
    ("weft_reps_control_core", "cache | opening | (ack_2024", "cache | (ack_2024"),
    ("weft_reps_control_core", "assign turned = freeze | thaw", "assign turned = freeze"),
    ("weft_reps_control_core", "(cache | reuse) ? 3'd1", "cache ? 3'd1"),
    ("weft_reps_control_core", "open | opening | seed", "open | opening"),
    ("weft_reps_control_core", "(open | opening) & !closing", "open | opening"),
    ("weft_reps_entropy", "if (s7_drawn_q)", "if (s7_read_q & s7_drawn_q)"),
    ("weft_reps_front", "if (sweeping_q)", "if (1'b0)"),
]


def build(name, texts):
    """Builds the bench with these files in place of the emitted ones. Returns the program's path."""
    folder = f"{WORK}/{name}"
    os.makedirs(folder, exist_ok=True)
    files = []
    with open(f"{ROOT}/hdl/verilog/weft_reps.f", encoding="utf-8") as lines:
        for line in lines:
            path = f"{ROOT}/hdl/verilog/{line.strip()}"
            module = os.path.basename(path)[:-2]
            if module in texts:
                path = f"{folder}/{module}.v"
                with open(path, "w", encoding="utf-8") as file:
                    file.write(texts[module])
            files.append(path)
    command = ["verilator", "--binary", "--timing", "-j", "1", "-Wno-fatal", "-Wno-lint", "-CFLAGS", "-O1"]
    command += [f"-I{DPI}", "--top-module", "reps_tb", "-Mdir", f"{folder}/obj", "-o", "reps_tb"]
    command += [f"{DPI}/reps_tb.sv", *files, f"{WORK}/weft_dpi.o", LIBRARY, "-LDFLAGS", "-lpthread -ldl -lm"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: Verilator: {done.stdout[-3000:]}")
    return f"{folder}/obj/reps_tb"


def says(name, texts):
    program = build(name, texts)
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
    return next((line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL"))), "nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="all faults")
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "weft-capi"], cwd=ROOT, check=True)
    os.makedirs(WORK, exist_ok=True)
    # Verilator would treat the file as C++.
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-c", f"-I{ROOT}/capi/include", f"{DPI}/weft_dpi.c", "-o", f"{WORK}/weft_dpi.o"], check=True)
    said = says("sound", {})
    print(f"weft_reps beside its model: {said}", flush=True)
    bad = not said.startswith("PASS")
    for module, there, instead in FAULTS if options.soak else []:
        with open(f"{ROOT}/hdl/verilog/block/{module}.v", encoding="utf-8") as file:
            text = file.read()
        if text.count(there) < 1:
            sys.exit(f"{module}: {there!r} stands nowhere")
        said = says("fault", {module: text.replace(there, instead, 1)})
        print(f"{module}, {instead.strip()!r} for {there.strip()!r}: {said}", flush=True)
        bad |= not said.startswith("FAIL: ") or " differs at " not in said
    sys.exit(1 if bad else 0)


main()
