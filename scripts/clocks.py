#!/usr/bin/env python3
"""Simulates the clock crossings of fpga/cdc in Icarus: queues between clocks of every ratio, with random back-pressure,
resets of one side, and synchronisers that resolve a changing bit at random; then the NIC with three clocks. Each
planted fault must be
found; without --soak a sixth of them is planted. Exit 1 if a run fails or a fault is not found.

    scripts/clocks.py [--soak] [--only TEXT]
"""
import sys

if sys.version_info < (3, 7):
    sys.exit("clocks.py needs Python 3.7 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CDC = "fpga/cdc"
WORK = "build/cdc"
# Halves of the clock periods in ps: of the writing side, and of the reading side.
CLOCKS = [(2000, 1551), (1551, 2000), (2000, 2001), (800, 803), (1501, 15000), (15000, 1501)]
# Benches: files besides the synchroniser's model, and parameters.
BENCHES = {
    "words": ("fifo_tb", ["weft_async_fifo.v"], {"FRAME": 0}),
    "frames": ("fifo_tb", ["weft_async_fifo.v"], {"FRAME": 1}),
    "small": ("fifo_tb", ["weft_async_fifo.v"], {"FRAME": 0, "D": 2}),
    "host": ("nic_cdc_tb", ["bench/weft_nic.v", "weft_async_fifo.v", "weft_mac_rx.v", "weft_cdc_fence.v", "weft_reset_sync.v", "weft_nic_cdc.v"], {}),
    "mac": ("mac_rx_tb", ["weft_async_fifo.v", "weft_mac_rx.v"], {}),
}
# Faults: bench, old text and new text. Each text occurs in one file.
BINARY = [("gray = binary ^ (binary >> 1)", "gray = binary"), ("binary[i+1] ^ gray_code[i]", "gray_code[i]"), ("{~m_gray_seen[D:D-1], m_gray_seen[D-2:0]}", "{~m_gray_seen[D], m_gray_seen[D-1:0]}")]
FAULTS = {
    "pointers in binary": ("words", BINARY),
    "one register in a synchroniser": ("words", [("assign q = stable", "assign q = meta")]),
    "told before it is written": ("words", [("s_gray  <= gray(s_next)", "s_gray  <= gray(s_next + 1'b1)")]),
    "free before it is taken": ("words", [("m_gray  <= gray(m_next)", "m_gray  <= gray(m_next + 1'b1)")]),
    "full a word late": ("words", [("s_gray == {~", "gray(s_count - 1'b1) == {~")]),
    "cleared before the other side": ("words", [("wire       s_zeroes = s_clear & m_ack_seen", "wire       s_zeroes = s_clear")]),
    "on before both are cleared": ("words", [("s_rst | m_ask_seen | !s_zero;", "s_rst | m_ask_seen;")]),
    "the reader's reset is not told": ("words", [("m_ask <= m_rst | m_ask", "m_ask <= m_ask")]),
    "the rest of a cut frame goes in": ("words", [("s_swallows <= s_inside", "s_swallows <= 1'b0")]),
    "a cut frame does not end": ("words", [("m_offered <= m_begins;", "m_offered <= 1'b0;")]),
    "a reset takes the offered word": ("words", [("if (m_moves | !m_shows) begin", "if (1'b1) begin")]),
    "a frame leaves before it is whole": ("frames", [("m_known != gray(m_finished)", "1'b1")]),
    "a frame is told with its last word": ("frames", [("gray(s_frames);", "gray(s_frames + {{D{1'b0}}, s_writes & s_axis_tlast});"), ("m_known != gray", "s_frames_seen != gray")]),
    "of two completions one is lost": ("host", [("received_tready = happens_ready & !sent_tvalid", "received_tready = happens_ready")]),
    "COMMAND passes data": ("host", [("answers = data_gone & events_gone", "answers = rvalid & events_gone")]),
    "COMMAND passes events": ("host", [("answers = data_gone & events_gone", "answers = data_gone")]),
    "COMMAND is held": ("host", [("#(.D(5), .PATIENCE(8))", "#(.D(5), .PATIENCE(0))")]),
    "COMMAND is held by events": ("host", [("#(.D(2), .PATIENCE(8))", "#(.D(2), .PATIENCE(0))")]),
    "COMMAND passes data when it was held long": ("host", [("rdata[31] | answer_late", "rdata[31] | events_late")]),
    "COMMAND passes events when it was held long": ("host", [("rdata[31] | answer_late", "rdata[31] | data_late")]),
    "each read of COMMAND waits for all that is there": ("host", [("& (known | came & counted)", "& !goes & (known | came & counted)")]),
    "COMMAND waits for what was there before it began": ("host", [(".anew(bvalid & writes_command), .keeps(events_late)", ".anew(1'b0), .keeps(events_late)")]),
    "all registers wait": ("host", [("reads_command <= araddr[15:2] == COMMAND", "reads_command <= 1'b1")]),
    "events pass completions": ("host", [(".s_waits(1'b1)", ".s_waits(1'b0)")]),
    "two streams change places": ("host", [("s_axis_work_tuser, s_axis_work_tdata}", "s_axis_work_tdata, s_axis_work_tuser}")]),
    "a cut frame is not marked": ("mac", [("word[WIDTH+WIDTH/8] <= 1'b1", "word[WIDTH+WIDTH/8] <= 1'b0")]),
    "the rest of a frame without room goes in": ("mac", [("discards <= !s_axis_tlast;\n                last", "discards <= 1'b0;\n                last")]),
    "a loss is not told": ("mac", [("dropped <= lost;", "dropped <= lost & !last;")]),
    "a register without a first value": ("mac", [("discards = 1'b0", "discards")]),
}


def build(bench, plants=(), name=None):
    """Compiles a bench, with texts replaced; returns the program's path."""
    top, files, parameters = BENCHES[bench]
    paths = []
    left = dict(plants)
    for file in [f"bench/{top}.v", "bench/weft_sync.v", *files]:
        with open(f"{CDC}/{file}", encoding="utf-8") as source:
            text = source.read()
        for old in [old for old in left if old in text]:
            if text.count(old) != 1:
                sys.exit(f"{name}: {old!r} is {text.count(old)} times in {file}, not once")
            text = text.replace(old, left.pop(old))
        path = f"{WORK}/{name or bench}/{os.path.basename(file)}".replace(" ", "_")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as copy:
            copy.write(text)
        paths.append(path)
    if left:
        sys.exit(f"{name}: not in any file: {', '.join(left)}")
    program = os.path.dirname(paths[0]) + "/run"
    flags = [f"-P{top}.{key}={value}" for key, value in parameters.items()]
    subprocess.run(["iverilog", "-g2005", "-Wall", "-Wno-timescale", *flags, "-s", top, "-o", program, *paths], check=True)
    return program


def says(program, **arguments):
    """The first line that a run prints."""
    flags = [f"+{key}={value}" for key, value in arguments.items()]
    done = subprocess.run(["vvp", "-n", program, *flags], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()[0]


def runs(bench, seeds):
    """The arguments of a bench's runs."""
    if bench == "mac":
        lossless = [{"ready": 100, "s_ps": 2000, "m_ps": 1990, "seed": seed} for seed in range(1, seeds + 1)]
        unreset = [{"resets": 0, "seed": seed} for seed in range(1, seeds + 1)]
        return [{"s_ps": s, "m_ps": m, "seed": seed} for s, m in CLOCKS[:4] for seed in range(1, seeds + 1)] + lossless + unreset
    if bench == "host":
        return [{"core_ps": s, "host_ps": m, "seed": seed} for s, m in CLOCKS[:3] for seed in range(1, (seeds + 1) // 2 + 1)]
    words = {"words": 2500}
    return [{"s_ps": s, "m_ps": m, "resets": resets, "seed": seed, **words} for s, m in CLOCKS for resets in (0, 1) for seed in range(1, seeds + 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="20 seeds of each run in place of one, and all faults in place of a sixth")
    parser.add_argument("--only", default="", metavar="TEXT", help="benches and faults whose names hold TEXT")
    options = parser.parse_args()
    os.chdir(ROOT)
    bad = 0
    for bench in (name for name in BENCHES if options.only in name):
        program = build(bench)
        done = runs(bench, 20 if options.soak else 1)
        wrong = [(run, said) for run, said in ((run, says(program, **run)) for run in done) if not said.startswith("PASS")]
        for run, said in wrong:
            print(f"{bench}: {said}\nrepeat: vvp -n {program} " + " ".join(f"+{key}={value}" for key, value in run.items()))
        bad += len(wrong)
        print(f"{bench}: {len(done) - len(wrong)} of {len(done)} runs pass", flush=True)
    # Without --soak, a sixth of the faults, spread over the benches. A name selects any fault.
    some = not options.soak and not options.only
    for number, (fault, (bench, plants)) in enumerate(FAULTS.items()):
        if options.only not in fault or some and number % 6:
            continue
        program = build(bench, plants, fault)
        found = next((said for said in (says(program, **run) for run in runs(bench, 2)) if not said.startswith("PASS")), None)
        print(f"fault, {fault}: {found or 'NOT FOUND'}", flush=True)
        bad += found is None
    # If registers get the right value at once, a binary pointer works as well: only the model finds this
    # fault.
    if options.only in "pointers in binary":
        ideal = [("(d & ~late) | (was & late)", "d")]
        program = build("words", BINARY + ideal, "binary, ideal")
        passes = says(program, words=3000).startswith("PASS")
        print(f"pointers in binary through ideal synchronisers: {'not found, as expected' if passes else 'FOUND'}")
        bad += not passes
    sys.exit(1 if bad else 0)


main()
