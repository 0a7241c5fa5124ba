#!/usr/bin/env python3
"""Checks that no emitted `always @(*)` waits for a change that may never happen: each reads, through wires, blocks and
instances, a signal that a register or a primitive drives. A signal that only the top's own ports drive may be constant,
or have its value before the block begins to wait. A simulator then leaves the result X, so the emitter writes an `assign`
in place of the block. Prints the faults; exit code 1 if there are any.

    scripts/waits.py [FOLDER]     the folder with the Verilog and its lists of files, default hdl/verilog
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("waits.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS = "always assign begin case default else end endcase generate if reg wire"
# Stands for any register as a driver.
REGISTER = "<="
# Primitives without state.
WIRES = {"weft_linear"}
RANGE = r"(?:\[[^\]]*\]\s*)?"
PARAMETERS = r"(?:#\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?"


def names(text):
    text = re.sub(r"\d*'[bdh][0-9a-fA-F]+", "", text)
    return set(re.findall(r"(?<![\w'])[A-Za-z_]\w*", text)) - set(WORDS.split())


class Module:
    """Ports, instances, the driver of each signal, and the `always` blocks with their targets and inputs."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        text = re.sub(r"\(\* .*? \*\)", "", text)
        self.name = re.search(r"^module (\w+)", text, re.M).group(1)
        self.is_primitive = os.path.basename(os.path.dirname(path)) == "prim"
        head, self.body = re.split(r"\n\);", text, maxsplit=1)
        self.inputs = set(re.findall(r"input\s+wire\s+" + RANGE + r"(\w+)", head))
        self.outputs = set(re.findall(r"output\s+(?:wire|reg)\s+" + RANGE + r"(\w+)", head))
        self.constants = set(re.findall(r"(?:localparam|parameter)\s+" + RANGE + r"(\w+)", text))
        self.drivers, self.blocks, self.instances = {}, [], []

    def read(self, modules):
        for targets, value in re.findall(r"(?:assign|wire)\s+" + RANGE + r"(\{[^}]*\}|\w+)(?:\[[^\]]*\])?\s*=\s*([^;]*);", self.body):
            for target in names(targets):
                self.drivers.setdefault(target, set()).update(names(value))
        for block in re.findall(r"    always @\(\*\) begin\n(.*?)\n    end\n", self.body, re.S):
            targets = set(re.findall(r"^\s*(\w+)(?:\[[^\]]*\])?\s*=[^=]", block, re.M))
            for several in re.findall(r"^\s*\{([^}]*)\}\s*=[^=]", block, re.M):
                targets |= names(several)
            reads = names(block) - targets
            for target in targets:
                self.drivers.setdefault(target, set()).update(reads)
            self.blocks.append((targets, reads))
        # A register drives its signal, like a primitive.
        for target in re.findall(r"^\s*(?:else )?(?:if \(.*\) )?(\w+) <= [^;]*;", self.body, re.M):
            self.drivers.setdefault(target, set()).add(REGISTER)
        for kind, name, ports in re.findall(r"^    (weft_\w+)\s*" + PARAMETERS + r"(\w+)\s*\((.*?)\);", self.body, re.M | re.S):
            at = {port: names(value) for port, value in re.findall(r"\.(\w+)\s*\((.*?)\)\s*(?=,|\Z)", ports.strip(), re.S)}
            self.instances.append((modules[kind], name, at))
            # The source of a signal: an instance and its port.
            for port in modules[kind].outputs & at.keys():
                for signal in at[port]:
                    self.drivers.setdefault(signal, set()).add((len(self.instances) - 1, port))


class Instance:
    def __init__(self, module, parent=None, at=None):
        self.module, self.parent, self.at = module, parent, at
        self.below = [Instance(kind, self, ports) for kind, _, ports in module.instances]
        self.known = {}

    def moves(self, signal):
        """Whether a register or a primitive drives the signal, directly or through other logic."""
        if signal not in self.known:
            self.known[signal] = False
            self.known[signal] = self.found(signal)
        return self.known[signal]

    def found(self, signal):
        if signal == REGISTER:
            return True
        if isinstance(signal, tuple):
            child = self.below[signal[0]]
            if child.module.is_primitive:
                inputs = set().union(*(child.at.get(port, set()) for port in child.module.inputs))
                return child.module.name not in WIRES or any(self.moves(each) for each in inputs)
            return child.moves(signal[1])
        if signal in self.module.inputs:
            return self.parent is not None and any(self.parent.moves(each) for each in self.at.get(signal, ()))
        return signal not in self.module.constants and any(self.moves(each) for each in self.module.drivers.get(signal, ()))

    def waiting(self, path):
        if self.module.is_primitive:
            return
        for targets, reads in self.module.blocks:
            if not any(self.moves(each) for each in reads):
                yield path, targets, reads - self.module.constants
        for child, (_, name, _) in zip(self.below, self.module.instances):
            yield from child.waiting(f"{path}.{name}")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/hdl/verilog"
    sys.setrecursionlimit(1_000_000)
    modules = {it.name: it for it in map(Module, glob.glob(f"{folder}/*/*.v"))}
    for module in modules.values():
        if not module.is_primitive:
            module.read(modules)
    tops = sorted(os.path.basename(path)[:-2] for path in glob.glob(f"{folder}/*.f"))
    blocks = sum(len(module.blocks) for module in modules.values())
    assert len(tops) >= 1 and blocks > 100, f"{len(tops)} tops, {blocks} blocks: is the Verilog not read right?"
    bad = 0
    for top in tops:
        for path, targets, reads in Instance(modules[top]).waiting(top):
            print(f"{path}: always @(*) of {', '.join(sorted(targets))} reads ports of the top only: {', '.join(sorted(reads))}")
            bad += 1
    print(f"{blocks} blocks below {len(tops)} tops, {bad} may wait for ever")
    sys.exit(1 if bad else 0)


main()
