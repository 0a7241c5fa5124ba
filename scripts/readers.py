#!/usr/bin/env python3
"""Holds the emitted Verilog against two more readers: slang elaborates every top with all its warnings, Verible lints every
file by scripts/verible.rules. Prints what they say; exit 1 if they say anything, 2 if one of them is missing.

    scripts/readers.py [FOLDER]     the folder with the Verilog and its lists of files, hdl/verilog unless told
"""
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = f"{ROOT}/build/tools/readers"


def elaborated(top, files):
    """Whether slang reads a top without an error or a warning."""
    from pyslang import driver

    slang = driver.Driver()
    slang.addStandardArgs()
    # What nobody reads is named `unused`, which other tools know and slang does not.
    warnings = ["-Weverything", "-Wno-unused-net", "-Wno-unused-parameter"]
    command = " ".join(["slang", "--std", "1364-2005", *warnings, "--top", top, *files])
    if not (slang.parseCommandLine(command, driver.CommandLineOptions()) and slang.processOptions()):
        return False
    # Nothing but what is wrong is printed.
    good = slang.parseAllSources() and slang.runFullCompilation(True)
    return good and slang.diagEngine.numErrors + slang.diagEngine.numWarnings == 0


def fail(what):
    print(what, file=sys.stderr)
    sys.exit(2)


def main():
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0 if len(sys.argv) == 2 else 2)
    folder = os.path.abspath(sys.argv[1] if len(sys.argv) == 2 else f"{ROOT}/hdl/verilog")
    lists = sorted(glob.glob(f"{folder}/*.f"))
    lint = f"{TOOLS}/verible/bin/verible-verilog-lint"
    if not os.path.exists(lint):
        fail("slang and Verible are missing: run scripts/setup.sh extra")
    if not lists:
        fail(f"{folder} has no list of files (*.f): write one with weft emit all --out {folder}")
    sys.path.insert(0, TOOLS)
    os.chdir(folder)
    bad, every = [], set()
    for path in lists:
        top = os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as file:
            files = [line.strip() for line in file if line.strip()]
        every.update(files)
        if not elaborated(top, files):
            bad.append(top)
    command = [lint, "--ruleset=default", f"--rules_config={ROOT}/scripts/verible.rules", *sorted(every)]
    linted = subprocess.run(command, check=False).returncode == 0
    print(f"slang reads {len(lists) - len(bad)} of {len(lists)} tops, Verible {len(every)} files: {'all silent' if linted and not bad else 'see above'}")
    sys.exit(0 if linted and not bad else 1)


main()
