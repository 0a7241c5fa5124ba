#!/usr/bin/env python3
"""Tests one run in several processes (docs/clusters.md): `mpirun -n 1`, 2 and 4 of a `weft` with MPI. Each must write
the bytes that the same `weft` writes in one process with two threads. Exit code 1 if the bytes differ.

    scripts/mpi.py [--weft FILE]               FILE is a `weft` that has MPI; without one, the script builds it beneath build/mpi
    scripts/mpi.py --sizes [HOSTS...]          measures instead: one thread, two threads and two ranks on fabrics of these sizes (all
                                               that SIZES has), and prints a table
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("mpi.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import re
import shutil
import statistics
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/mpi"
BUILD = ["cargo", "build", "--quiet", "-p", "weft", "--features", "mpi", "--target-dir", WORK, "--profile"]
RANKS = (1, 2, 4)
# Packets of NICs, of baselines and of switches, pauses, signals of collectives and of schedules, links over time.
RUNS = (
    ("permutation.toml", "topology.k=4", "workload.bytes=1048576"),
    ("conweave.toml", 'series={every_us=5,links=["leaf-0"],reorder_us=10}'),
    ("failures.toml",),
    ("dcqcn.toml",),
    ("lossless.toml",),
    ("ring_all_reduce.toml",),
    # There are as many leaves as ranks.
    ("goal.toml", "topology.leaves=4", "topology.hosts_per_leaf=1"),
    ("incast.toml",),
)
# Fat trees by their hosts: k, and MiB that each host sends. The runs have about as many packet-hops.
SIZES = {16: (4, 512), 128: (8, 64), 1024: (16, 8), 8192: (32, 1)}
# Times that a size is measured.
ROUNDS = 5
# The text of a run: its packet-hops, and millions of them a second.
SPEED = re.compile(r"(\d+) packet-hops .* ([\d.]+) million a second")
# There are more processes than cores, so idle processes yield. Open MPI refuses root without the variables.
MPIRUN = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(words):
    """The bytes that a command writes, and its seconds."""
    begin = time.monotonic()
    done = subprocess.run(words, cwd=f"{ROOT}/examples", stdout=subprocess.PIPE, env=ENVIRONMENT, check=False)
    if done.returncode:
        sys.exit(f"mpi.py: {' '.join(words)}: exit code {done.returncode}")
    return done.stdout, time.monotonic() - begin


def measured(words, result):
    """The bytes of a result, its packet-hops, the seconds of the run, and those of its start and end."""
    said, seconds = run([*words, "--json", result])
    found = SPEED.search(said.decode())
    if not found:
        sys.exit(f"mpi.py: {' '.join(words)} says no packet-hops a second")
    hops, inside = int(found[1]), int(found[1]) / float(found[2]) / 1e6
    with open(result, "rb") as file:
        return file.read(), hops, inside, seconds - inside


def sizes(weft, wanted):
    """Prints rows of a table. Returns whether bytes differ."""
    print("| hosts | million packet-hops | one thread, s | two threads, s | two ranks, s | ranks / threads | one thread / ranks |")
    print("|---|---|---|---|---|---|---|")
    differ, starts = False, []
    for hosts in wanted:
        k, mib = SIZES[hosts]
        words = [weft, "sim", "permutation.toml", "--set", f"topology.k={k}", "--set", f"workload.bytes={mib << 20}"]
        # With a core for each of the two ranks none has to yield.
        ways = ([*words, "--threads", "1"], [*words, "--threads", "2"], ["mpirun", "-n", "2", *words])
        seconds = [[], [], []]
        for turn in range(ROUNDS):
            results = {}
            # The ways take turns at being first.
            for way in sorted(range(3), key=lambda way: (way + turn) % 3):
                results[way], hops, inside, around = measured(ways[way], f"{WORK}/sizes.json")
                seconds[way].append(inside)
                starts += [around] if way == 2 else []
            differ |= len(set(results.values())) > 1
        one, two, ranks = (statistics.median(all_of) for all_of in seconds)
        ratios = [statistics.median(ranks / other for ranks, other in zip(seconds[2], seconds[1])), statistics.median(other / ranks for ranks, other in zip(seconds[2], seconds[0]))]
        print(f"| {hosts:,} | {hops / 1e6:.1f} | {one:.2f} | {two:.2f} | {ranks:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
    print(f"medians of {ROUNDS} rounds; mpirun takes {statistics.median(starts):.1f} s more to start and to end{'; BYTES DIFFER' if differ else ''}")
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--weft", help="a weft that has MPI")
    parser.add_argument("--sizes", nargs="*", type=int, metavar="HOSTS", choices=SIZES, help=f"measure fabrics of these sizes: {', '.join(map(str, SIZES))}")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        sys.exit("mpi.py: mpirun is missing: scripts/setup.sh mpi installs it")
    # Long runs have the profile that the page of the engine measures.
    profile = "release" if options.sizes is None else "simulation"
    if not options.weft:
        subprocess.run([*BUILD, profile], cwd=ROOT, check=True)
    weft = os.path.abspath(options.weft or f"{WORK}/{profile}/weft")
    if options.sizes is not None:
        sys.exit(sizes(weft, options.sizes or SIZES))
    bad = 0
    for file, *sets in RUNS:
        words = [weft, "sim", file, *(word for value in sets for word in ("--set", value)), "--json", "-"]
        (alone, seconds), told = run([*words, "--threads", "2"]), []
        for ranks in RANKS:
            found, took = run([*MPIRUN, "-n", str(ranks), *words])
            told.append(f"{ranks} {took:.1f} s" + ("" if found == alone else " DIFFER"))
            bad += found != alone
        print(f"{' '.join([file, *sets])}: {len(alone)} bytes, threads {seconds:.1f} s, ranks {', '.join(told)}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
