#!/usr/bin/env python3
"""The adapter for ASTRA-sim (integrations/astra-sim): compiled against a header with the functions of ASTRA-sim's
network API, under the sanitizers. A driver plays collectives and a pipeline through the adapter, and `weft sim` plays
the same from its files. Exit code 1 if the times differ by more than the permitted delay of answers. `weft sim` also plays the
messages that went through the adapter, from a list with the times at which they left: exit code 1 if the results
differ in a byte.

    scripts/astra_sim.py [--astra-sim FOLDER | --speed]

--astra-sim only compiles the adapter against ASTRA-sim's own header, in that folder, into build/astra-sim.
--speed only measures: processor time by packet-hops for 64, 512 and 4,096 ranks (docs/ai-simulators.md).
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("astra_sim.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import json
import os
import subprocess

import libweft

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/astra-sim"
ADAPTER = f"{ROOT}/integrations/astra-sim"
WEFT = f"{ROOT}/target/release/weft"
COMPILER = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{ROOT}/capi/include", f"-I{ADAPTER}"]
RANKS, BYTES, PARTS, WORK_NS = 16, 1_000_000, 8, 5000
INNER = "inner={ hosts = 4, gbps = 3600, latency_ns = 500 }"
# Leaves and hosts of each, which has as many spines; runs of each.
SIZES, RUNS = ((8, 8), (32, 16), (128, 32)), 10
SETUP = """seed = 1
[topology]
kind = "leaf-spine"
leaves = 4
spines = 4
hosts_per_leaf = 4
[scheme]
name = "ecmp"
[workload]
kind = "none"
"""


def pipeline():
    """The driver's pipeline in GOAL."""
    for rank in range(RANKS):
        yield f"rank {rank} {{"
        for part in range(PARTS):
            yield f"c{part}: calc {WORK_NS}"
            if part:
                yield f"c{part} requires c{part - 1}"
            if rank:
                yield f"r{part}: recv {BYTES}b from {rank - 1} tag {part}"
                yield f"c{part} requires r{part}"
            if rank + 1 < RANKS:
                yield f"s{part}: send {BYTES}b to {rank + 1} tag {part}"
                yield f"s{part} requires c{part}"
        yield "}"


def played(*words):
    """Runs a workload through the adapter. Returns the nanoseconds until all handlers were called, and the rest of the driver's output."""
    done = subprocess.run([f"{WORK}/driver", f"{WORK}/fabric.toml", *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: code {done.returncode}: {done.stdout}")
    said = json.loads(done.stdout)
    if not said["report"]["summary"]["is_complete"] or said["report"]["violations"]:
        sys.exit(f"{' '.join(words)}: {said['report']['violations'] or 'messages are under way'}")
    if said["most_ns"] > said["window_ns"]:
        sys.exit(f"{' '.join(words)}: an answer was later than a window")
    return said


def closed(*sets):
    """Runs the workload in `weft sim`. Returns its nanoseconds."""
    words = [word for one in sets for word in ("--set", one)]
    done = subprocess.run([WEFT, "sim", f"{WORK}/fabric.toml", *words, "--json", "-"], stdout=subprocess.PIPE, text=True, check=True)
    summary = json.loads(done.stdout)["summary"]
    return 1e3 * max(summary["acknowledged_us"], (summary.get("schedule") or {}).get("last_us") or 0)


def repeated(report):
    """Whether `weft sim` has the bytes of this report, for the same flows at the same times."""
    with open(f"{WORK}/flows.txt", "w", encoding="utf-8") as file:
        file.writelines(f"{flow['source']} {flow['destination']} {flow['bytes']} {flow['start_us']}\n" for flow in report["flows"])
    words = ["--set", "workload.kind=flows", "--set", "workload.file=flows.txt", "--json", "-"]
    done = subprocess.run([WEFT, "sim", f"{WORK}/fabric.toml", *words], stdout=subprocess.PIPE, text=True, check=True)
    results = [report, json.loads(done.stdout)]
    for result in results:
        # The flows have another source; only a command has a digest.
        del result["setup"]["workload"]
        for key in ("inputs", "program"):
            result.pop(key, None)
    own, other = map(json.dumps, results)
    return own == other


def driver(*flags):
    """Compiles adapter and driver, and writes the setup."""
    libweft.build()
    sources = [f"{ADAPTER}/weft_network.cc", f"{ADAPTER}/test/driver.cc", libweft.STATIC, "-lpthread", "-ldl", "-lm"]
    subprocess.run([*COMPILER, *flags, f"-I{ADAPTER}/test", *sources, "-o", f"{WORK}/driver"], check=True)
    with open(f"{WORK}/fabric.toml", "w", encoding="utf-8") as file:
        file.write(SETUP)


def speed():
    """Rows of the table of speeds: all-to-all in groups of eight ranks that are far apart."""
    print("| ranks | messages | packet-hops | seconds for 10^9 packet-hops |\n|---|---|---|---|")
    for leaves, hosts in SIZES:
        sets = [f"topology.{key}={value}" for key, value in (("leaves", leaves), ("spines", hosts), ("hosts_per_leaf", hosts))]
        seconds = []
        for _ in range(RUNS):
            before = os.times()
            said = played("groups", str(BYTES), "links.host_gbps=400", "links.fabric_gbps=400", *sets)
            after = os.times()
            summary = said["report"]["summary"]
            used = after.children_user + after.children_system - before.children_user - before.children_system
            seconds.append(1e9 * used / summary["packet_hops"])
        mean = sum(seconds) / RUNS
        spread = (sum((it - mean) ** 2 for it in seconds) / (RUNS - 1)) ** 0.5
        print(f"| {leaves * hosts:,} | {summary['flows']:,} | {summary['packet_hops'] / 1e6:.1f} million | {mean:.1f} ± {spread:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--astra-sim", metavar="FOLDER", help="only compile the adapter against this ASTRA-sim")
    parser.add_argument("--speed", action="store_true", help="only measure the speed")
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    if options.astra_sim:
        command = [*COMPILER, "-isystem", options.astra_sim, "-c", f"{ADAPTER}/weft_network.cc", "-o", f"{WORK}/weft_network.o"]
        sys.exit(subprocess.run(command, check=False).returncode)
    if options.speed:
        driver("-O2")
        speed()
        return
    driver("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    with open(f"{WORK}/pipeline.goal", "w", encoding="utf-8") as file:
        file.write("\n".join([f"num_ranks {RANKS}", *pipeline()]) + "\n")
    wrong = 0
    # The number of consecutive steps in which an answer may be late.
    for kind, steps, *sets in (
        ("ring", 2 * (RANKS - 1), "workload.kind=allreduce", f"workload.bytes={BYTES}"),
        ("alltoall", 1, "workload.kind=alltoall", f"workload.bytes={BYTES}", f"workload.window={RANKS - 1}"),
        ("pipeline", 0, "workload.kind=goal", "workload.file=pipeline.goal"),
    ):
        said, expected = played(kind, str(BYTES)), closed(*sets)
        late = said["ns"] - expected
        is_wrong = not -0.001 < late < steps * said["window_ns"] + 0.001 or (kind == "ring") != (said["late"] > 0)
        wrong += is_wrong
        print(f"{kind}: {said['ns'] / 1e3:.3f} us, weft sim {expected / 1e3:.3f} us; {said['late']} answers late by {said['mean_ns']:.0f} ns on average, "
              f"{said['most_ns']:.0f} ns at most, a window is {said['window_ns']:.0f} ns{': WRONG' if is_wrong else ''}")
        if played(kind, str(BYTES)) != said:
            sys.exit(f"{kind}: another result the second time")
        is_same = repeated(said["report"])
        wrong += not is_same
        print(f"{kind}: the same {len(said['report']['flows'])} messages in weft sim: {'the same bytes' if is_same else 'results DIFFER'}")
        # Four ranks share an inner dimension of 3,600 Gb/s: fewer messages cross the fabric, and no message
        # takes longer.
        inner = played(kind, str(BYTES), INNER)
        wrong += not inner["ns"] < said["ns"]
        print(f"{kind} with an inner dimension: {inner['ns'] / 1e3:.3f} us, {inner['report']['summary']['flows']} of {said['report']['summary']['flows']} messages on the fabric")
    sys.exit(wrong)


main()
