#!/usr/bin/env python3
"""The scoreboard of weft-sim in a cocotb test (integrations/cocotb), on the emitted `weft_nic` in the role of a foreign
NIC: without a fault, and with a fault that the test must find. Exit code 1 if the test does not find the fault, or the
NIC without a fault differs; 2 if cocotb is missing.

    scripts/scoreboard.py [--soak]     with --soak three faults of the NIC in scripts/dpi.py, else the first
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="three faults")
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
    bad = False
    for fault in range(4 if options.soak else 2):
        command = [sys.executable, f"{dpi.ROOT}/integrations/cocotb/run.py", "icarus", WORK, str(fault)]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(done.stdout if done.returncode else done.stdout.splitlines()[-1], flush=True)
        bad |= done.returncode != 0
    sys.exit(1 if bad else 0)


main()
