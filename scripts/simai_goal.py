#!/usr/bin/env python3
"""Workload files of SimAI (as AICB writes them) as a schedule in GOAL, which `weft sim` runs: docs/simai.md.

    scripts/simai_goal.py WORKLOAD [--out FILE.goal]

A wrong file gives one line, and exit code 2. Operations that a schedule cannot have are left out; standard error has
their number.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("simai_goal.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import collections
import re
import types

import chakra_goal
from chakra_goal import Op, Wrong

POLICIES = ("HYBRID_TRANSFORMER", "HYBRID_TRANSFORMER_FWD_IN_BCKWD")
COLLECTIVES = ("ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL")
# Entries that SimAI accepts and this program leaves out.
OTHERS = ("BROADCAST", "ALLREDUCEALLTOALL")
MOST_RANKS = 65536
# Name, dependency, of each phase compute time, collective and bytes, time of the update.
FIELDS = 12

# One phase of a layer: its computation time, and the exchange after it.
Phase = collections.namedtuple("Phase", "ns collective group size")
Layer = collections.namedtuple("Layer", "where forward input weight update_ns")


def number(where, name, word, most=2**63, least=0):
    """A number of a file."""
    if not re.fullmatch(r"\d+", word) or not least <= int(word) <= most:
        raise Wrong(f"{where}: {name} is {word}; use {least} to {most}")
    return int(word)


class Workload:
    """Contents of a file."""

    def __init__(self, path):
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            lines = [(f"{path}:{at}", line.split()) for at, line in enumerate(file, 1) if line.split()]
        if len(lines) < 2:
            raise Wrong(f"{path}: it has no header of two lines; give a workload of SimAI")
        self.left_out = collections.Counter()
        self.header(*lines[0])
        where, words = lines[1]
        count = number(where, "the number of layers", words[0], least=1)
        if len(lines) - 2 < count:
            raise Wrong(f"{where}: it says {count} layers, and {len(lines) - 2} follow; copy the file again")
        self.leave("lines behind the last layer", len(lines) - 2 - count)
        self.layers = [self.layer(*line) for line in lines[2 : 2 + count]]

    def leave(self, what, count=1):
        """Records an entry that is left out."""
        if count:
            self.left_out[what] += count

    def header(self, where, words):
        """Reads the number of ranks, and their groups."""
        if words[0] not in POLICIES:
            raise Wrong(f"{where}: {words[0]} is not known; use {' or '.join(POLICIES)}")
        keys = {}
        for name, value in zip(words[1:], words[2:]):
            if re.fullmatch(r"[A-Za-z]\w*:?", name):
                keys[name.rstrip(":")] = value
        def of(name, default=None, least=1):
            if name not in keys and default is None:
                raise Wrong(f"{where}: {name}: is missing; write a workload with a newer AICB")
            return number(where, name, keys.get(name, default), MOST_RANKS if least else 2**63, least)

        self.ranks, self.tensor = of("all_gpus"), of("model_parallel_NPU_group")
        self.expert, pipeline = of("ep", "1"), of("pp", "1")
        if self.ranks < 2:
            raise Wrong(f"{where}: a workload of one rank sends nothing")
        if self.ranks % (self.tensor * pipeline):
            raise Wrong(f"{where}: {self.ranks} ranks are no multiple of model_parallel_NPU_group {self.tensor} times pp {pipeline}")
        self.data = self.ranks // (self.tensor * pipeline)
        if self.data % self.expert:
            raise Wrong(f"{where}: {self.data} data-parallel ranks are no multiple of ep {self.expert}")
        self.leave("checkpointed layers, which compute again", of("checkpoints", "0", 0))
        self.leave("bytes of each message between pipeline stages (pp_comm)", of("pp_comm", "0", 0))

    def layer(self, where, words):
        """Reads the line of a layer."""
        if len(words) != FIELDS:
            raise Wrong(f"{where}: the line has {len(words)} words; a layer has {FIELDS}")
        phases = [self.phase(where, words[at : at + 3], group) for at, group in ((2, "TP"), (5, "TP"), (8, "DP"))]
        return Layer(where, *phases, number(where, "the time of the update", words[11]))

    def phase(self, where, words, group):
        """Reads a phase. Without a suffix, the collective uses the group of its phase."""
        ns, size = number(where, "a compute time", words[0]), number(where, "a size", words[2])
        collective, _, suffix = words[1].partition("_")
        if words[1] == "NONE" or not size and collective in COLLECTIVES:
            return Phase(ns, None, None, 0)
        if collective not in COLLECTIVES + OTHERS or suffix not in ("", "EP", "DP_EP"):
            raise Wrong(f"{where}: {words[1]} is not known; use one of {', '.join(COLLECTIVES)}, alone or followed by _EP or _DP_EP")
        if collective in OTHERS:
            self.leave(f"collectives {collective}")
            return Phase(ns, None, None, 0)
        return Phase(ns, collective, suffix or group, size)

    def group(self, rank, name):
        """The ranks of this rank's group, in order."""
        if name == "TP":
            first = rank - rank % self.tensor
            return list(range(first, first + self.tensor))
        stride = self.ranks // self.data
        members = [rank % stride + at * stride for at in range(self.data)]
        at = members.index(rank)
        if name == "DP":
            return members
        if name == "EP":
            first = at - at % self.expert
            return members[first : first + self.expert]
        return members[at % self.expert :: self.expert]


def collective(rank, phase, group, name, where):
    """Messages that a rank sends and receives."""
    node = types.SimpleNamespace(rank=rank, id=name, where=where)
    count, which = len(group), ("collective", name)

    def share(at):
        return phase.size * (at + 1) // count - phase.size * at // count

    if count == 1:
        return []
    if phase.collective == "ALLTOALL":
        return [op for op in chakra_goal.all_to_all(node, group, share, which) if op.size]
    steps = (2 if phase.collective == "ALLREDUCE" else 1) * (count - 1)
    return list(chakra_goal.ring(node, group, steps, share, which))


def operations(work, rank):
    """Operations of a rank: forward through the layers; backward through the layers, where no operation waits for the
    gradients of weights; at the end the updates, each after its gradients."""
    ops, numbers = [], iter(range(10**9))
    before = []

    def calc(where, ns, needs):
        if not ns:
            return needs
        label = f"c{next(numbers)}"
        ops.append(Op(where, label, f"calc {ns}", needs))
        return [label]

    def exchange(where, phase, needs):
        name = f"x{next(numbers)}"
        if phase.collective is None:
            return needs
        inner = collective(rank, phase, work.group(rank, phase.group), name, where)
        for op in inner:
            op.needs += needs
        if not inner:
            return needs
        ops.extend(inner)
        ops.append(Op(where, f"n{name}", "calc 0", [op.label for op in inner]))
        return [f"n{name}"]

    for layer in work.layers:
        before = exchange(layer.where, layer.forward, calc(layer.where, layer.forward.ns, before))
    gradients = []
    for layer in reversed(work.layers):
        before = calc(layer.where, layer.weight.ns, before)
        gradients.append((layer, exchange(layer.where, layer.weight, before)))
        before = exchange(layer.where, layer.input, calc(layer.where, layer.input.ns, before))
    for layer, needs in gradients:
        before = calc(layer.where, layer.update_ns, list(dict.fromkeys(before + needs)))
    return ops


def convert(path):
    """The schedule, as text."""
    work = Workload(path)
    schedule = [operations(work, rank) for rank in range(work.ranks)]
    if not any(op.message for ops in schedule for op in ops):
        raise Wrong(f"{path}: nothing is sent; give a workload with {', '.join(COLLECTIVES)} between ranks")
    chakra_goal.match(schedule)
    for what, count in work.left_out.items():
        print(f"simai: left out: {count} {what}", file=sys.stderr)
    return chakra_goal.goal(schedule)


def main():
    parser = argparse.ArgumentParser(description="Workload files of SimAI as a schedule in GOAL, for `weft sim`.")
    parser.add_argument("workload", metavar="WORKLOAD", help="the file, as AICB writes it")
    parser.add_argument("--out", metavar="FILE", help="write the schedule to this file; by default to standard output")
    arguments = parser.parse_args()
    chakra_goal.write("simai", lambda: convert(arguments.workload), arguments.out)


if __name__ == "__main__":
    main()
