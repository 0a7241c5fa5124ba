#!/usr/bin/env python3
"""Checks the emitted Verilog with two more readers: slang elaborates every top with all its warnings, Verible lints
every file by scripts/verible.rules. slang also checks whether the parameters of a NIC's top, and of the modules around
it, reach all products and memories to which they apply, and lints the UVM scoreboard against a stub of UVM. Prints the
faults. Exit code 1 if there are any, 2 if one of the readers is missing.

    scripts/readers.py [FOLDER]     the folder with the Verilog and its lists of files, default hdl/verilog
"""
import sys

if sys.version_info < (3, 7):
    sys.exit("readers.py needs Python 3.7 or newer, this is " + sys.version.split()[0])

import glob
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = f"{ROOT}/build/tools/readers"
UVM = f"{ROOT}/integrations/uvm"
# The modules around a NIC that have its parameters, and its Verilog.
SHELL = ["fpga/corundum/*.v", "fpga/cdc/weft_cdc_fence.v"]
AROUND = [("weft_nic_cdc", ["fpga/cdc/*.v"]), ("weft_app", SHELL), ("mqnic_app_block", SHELL)]


def elaborated(top, files):
    """Whether slang reads a top without an error or a warning."""
    # Unread bits are named `unused`: other tools accept that name, slang does not.
    return silent(parsed(["--std", "1364-2005", "--top", top, "-Weverything", "-Wno-unused-net", "-Wno-unused-parameter", *files]))


def scoreboard_is_sound():
    """Whether slang reads the UVM scoreboard without an error or a warning. A package has no top, and uses only some of
    the files that it includes."""
    words = ["--std", "1800-2017", "-Weverything", "-Wno-missing-top", "-Wno-unused"]
    words += [f"-I{UVM}/stub", f"-I{ROOT}/integrations/dpi", f"{UVM}/stub/uvm_pkg.sv", f"{UVM}/weft_uvm_pkg.sv"]
    return silent(parsed(words))


def silent(slang):
    # Only faults are printed.
    good = slang is not None and slang.runFullCompilation(True)
    return good and slang.diagEngine.numErrors + slang.diagEngine.numWarnings == 0


def parsed(arguments):
    """The text of slang's report; None if slang could not read the files."""
    from pyslang import driver

    slang = driver.Driver()
    slang.addStandardArgs()
    command = " ".join(["slang", *arguments])
    good = slang.parseCommandLine(command, driver.CommandLineOptions()) and slang.processOptions()
    return slang if good and slang.parseAllSources() else None


def unreached(top, files):
    """Products of factors above 18 bits that FACTOR_BITS = 18 of a top leaves whole, and memories for which LARGE_RAM = "ultra"
    has the wrong effect. A memory is large if one UltraRAM, of 4,096 words of 72 bits, replaces four block RAMs or more of
    it. For the modules around a NIC, also the signals that A = 9, the bits of a connection, does not reach."""
    from pyslang import ast

    around = top != "weft_nic"
    slang = parsed(["--std", "1364-2005", "--top", top, "-G", "FACTOR_BITS=18", "-G", 'LARGE_RAM=\\"ultra\\"', *(["-G", "A=9"] if around else []), *files])
    if slang is None:
        return [f"{top}: not read"]
    wrong, seen = [], set()

    def look(node):
        if not isinstance(node, ast.InstanceSymbol):
            return
        has = {it.name: it.value.value for it in node.body if isinstance(it, ast.ParameterSymbol)}
        kind = node.definition.name
        if kind == "weft_mul" and max(int(has["A"]), int(has["B"])) > 18:
            good = int(has["FACTOR_BITS"]) == 18
        elif kind in ("weft_ram_sdp", "weft_ram_sdp_be"):
            bits, words = int(has["W"] if "W" in has else 8 * has["B"]), 1 << int(has["A"])
            is_large = bits * words >= 4 * 32768 * -(-bits // 72) * -(-words // 4096)
            good = is_large == (int(has["RAM_STYLE"]) == int.from_bytes(b"ultra", "big"))
            kind = "large" if is_large else "other"
        elif kind in ("weft_app", "weft_queues", "weft_nic_cdc"):
            good = int(has["A"]) == 9
            kind = "around"
        else:
            return
        seen.add(kind)
        if not good:
            wrong.append(node.hierarchicalPath)

    slang.createCompilation().getRoot().visit(look)
    assert {"weft_mul", "other", *(["around"] if around else [])} <= seen, f"{top} has {seen} alone"
    return wrong


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
    if f"{folder}/weft_nic.f" in lists:
        with open(f"{folder}/weft_nic.f", encoding="utf-8") as file:
            nic = file.read().split()
        for top, globs in [("weft_nic", []), *AROUND]:
            wrong = unreached(top, nic + [path for one in globs for path in sorted(glob.glob(f"{ROOT}/{one}"))])
            bad += wrong
            print("".join(f"{path}: a parameter of {top} does not reach it\n" for path in wrong), end="")
    if not scoreboard_is_sound():
        bad.append("the UVM scoreboard")
    command = [lint, "--ruleset=default", f"--rules_config={ROOT}/scripts/verible.rules", *sorted(every)]
    linted = subprocess.run(command, check=False).returncode == 0
    print(f"slang reads {len(lists)} tops, Verible {len(every)} files: {'all silent' if linted and not bad else 'see above'}")
    sys.exit(0 if linted and not bad else 1)


main()
