#!/usr/bin/env python3
"""libweft as the golden model of SystemVerilog benches (integrations/dpi) under Verilator: `weft_reps` and `weft_smartt` beside their
models, port by port, and `weft_nic` against the model's scoreboard; all also with faults in the Verilog, each of which the bench must
find. Exit code 1 if a fault is not found, or a sound design differs.

    scripts/dpi.py [--soak]     with --soak all faults and ten seeds of the NIC; without it the first faults of the NIC, and one seed
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("dpi.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

import libweft

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/dpi"
DPI = f"{ROOT}/integrations/dpi"
# Compiling the NIC takes longer than all its runs.
OPTIMIZE = "-O0"
# Faults: the module, the present text, the text that replaces it.
REPS_FAULTS = [
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
SMARTT_FAULTS = [
    ("weft_smartt_window", "acks >= granularity", "acks > granularity"),
    ("weft_smartt_window", "whole >= ceiling47_q", "1'b0"),
    ("weft_smartt_window", "single | (weighed >= enough)", "single"),
]
# One build has all these faults: each replaces an expression, and the argument +fault=N chooses one; with 0
# or no argument, the NIC is sound.
NIC_FAULTS = [
    ("weft_egress_header_transport", "reply_psn[15:0] - reply_cumulative[15:0]", "16'd0"),
    ("weft_ingress_verdict", "s16_q_icrc & !icrc_right", "1'b0"),
    ("weft_egress_header_transport", "2'd0 - order_bytes[1:0]", "2'd0"),
    ("weft_receiver_settle", "outcome_user[9]", "1'b0"),
    ("weft_egress_header_transport", "{7'd0, order_again}", "8'd0"),
    ("weft_egress_orders", "waiting_wrong_q | waiting_past_q", "1'b0"),
    ("weft_sender_intake", "({1'd0, work_held_q_length} + {19'd0, mtu}) - 33'd1", "{1'd0, work_held_q_length} + {19'd0, mtu}"),
    ("weft_sender_dispatch", "notes_prior_message + 16'd1", "notes_prior_message"),
    ("weft_registers_status", "next_broken != prior_q_broken", "1'b0"),
    ("weft_receiver", "front_arrival_ready & s_axis_arrival_tdata_ce", "front_arrival_ready"),
]
# The faults that `make test` plants.
FIRST = 3
SEEDS = 10


def verilog(top):
    """The files of a top by their modules."""
    with open(f"{ROOT}/hdl/verilog/{top}.f", encoding="utf-8") as lines:
        return {os.path.basename(line.strip())[:-2]: f"{ROOT}/hdl/verilog/{line.strip()}" for line in lines}


def changed(text, module, there, instead):
    if text.count(there) < 1:
        sys.exit(f"{module}: {there!r} is not in it")
    return text.replace(there, instead, 1)


def with_faults():
    """The modules of the NIC that have faults, with all faults planted."""
    texts, files = {}, verilog("weft_nic")
    for number, (module, there, instead) in enumerate(NIC_FAULTS, 1):
        if module not in texts:
            choice = '\n    integer planted;\n    initial if (!$value$plusargs("fault=%d", planted)) planted = 0;\n'
            texts[module] = read(files[module]).replace("\n);\n", f"\n);\n{choice}", 1)
        texts[module] = changed(texts[module], module, there, f"(planted == {number} ? {instead} : {there})")
    return texts


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def build(top, name, texts):
    """Builds the bench of `weft_TOP` with these files in place of the emitted ones. Returns the program's path."""
    folder = f"{WORK}/{top}_{name}"
    os.makedirs(folder, exist_ok=True)
    files = verilog(f"weft_{top}")
    for module, text in texts.items():
        files[module] = f"{folder}/{module}.v"
        with open(files[module], "w", encoding="utf-8") as file:
            file.write(text)
    command = ["verilator", "--binary", "--timing", "-j", "1", "-Wno-fatal", "-Wno-lint", "-CFLAGS", OPTIMIZE]
    # Functions and files that a compiler is done with soon.
    command += ["--output-split", "20000", "--output-split-cfuncs", "500"]
    command += [f"-I{DPI}", "--top-module", f"{top}_tb", "-Mdir", f"{folder}/obj", "-o", f"{top}_tb"]
    command += [f"{DPI}/{top}_tb.sv", *files.values(), f"{WORK}/weft_dpi.o", f"{WORK}/weft_dpi_nic.o", libweft.STATIC]
    command += ["-LDFLAGS", "-lpthread -ldl -lm"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: Verilator: {done.stdout[-3000:]}")
    return f"{folder}/obj/{top}_tb"


def says(program, *words):
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    return next((line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL"))), "nothing")


def block(name, faults, soak):
    """Whether the bench of a block, which runs beside its model, fails."""
    said = says(build(name, "sound", {}))
    print(f"weft_{name} beside its model: {said}", flush=True)
    bad = not said.startswith("PASS")
    for module, there, instead in faults if soak else []:
        text = changed(read(verilog(f"weft_{name}")[module]), module, there, instead)
        said = says(build(name, "fault", {module: text}))
        print(f"{module}, {instead.strip()!r} for {there.strip()!r}: {said}", flush=True)
        bad |= not said.startswith("FAIL: ") or " differs at " not in said
    return bad


def reps(soak):
    return block("reps", REPS_FAULTS, soak)


def smartt(soak):
    return block("smartt", SMARTT_FAULTS, soak)


def nic(soak):
    """Whether the bench of `weft_nic` fails."""
    program = build("nic", "faults", with_faults())
    bad = False
    for seed in range(1, 1 + (SEEDS if soak else 1)):
        said = says(program, f"+seed={seed}")
        print(f"weft_nic against the scoreboard, seed {seed}: {said}", flush=True)
        bad |= not said.startswith("PASS")
    for number, (module, there, instead) in enumerate(NIC_FAULTS[: None if soak else FIRST], 1):
        said = says(program, "+seed=1", "+rounds=4000", f"+fault={number}")
        print(f"{module}, {instead!r} for {there!r}: {said}", flush=True)
        bad |= not said.startswith("FAIL: ")
    return bad


def example():
    """Whether the output of the page's example differs from the page."""
    page = read(f"{ROOT}/docs/libweft.md").partition("```systemverilog\n")[2]
    text, _, rest = page.partition("```")
    with open(f"{WORK}/example.sv", "w", encoding="utf-8") as file:
        file.write(text)
    wanted = rest.partition("```text\n")[2].partition("```")[0]
    command = ["verilator", "--binary", "-Wno-fatal", f"-I{DPI}", f"{WORK}/example.sv", f"{WORK}/weft_dpi.o", f"{WORK}/weft_dpi_nic.o", libweft.STATIC]
    command += ["-LDFLAGS", "-lpthread -ldl -lm", "-Mdir", f"{WORK}/example"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    said = subprocess.run([f"{WORK}/example/Vexample"], stdout=subprocess.PIPE, text=True, check=False).stdout
    print(f"the example of docs/libweft.md: {said.splitlines()[0] if said else 'nothing'}", flush=True)
    return not wanted or not said.startswith(wanted) or len(text.splitlines()) > 20


def objects():
    """The C of the imports. Verilator would compile it as C++, so the script compiles it first."""
    os.makedirs(WORK, exist_ok=True)
    includes = [f"-I{ROOT}/capi/include", f"-I{DPI}", "-I/usr/share/verilator/include/vltstd"]
    for name in ("weft_dpi", "weft_dpi_nic"):
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", *includes]
        subprocess.run(["gcc", *flags, "-c", f"{DPI}/{name}.c", "-o", f"{WORK}/{name}.o"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="run all faults and seeds")
    parser.add_argument("--only", choices=("reps", "smartt", "nic"), help="run only this bench, without the example")
    options = parser.parse_args()
    libweft.build()
    objects()
    benches = [bench for name, bench in (("reps", reps), ("smartt", smartt), ("nic", nic)) if options.only in (None, name)]
    wrong = [bench(options.soak) for bench in benches]
    sys.exit(1 if any(wrong) or not options.only and example() else 0)


if __name__ == "__main__":
    main()
