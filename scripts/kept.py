#!/usr/bin/env python3
"""Keeps the verdicts of steps that read committed files only: those with tools of other people, chapters of the tutorial, lint and
documentation of all crates, the tests of proofs, of the emitter, of verilator-sys and of models, tests that plant bugs, and tests of shapes
other than the committed one. A step runs again when one of its files or tools has changed.

    scripts/kept.py STEP              exit code 0 if docs/results/verdicts.json has a verdict on these files and tools; otherwise runs the step
    scripts/kept.py --anew STEP       runs the step in any case
    scripts/kept.py --write [STEP]    keeps the verdict of the step, or of all steps; runs each step that has not passed with these files and tools
    scripts/kept.py --list            prints the steps and whether their verdicts hold

Passed steps are remembered in build, so that --write after a `make test` runs no step twice. `make soak` runs every
step again.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("kept.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import functools
import hashlib
import json
import os
import subprocess

import proved

ROOT = proved.ROOT
KEPT = f"{ROOT}/docs/results/verdicts.json"
PASSED = f"{ROOT}/build/kept"
WEFT = "target/release/weft"
# Every step depends on this file, which has the versions of the tools that are not from Debian.
ALWAYS = ["scripts/setup.sh"]
TOOLS = (["yosys", "-V"], ["verilator", "--version"], ["iverilog", "-V"], ["cadical", "--version"])
# Further tools of steps that read the folders of crates.
COMPILERS = (["rustc", "--version"], ["clippy-driver", "--version"], ["g++", "--version"])
# Two entries in place of files: the folder of one crate and the folders of the workspace's crates that it is
# built from; the folders of all crates.
CRATE, CRATES = "crate ", "crates"
WORKSPACE = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"]
# The emitter and its output, for steps that need shapes other than the committed one.
EMISSION = ["hdl/src", "hdl/macros", "hdl/verilog", "model/interface", "model/params/src", "cli/src/emit.rs", "Cargo.lock"]
# The models behind libweft and weft-sim.
MODELS = ["model", "capi/src", "capi/include", "Cargo.lock"]
# Files that the tests of proofs read: the benches show some of the bugs, and parts around the NIC are files by hand.
BUGS = [*proved.SOURCES, "hdl/verilog", "fpga/cdc", "testbench/verilator-sys/src", "testbench/blocks/src"]
PROOF_TESTS = "testbench/proof/tests"
# The lint has its compiler's arguments in the environment, as `cargo clippy -- -D warnings` has. Pages of crates and their examples: with
# the lint's compiler, which has checked all crates already.
DOCUMENTATION = """export CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
RUSTC_WORKSPACE_WRAPPER=$(rustc --print sysroot)/bin/clippy-driver cargo doc --release --quiet --workspace --no-deps &&
    cargo test --release --quiet --workspace --doc"""
# Crates whose test programs are steps: the tools below all blocks. Their tests read no block, and no model of
# a block.
TOOL_CRATES = {"weft-hdl": "hdl/tests", "weft-hdl-random": "hdl/random/tests", "verilator-sys": "testbench/verilator-sys/tests", "weft-symbolic": "testbench/symbolic/tests"}
# The model of the NIC, whose tests have fixed inputs and run no Verilog; and the crate that plants faults, whose tests
# show that lockstep finds them.
MODEL_CRATES = {"weft-nic": "model/nic/tests", "weft-mutate": "testbench/mutate/tests"}
TESTS_INSIDE = ("verilator-sys", "weft-symbolic", *MODEL_CRATES)
# Modules of the command that have tests of their own.
COMMAND_TESTS = ("cosim", "plot", "reproduce", "usage")
# Tests that plant bugs and show that the benches find them, by crate and program. Tests of the sound Verilog run in every `make test`.
PLANTED = {
    "weft-blocks": {
        "catalogue": ["every_bug_finds_its_place_once"],
        "egress": ["lockstep::some_planted_bugs_are_found"],
        "ingress": ["lockstep::some_planted_bugs_are_found"],
        "nscc": ["lockstep::planted_bugs_are_found"],
        "receiver": ["lockstep::some_planted_bugs_are_found"],
        "registers": ["lockstep::some_planted_bugs_are_found"],
        "reps": ["lockstep::a_wrong_word_is_found_while_it_is_offered", "lockstep::planted_bugs_are_found", "yardstick::a_bug_in_it_is_found"],
        "sack_rx": ["lockstep::planted_bugs_are_found"],
        "sack_tx": ["lockstep::some_planted_bugs_are_found"],
        "sender": ["freezes::a_decision_that_is_counted_while_it_waits_is_found", "lockstep::some_planted_bugs_are_found", "slots::slots_that_are_mistaken_are_found"],
        "smartt": ["lockstep::planted_bugs_are_found"],
    },
    "weft-system": {
        "incast": ["a_bug_in_the_rtl_is_found"],
        "placed": ["faults_are_found"],
        "recovery": ["a_bug_is_no_longer_its_model"],
        "transport": ["bugs_in_the_rtl_are_found_with_the_model_and_without", "planted_faults_are_found"],
    },
}
# Long tests of shapes other than the committed one, likewise. Tests of the committed shape run in every `make test`.
SHAPES = {
    "weft-blocks": {
        "egress": ["lockstep::larger_windows"],
        "receiver": ["lockstep::larger_windows"],
        "sack_rx": ["lockstep::a_window_of_1024"],
        "sack_tx": ["lockstep::a_window_of_1024", "lockstep::a_window_of_512", "model::larger::windows_of_1024"],
        "sender": ["lockstep::larger_windows"],
    },
    "weft-system": {
        "corundum": ["messages_cross_a_bad_wire"],
        "nic": [
            "nscc::everything_bad_in_lockstep",
            "nscc::the_register_shape_says_which_window",
            "width::a_message_to_itself_through_narrow_streams",
            "windows::the_register_shape_says_which_window",
            "windows::windows_of_1024_in_lockstep",
            "windows::windows_of_512_in_lockstep",
        ],
    },
}
# Chapters of the tutorial, and the files that each reads beside its page. The last three change a copy of the tree.
CHAPTERS = {
    "from_c": [f"{CRATE}weft", f"{CRATE}weft-capi", "Makefile", "scripts/install_lib.sh", "hdl/include", *WORKSPACE],
    "two_nics": ["fpga/example", *EMISSION],
    "own_module": [f"{CRATE}weft", *WORKSPACE],
    "own_block": [f"{CRATE}weft-bench", f"{CRATE}weft-symbolic", *WORKSPACE],
    "counter": [f"{CRATE}weft", f"{CRATE}weft-blocks", "docs/blocks/egress.md", "docs/registers.md", "hdl/include", *WORKSPACE],
    "load_balancer": [f"{CRATE}weft", f"{CRATE}weft-fabric", "examples/permutation.toml", *WORKSPACE],
}
# The wheel, its tests, the pages whose examples they run, and the chapter that installs it.
PAGES_OF_PYTHON = [f"docs/{page}.md" for page in ("python", "clusters", "ai-simulators", "verify-your-nic", "tutorial/from_python")]
PYTHON = [f"{CRATE}weft", f"{CRATE}weft-capi", f"{CRATE}weft-python", "scripts/wheel.py", "scripts/libweft.py", "scripts/tutorial.py", "examples", "hdl/include", "hdl/verilog", *PAGES_OF_PYTHON, *WORKSPACE]
# Command of each step, and the files and folders that it reads.
STEPS = {
    "Corundum": (["scripts/corundum.sh"], ["scripts/corundum.sh", "testbench/corundum", "testbench/cocotb", "fpga/corundum", "fpga/cdc", "docs/registers.md", *EMISSION]),
    "independent client": (["scripts/cocotb.sh", "icarus"], ["scripts/cocotb.sh", "testbench/cocotb", "hdl/verilog", "docs/registers.md"]),
    "FuseSoC cores": (["scripts/fusesoc.sh"], ["scripts/fusesoc.sh", "scripts/libweft.py", "hdl/verilog", "fpga", "integrations"]),
    "gate of the emitted Verilog": ([WEFT, "emit", "all", "--check", "--out", "hdl/verilog"], EMISSION),
    "what stands around a NIC": (["scripts/wrappers.py"], ["scripts/wrappers.py", "fpga", *EMISSION]),
    "clock crossings": (["scripts/clocks.py"], ["scripts/clocks.py", "fpga/cdc"]),
    "constraints": (["scripts/constraints.py"], ["scripts/constraints.py", "scripts/constraints.tcl", "constraints", "fpga", "hdl/verilog"]),
    "worked example": (["scripts/example.sh"], ["scripts/example.sh", "fpga/cdc", "fpga/example", "hdl/verilog"]),
    "libweft in SystemVerilog": (["scripts/dpi.py"], ["scripts/dpi.py", "scripts/libweft.py", "integrations/dpi", "hdl/verilog", *MODELS]),
    "weft-sim for Python": (["sh", "-c", "scripts/wheel.py && scripts/tutorial.py from_python"], PYTHON),
    "scoreboard in cocotb": (["scripts/scoreboard.py"], ["scripts/scoreboard.py", "scripts/dpi.py", "scripts/libweft.py", "scripts/wheel.py", "integrations/cocotb", "docs/verify-your-nic.md", "python", "hdl/verilog", *MODELS]),
    "libweft in ASTRA-sim": (["scripts/astra_sim.py"], ["scripts/astra_sim.py", "scripts/libweft.py", "integrations/astra-sim", f"{CRATE}weft", f"{CRATE}weft-capi", *WORKSPACE]),
    "lint": (["cargo", "clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"], [CRATES, *WORKSPACE]),
    "documentation": (["sh", "-c", DOCUMENTATION], [CRATES, *WORKSPACE]),
    "proof streams": ([WEFT, "prove", "streams", "--block", "reps", "--block", "sack_rx", "--block", "ingress"], proved.SOURCES),
}


def program(package, name, files, test=""):
    """The step of a test program, or of one of its tests, by its name in scripts/jobs.py; without a name the step of
    the tests inside the crate."""
    packages = [word for one in dict.fromkeys(["weft", package]) for word in ("-p", one)]
    which = ["--test", name] if name else ["--lib"]
    alone = ["--", "--exact", test] if test else []
    if package in MODEL_CRATES:
        # With the program of the command among the targets cargo takes the models that are built. Otherwise it builds them again.
        # The command's own tests read pages, and are no part of the step.
        which += ["--bin", "weft"]
        alone = ["--", *(word for module in COMMAND_TESTS for word in ("--skip", f"{module}::"))]
    return {f"{package} {name} {test}".strip(): (["cargo", "test", "--release", "--quiet", *packages, *which, *alone], files)}


def names(folder):
    """The test programs of a folder."""
    return sorted(entry.name.replace(".rs", "") for entry in os.scandir(f"{ROOT}/{folder}") if entry.name.endswith(".rs") or os.path.exists(f"{entry.path}/main.rs"))


# Bugs that each proof must refute, one test program for a proof.
TESTS = {}
for one in names(PROOF_TESTS):
    page = ["docs/proof/hangs.md"] if one == "parts" else []
    TESTS |= program("weft-proof", one, [f"{PROOF_TESTS}/{one}.rs", *page, *BUGS])
for crate, folder in {**TOOL_CRATES, **MODEL_CRATES}.items():
    for one in names(folder) + ([""] if crate in TESTS_INSIDE else []):
        TESTS |= program(crate, one, [f"{CRATE}{crate}", *WORKSPACE])
SINGLE_TESTS = {}
for crate, programs in [*PLANTED.items(), *SHAPES.items()]:
    for one, tests in programs.items():
        for test in tests:
            SINGLE_TESTS |= program(crate, one, [f"{CRATE}{crate}", *WORKSPACE], test)
TESTS |= SINGLE_TESTS
# Crates all of whose tests are steps.
SETTLED = ("weft-proof", *TOOL_CRATES, *MODEL_CRATES)
# Measures an area with the tools of `weft synth` five times.
TESTS |= program("weft", "synth", [f"{CRATE}weft-synth", "cli/src", "cli/tests/synth.rs", "cli/tests/command", "docs/results/synth_xcup.json", *WORKSPACE])
# Proves and compares modules as a user would bring them, and asks for every mistake of theirs.
TESTS |= program("weft", "own_verilog", [f"{CRATE}weft", "examples/own_verilog", *WORKSPACE])
STEPS |= TESTS
# Examples of load balancers and workloads, which are pages as chapters are.
EXAMPLES = [f"{folder}/{one.name[:-3]}" for folder in ("schemes", "workloads") for one in sorted(os.scandir(f"{ROOT}/docs/{folder}"), key=lambda one: one.name) if one.name.endswith(".md")]
STEPS["examples of schemes and workloads"] = (["scripts/tutorial.py", *EXAMPLES], ["scripts/tutorial.py", "docs/schemes", "docs/workloads", "examples", f"{CRATE}weft-sweep", "cli/src", *WORKSPACE])
STEPS |= {f"tutorial {one}": (["scripts/tutorial.py", one], ["scripts/tutorial.py", f"docs/tutorial/{one}.md", *files]) for one, files in CHAPTERS.items()}


@functools.lru_cache(maxsize=None)
def version(*command):
    return f"{command[0]} {proved.said(*command).splitlines()[:1]}\n"


@functools.lru_cache(maxsize=None)
def crates():
    """Folder of each crate from the root, and the crates of the workspace that it is built from, by name."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    packages = json.loads(proved.said(*command))["packages"]
    names = {package["name"] for package in packages}
    folder = {package["name"]: os.path.relpath(os.path.dirname(package["manifest_path"]), ROOT) for package in packages}
    needs = {package["name"]: {one["name"] for one in package["dependencies"]} & names for package in packages}
    return folder, needs


def folders_of(listed):
    """The folders of the crates among these entries, and of the crates that they are built from. The tests and benches
    of the latter are left out, because cargo builds them only for those crates themselves."""
    if not any(path.startswith(CRATE) or path == CRATES for path in listed):
        return []
    folder, needs = crates()
    own = set(folder) if CRATES in listed else {path[len(CRATE) :] for path in listed if path.startswith(CRATE)}
    inside, below = set(own), set()
    while below != inside:
        below = set(inside)
        inside |= {name for one in below for name in needs[one]}
    # A folder may hold that of another crate.
    apart = [f":!{folder[name]}/{kind}" for name in sorted(set(folder) - own) for kind in ("tests", "benches")]
    return [*(folder[name] for name in sorted(inside)), *apart]


def digest(step):
    """The digest of all files that a step reads."""
    total = hashlib.sha256(" ".join(STEPS[step][0]).encode())
    for tool in [*TOOLS, *(COMPILERS if WORKSPACE[0] in STEPS[step][1] else ())]:
        total.update(version(*tool).encode())
    listed = STEPS[step][1]
    proved.add(total, [*ALWAYS, *(path for path in listed if path != CRATES and not path.startswith(CRATE))])
    folders = folders_of(listed)
    if folders:
        proved.add(total, folders)
    return total.hexdigest()


def holds(step):
    """Whether the kept verdict of the step is for these files and tools."""
    return proved.kept(KEPT).get(step) == digest(step)


def settled():
    """The crates whose tests all have a verdict for these files and tools, so that they need not be built."""
    open_ones = {step.split(" ")[0] for step in TESTS if not holds(step)}
    return [crate for crate in SETTLED if crate not in open_ones]


def has_passed(step, now):
    """Whether the step has passed on this machine with files of this digest."""
    try:
        with open(f"{PASSED}/{now}", encoding="utf-8") as file:
            return file.read() == step
    except OSError:
        return False


def run(step, now):
    done = subprocess.run(STEPS[step][0], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    os.makedirs(PASSED, exist_ok=True)
    # A step that changes its own files has not passed with the files that remain.
    proved.of_file.cache_clear()
    if digest(step) == now:
        with open(f"{PASSED}/{now}", "w", encoding="utf-8") as file:
            file.write(step)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", nargs="?", choices=STEPS, metavar="STEP", help="the step; by default all steps")
    parser.add_argument("--write", action="store_true", help="keep the verdicts")
    parser.add_argument("--anew", action="store_true", help="run the step in any case")
    parser.add_argument("--list", action="store_true", help="print the steps")
    options = parser.parse_args()
    if options.anew:
        if not options.step:
            parser.error("--anew needs a step")
        run(options.step, digest(options.step))
        return
    kept = proved.kept(KEPT)
    for step in [options.step] if options.step else STEPS:
        now = digest(step)
        if options.list or kept.get(step) == now:
            print(f"{step}: {'passed with these files and tools' if kept.get(step) == now else 'no verdict on these files and tools'}")
            continue
        if not has_passed(step, now):
            run(step, now)
        if options.write:
            kept = {**{name: kept[name] for name in kept if name in STEPS}, step: now}
            proved.keep(KEPT, kept)
        else:
            print(f"the kept verdict is of other files or tools: `scripts/kept.py --write '{step}'` keeps this one")


if __name__ == "__main__":
    main()
