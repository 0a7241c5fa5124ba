#!/usr/bin/env python3
"""The scoreboard of weft-sim in a cocotb test (integrations/cocotb), on the emitted `weft_nic` in the role of a foreign
NIC: without a fault, and with a fault that the test must find. Exit code 1 if the test does not find the fault, or the
NIC without a fault differs; 2 if cocotb is missing. The page's example (docs/verify-your-nic.md) runs as well.

    scripts/scoreboard.py [--soak]     with --soak three faults of the NIC in scripts/dpi.py, without it the first fault
"""
import sys

if sys.version_info < (3, 11):
    sys.exit("weft-sim needs Python 3.11 or newer, this is " + sys.version.split()[0])

import argparse
import glob
import os
import subprocess
import zipfile

import dpi

WORK = f"{dpi.ROOT}/build/scoreboard"
TOOLS = f"{dpi.ROOT}/build/tools"


def package():
    """A folder with weft_sim in it."""
    subprocess.run(["scripts/wheel.py", "--for-here", f"{WORK}/wheel"], cwd=dpi.ROOT, stdout=subprocess.DEVNULL, check=True)
    (path,) = glob.glob(f"{WORK}/wheel/*.whl")
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(f"{WORK}/site")
    return f"{WORK}/site"


def played(env, fault, *test):
    """Runs a test. Returns the exit code and the output."""
    command = [sys.executable, f"{dpi.ROOT}/integrations/cocotb/run.py", "icarus", WORK, str(fault), *test]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def example(env):
    """Whether the page's example fails: it must do what the page says, with a NIC that passes frames on and with a NIC that does not."""
    section = dpi.read(f"{dpi.ROOT}/docs/verify-your-nic.md").partition("## cocotb\n")[2]
    text, _, rest = section.partition("```python\n")[2].partition("```")
    wanted = rest.partition("```text\n")[2].partition("\n```")[0]
    bad = not wanted or len(text.splitlines()) > 20
    for module, ready in (("test_example", "1, 1"), ("test_example_held", "1, 0")):
        with open(f"{WORK}/{module}.py", "w", encoding="utf-8") as file:
            file.write(dpi.changed(text, "the example", "= 1, 1", f"= {ready}"))
        code, said = played({**env, "PYTHONPATH": f"{WORK}:{env['PYTHONPATH']}"}, 0, module)
        is_right = code == 0 if ready == "1, 1" else code == 1 and wanted in said
        print(f"{module}: {said.splitlines()[-1]}" if is_right else said, flush=True)
        bad |= not is_right
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="test three faults in place of one")
    options = parser.parse_args()
    if not os.path.isdir(f"{TOOLS}/cocotb/cocotb"):
        print("cocotb is missing: run scripts/setup.sh extra (needs python3 with pip)", file=sys.stderr)
        sys.exit(2)
    os.makedirs(WORK, exist_ok=True)
    env = {**os.environ, "PYTHONPATH": f"{package()}:{TOOLS}/cocotb", "PYTHONDONTWRITEBYTECODE": "1", "COCOTB_LOG_LEVEL": "WARNING"}
    # Icarus takes some five seconds for each round.
    env["WEFT_ROUNDS"] = "20" if options.soak else "7"
    for module, text in dpi.with_faults().items():
        with open(f"{WORK}/{module}.v", "w", encoding="utf-8") as file:
            file.write(text)
    bad = example(env)
    for fault in range(4 if options.soak else 2):
        code, said = played(env, fault)
        print(said if code else said.splitlines()[-1], flush=True)
        bad |= code != 0
    sys.exit(1 if bad else 0)


main()
