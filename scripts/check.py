#!/usr/bin/env python3
"""Checks one change in about three minutes on two quiet cores: format, lint of the changed crates, and the jobs of
`make test` that the changed files affect. The script does not replace `make test`: it prints the jobs that it leaves
out.

    scripts/check.py [REVISION]     the changes since that revision; by default those that are not committed, or else the last commit

A file affects the tests of its crate, and those of the crates that are built from that crate. Of the tests of blocks, of
the NIC and of systems, a file affects those whose names contain a changed block. A block is changed when a file in its
folder has changed, or a module of its Verilog. A page affects the tests of pages, a script affects its own job. Jobs that
took longer than a minute when they ran last are left out.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("check.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import subprocess

import jobs
import kept

# Jobs of more processor time, in seconds, are left out.
LONG = 60.0
# Names of the blocks. Their tests and proofs have the same names.
BLOCKS = tuple(block for block in jobs.MUTATED if block != "nic")
# Jobs, by the prefix of a changed file's path.
STEPS = {
    "docs/": ("contents of the site", "tables of synthesis", "tables of switch programs", "weft-house"),
    "docs/tutorial/": ("tutorial own_module", "tutorial own_block", "tutorial two_nics", "tutorial from_c", "tutorial, patches"),
    "docs/schemes/": ("keys of schemes and workloads", "examples of schemes and workloads"),
    "docs/workloads/": ("keys of schemes and workloads", "examples of schemes and workloads"),
    "README.md": ("weft-house",),
    "hdl/": ("registers", "drawing of the NIC", "weft-house"),
    "hdl/include/": ("registers in SystemRDL",),
    "fpga/cdc/": ("clock crossings", "constraints"),
    "constraints/": ("constraints",),
    "fpga/corundum/": ("Corundum",),
    "testbench/cocotb/": ("independent client",),
    "testbench/chakra/": ("execution traces of Chakra",),
    "python/": ("weft-sim for Python",),
    "docs/python.md": ("weft-sim for Python",),
    "scripts/wheel.py": ("weft-sim for Python",),
    "fpga/example/": ("worked example", "tutorial two_nics"),
    "scripts/clocks.py": ("clock crossings",),
    "scripts/constraints.py": ("constraints",),
    "scripts/waits.py": ("blocks that may wait for ever",),
    "scripts/wrappers.py": ("what stands around a NIC",),
    "scripts/example.sh": ("worked example",),
    "scripts/readers.py": ("slang and Verible",),
}


def git(*words):
    done = subprocess.run(["git", *words], cwd=jobs.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"check.py: git {' '.join(words)}: {done.stderr.strip()}", file=sys.stderr)
        sys.exit(2)
    return done.stdout.splitlines()


def changed(revision):
    """The changed files, and the commit with which they are compared."""
    if revision:
        return sorted({*git("diff", "--name-only", revision), *git("ls-files", "--others", "--exclude-standard")}), revision
    now = sorted({*git("diff", "--name-only", "HEAD"), *git("ls-files", "--others", "--exclude-standard")})
    return (now, "the last commit") if now else (git("diff", "--name-only", "HEAD~1"), "the commit before the last")


def blocks_of(files):
    """The blocks to which the files belong, or whose Verilog contains one of the modules."""
    found = {block for path in files for block in BLOCKS if block in path.replace(".rs", "").replace(".md", "").split("/")}
    modules = {os.path.basename(path) for path in files if path.startswith("hdl/verilog/") and path.endswith(".v")}
    for block in BLOCKS:
        with open(f"{jobs.ROOT}/hdl/verilog/weft_{block}.f", encoding="utf-8") as listed:
            if modules & {os.path.basename(line.strip()) for line in listed}:
                found.add(block)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", help="the revision to compare with")
    files, since = changed(parser.parse_args().revision)
    if not files:
        print("nothing is changed")
        return
    folders, needs = kept.crates()
    own = {name for name, folder in folders.items() for path in files if path.startswith(folder + "/")}
    above = {name for name in folders if needs[name] & own}
    blocks = blocks_of(files)
    print(f"{len(files)} files changed since {since}; crates: {', '.join(sorted(own)) or 'none'}; blocks: {', '.join(sorted(blocks)) or 'none'}", flush=True)

    def step(what, *command):
        print(f"\n== {what}", flush=True)
        if subprocess.run(command, cwd=jobs.ROOT, check=False).returncode:
            sys.exit(1)

    step("format", "cargo", "fmt", "--all", "--check")
    if own:
        which = [word for name in sorted(own) for word in ("--package", name)]
        step("lint", "cargo", "clippy", "--release", "--quiet", "--all-targets", *which, "--", "-D", "warnings")
    step("build", "cargo", "build", "--release", "--quiet", "--package", "weft")
    named = {name for begin, names in STEPS.items() for path in files if path.startswith(begin) for name in names}
    named |= {f"{what} {block}" for what in ("proof", "weft-proof") for block in blocks}
    apart = set(jobs.APART) - {"verilator-sys"}
    # The crates with tests of blocks are built only for the blocks that changed.
    tested = (own | above) - apart | own & apart | ({"weft-blocks"} if blocks else set()) | ({"weft-house"} if "weft-house" in named else set())

    def is_reached(job):
        package = job.name.split(" ")[0]
        if package in apart and blocks and package != "weft-nic":
            return any(block in job.name for block in blocks)
        return job.name in named or package in tested

    reached = [job for job in jobs.steps(False) if job.name in named or job.name in kept.TESTS and is_reached(job)]
    if tested:
        reached += [job for job in jobs.tests(False, sorted(tested)) if is_reached(job)]
    known = jobs.durations()
    left = [job.name for job in reached if known.get(job.name, 0.0) > LONG]
    reached = [job for job in reached if job.name not in left]
    reached.sort(key=lambda job: -known.get(job.name, jobs.UNKNOWN))
    print(f"\n== {len(reached)} jobs", flush=True)
    failed = jobs.run(reached, lambda job: None, jobs.durations())
    if left:
        print(f"left out, as each takes more than a minute: {', '.join(left)}")
    print(f"{len(reached) - len(failed)} passed, {len(failed)} failed; `make test` runs all")
    sys.exit(1 if failed else 0)


main()
