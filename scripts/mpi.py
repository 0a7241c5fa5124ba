#!/usr/bin/env python3
"""Tests one run in several processes (docs/clusters.md): `mpirun -n 1`, 2 and 4 of a `weft` with MPI. Each must write
the bytes that the same `weft` writes in one process with two threads. Exit code 1 if the bytes differ.

    scripts/mpi.py [--weft FILE]     FILE is a `weft` that has MPI; without one, the script builds it beneath build/mpi
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("mpi.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import shutil
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/mpi"
BUILD = ["cargo", "build", "--release", "--quiet", "-p", "weft", "--features", "mpi", "--target-dir", WORK]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--weft", help="a weft that has MPI")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        sys.exit("mpi.py: mpirun is missing: scripts/setup.sh mpi installs it")
    if not options.weft:
        subprocess.run(BUILD, cwd=ROOT, check=True)
    weft = os.path.abspath(options.weft or f"{WORK}/release/weft")
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
