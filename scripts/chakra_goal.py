#!/usr/bin/env python3
"""Execution traces in Chakra's format as a schedule in GOAL, which `weft sim` runs: docs/chakra.md.

    scripts/chakra_goal.py TRACE [--out FILE.goal]

TRACE is the beginning of the files' names (TRACE.0.et, TRACE.1.et, ..., one for each rank), or a folder with one trace.
The files are read by mlc-chakra, the package of MLCommons, which scripts/setup.sh extra installs. A wrong trace gives
one line and exit code 2; a trace that never ends gives exit code 1.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("chakra_goal.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import collections
import glob
import io
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = f"{ROOT}/build/tools/chakra"
# Nodes that take time and move no data.
TIMED = ("METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE")


class Wrong(Exception):
    """An error, in one line."""

    code = 2


class Never(Wrong):
    """An error of a trace that can be read but never ends."""

    code = 1


def package():
    """Chakra's messages, and their order in a file."""
    sys.path.insert(0, TOOLS)
    try:
        from chakra.schema.protobuf import et_def_pb2
        from google.protobuf import proto
    except ImportError as error:
        raise Wrong(f"the package mlc-chakra is missing ({error}): run scripts/setup.sh extra (needs python3 with pip)") from error
    return et_def_pb2, proto


class Op:
    """A line of GOAL: a computation, or one end of a message."""

    def __init__(self, where, label, words, needs=(), message=None, size=0):
        self.where, self.label, self.words = where, label, words
        # Labels of operations that must have ended.
        self.needs = list(needs)
        # Number of the message between two ranks that this operation begins or ends; -1 for any rank or tag.
        # The first message that starts matches the first posted receive with the same number.
        self.message, self.size, self.tag = message, size, None


def find(trace):
    """The files of all ranks, in their order."""
    names = glob.glob(f"{glob.escape(trace)}/*.et") if os.path.isdir(trace) else glob.glob(f"{glob.escape(trace)}.*.et")
    ranks = {}
    for name in names:
        found = re.fullmatch(r"(.*)\.(\d+)\.et", name)
        if found and (os.path.isdir(trace) or found[1] == trace):
            ranks.setdefault(found[1], {})[int(found[2])] = name
    if not ranks:
        raise Wrong(f"{trace}: there is no {trace}.0.et, nor a folder of this name with files NAME.RANK.et")
    if len(ranks) > 1:
        raise Wrong(f"{trace}: it has several traces; give one: {', '.join(sorted(ranks))}")
    (name, files), = ranks.items()
    missing = [rank for rank in range(max(files) + 1) if rank not in files]
    if missing:
        raise Wrong(f"{name}.{missing[0]}.et is missing: the last rank is {max(files)}")
    return [files[rank] for rank in range(len(files))]


def read(path):
    """Reads the nodes of a file."""
    et, proto = package()
    with open(path, "rb") as file:
        stream = io.BytesIO(file.read())
    nodes, kind = [], et.GlobalMetadata
    while True:
        begin = stream.tell()
        try:
            message = proto.parse_length_prefixed(kind, stream)
        except Exception as error:  # The package has no class of its own for what it cannot read.
            raise Wrong(f"{path}: the record at byte {begin} is cut off, or this is not an execution trace") from error
        if message is None:
            break
        if kind is et.Node:
            nodes.append(message)
        kind = et.Node
    if kind is et.GlobalMetadata:
        raise Wrong(f"{path}: the file is empty")
    if len({node.id for node in nodes}) < len(nodes):
        twice = collections.Counter(node.id for node in nodes).most_common(1)[0][0]
        raise Wrong(f"{path}: node {twice} is given twice")
    return nodes


class Node:
    """A node with its attributes."""

    def __init__(self, path, rank, node):
        self.rank, self.id, self.where = rank, node.id, f"{path}: node {node.id}"
        types = package()[0].NodeType
        self.kind = types.Name(node.type) if node.type in types.values() else f"type {node.type}"
        self.ns = 1000 * node.duration_micros
        self.before = [*node.ctrl_deps, *node.data_deps]
        self.attributes = {it.name: getattr(it, it.WhichOneof("value") or "name") for it in node.attr}

    def number(self, name, most, default=None, least=0):
        """An attribute from `least` to `most`."""
        value = self.attributes.get(name, default)
        if value is None:
            raise Wrong(f"{self.where}: {self.kind} has no {name}")
        if not isinstance(value, int) or not least <= value <= most:
            raise Wrong(f"{self.where}: {name} = {value} is not possible; use {least} to {most}")
        return value


def end_of_message(node, ranks):
    """One end of a message: a send or a receive."""
    is_send = node.kind == "COMM_SEND_NODE"
    own, other = ("comm_src", "comm_dst") if is_send else ("comm_dst", "comm_src")
    if node.number(own, ranks - 1, node.rank) != node.rank:
        raise Wrong(f"{node.where}: {own} = {node.attributes[own]} in the file of rank {node.rank}")
    least = 0 if is_send else -1
    peer, tag = node.number(other, ranks - 1, least=least), node.number("comm_tag", 2**32 - 1, 0, least)
    if peer == node.rank:
        raise Wrong(f"{node.where}: {other} = {peer} is the rank itself")
    way = (node.rank, peer) if is_send else (peer, node.rank)
    return message(node.where, f"n{node.id}", is_send, way, ("tag", tag), node.number("comm_size", 2**63))


def message(where, label, is_send, way, which, size):
    """One end of a message between two ranks."""
    words = f"send {size}b to {way[1]}" if is_send else f"recv {size}b from {way[0]}"
    return Op(where, label, words, message=(is_send, *way, which), size=size)


def ring(node, group, steps, size, which):
    """Steps of a ring: in each step, a rank sends to the next rank the chunk that it got in the previous step."""
    at, count = group.index(node.rank), len(group)
    before, behind = group[at - 1], group[(at + 1) % count]
    for step in range(steps):
        send = message(node.where, f"n{node.id}s{step}", True, (node.rank, behind), (*which, step), size((at - step) % count))
        send.needs = [f"n{node.id}r{step - 1}"] if step else []
        yield send
        yield message(node.where, f"n{node.id}r{step}", False, (before, node.rank), (*which, step), size((at - 1 - step) % count))


def all_to_all(node, group, size, which):
    """Messages to all other ranks at once, each with its part, beginning with the next rank."""
    at, count = group.index(node.rank), len(group)
    for far in range(1, count):
        to, source = (at + far) % count, (at - far) % count
        yield message(node.where, f"n{node.id}s{far}", True, (node.rank, group[to]), which, size(to))
        yield message(node.where, f"n{node.id}r{far}", False, (group[source], node.rank), which, size(at))


def collective(node, group, which):
    """Messages that a rank of a group sends and receives; `comm_size` is the number of bytes that each rank has before the collective."""
    count, whole = len(group), node.number("comm_size", 2**63)
    types = package()[0].CollectiveCommType
    kind = node.number("comm_type", 2**31)
    kind = types.Name(kind) if kind in types.values() else f"type {kind}"
    if not all(node.attributes["involved_dim"].values if "involved_dim" in node.attributes else ()):
        raise Wrong(f"{node.where}: involved_dim leaves a dimension out; give collectives of all ranks, or of the ranks of a pg_name")

    def share(at):
        return whole * (at + 1) // count - whole * at // count

    if kind == "ALL_REDUCE":
        return ring(node, group, 2 * (count - 1), share, which)
    if kind in ("REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK"):
        return ring(node, group, count - 1, share, which)
    if kind == "ALL_GATHER":
        return ring(node, group, count - 1, lambda _: whole, which)
    if kind == "ALL_TO_ALL":
        return all_to_all(node, group, share, which)
    raise Wrong(f"{node.where}: {kind} is not known; use ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER or ALL_TO_ALL")


def groups(ranks):
    """For each collective, by rank and node: its ranks, and its number in their group."""
    members = collections.defaultdict(lambda: collections.defaultdict(list))
    for nodes in ranks:
        for node in nodes:
            if node.kind == "COMM_COLL_NODE":
                members[str(node.attributes.get("pg_name", ""))][node.rank].append(node)
    parts = {}
    for name, by_rank in members.items():
        group = sorted(by_rank) if name else list(range(len(ranks)))
        for which, one in enumerate(max(by_rank.values(), key=len)):
            for rank in group:
                its = by_rank[rank][which : which + 1]
                if not its:
                    raise Wrong(f"{one.where}: rank {rank} has no part in this collective")
                other, = its
                for key in ("comm_type", "comm_size"):
                    values = [it.attributes.get(key) for it in (one, other)]
                    if values[0] != values[1]:
                        raise Wrong(f"{other.where}: {key} is {values[1]}, that of rank {one.rank} {values[0]}")
                parts[rank, other.id] = group, ("collective", name, which)
    return parts


def operations(nodes, ranks, parts):
    """The operations of a rank."""
    known = {node.id for node in nodes}
    for node in nodes:
        for before in node.before:
            if before not in known:
                raise Wrong(f"{node.where}: it depends on node {before}, which is not there")
        needs = [f"n{before}" for before in dict.fromkeys(node.before)]
        if node.kind in TIMED:
            yield Op(node.where, f"n{node.id}", f"calc {node.ns}", needs)
        elif node.kind in ("COMM_SEND_NODE", "COMM_RECV_NODE"):
            op = end_of_message(node, ranks)
            op.needs = needs
            yield op
        elif node.kind == "COMM_COLL_NODE":
            inner = list(collective(node, *parts[node.rank, node.id]))
            for op in inner:
                op.needs += needs
                yield op
            yield Op(node.where, f"n{node.id}", "calc 0", [op.label for op in inner] or needs)
        else:
            raise Wrong(f"{node.where}: {node.kind} is not known; use computations, sends, receives and collectives")


def takes_any(op):
    """Whether the node is a receive of any source or any tag."""
    return op.message is not None and -1 in (op.message[1], op.message[3][1])


def match(schedule):
    """Gives both ends of messages a tag. If receives have a source and a tag, there must be as many receives as messages, with the same sizes."""
    any_of = {rank for rank, ops in enumerate(schedule) for op in ops if takes_any(op)}
    tags, waiting = collections.defaultdict(dict), collections.defaultdict(list)

    def tag(op):
        # A receive of any source needs the tag of each source.
        numbers = tags[None if any_of else op.message[1:3]]
        return -1 if op.message[3] == ("tag", -1) else numbers.setdefault(op.message[3], len(numbers))

    for rank, ops in enumerate(schedule):
        for op in ops:
            if op.message and not op.message[0]:
                op.tag = tag(op)
                if rank not in any_of:
                    waiting[op.message[1:]].append(op)
    for op in (op for ops in schedule for op in ops if op.message and op.message[0]):
        op.tag = tag(op)
        _, source, rank, _ = op.message
        if rank in any_of:
            continue
        receives = waiting[op.message[1:]]
        if not receives:
            raise Wrong(f"{op.where}: rank {rank} has no receive for this message ({named(op)})")
        same = [at for at, receive in enumerate(receives) if receive.size == op.size]
        if not same:
            receive = receives[0]
            raise Wrong(f"{receive.where}: {receive.size} bytes are received, {op.size} are sent by rank {source} ({named(op)})")
        del receives[same[0]]
    for left in (left for receives in waiting.values() for left in receives):
        raise Wrong(f"{left.where}: rank {left.message[1]} has no send for this receive ({named(left)})")


def named(op):
    """Identifies a message between two ranks."""
    return " ".join(str(word) for word in op.message[3])


def check_end(schedule):
    """Checks that all operations end if messages take no time. With receives of any source or tag, only a run can
    decide this."""
    if any(takes_any(op) for ops in schedule for op in ops):
        return
    needs = {(rank, op.label): len(op.needs) for rank, ops in enumerate(schedule) for op in ops}
    ops = {(rank, op.label): op for rank, ops in enumerate(schedule) for op in ops}
    after = collections.defaultdict(list)
    for (rank, label), op in ops.items():
        for before in op.needs:
            after[rank, before].append((rank, label))
    ready, sent, posted = [key for key, count in needs.items() if not count], collections.Counter(), collections.defaultdict(collections.deque)
    ended = set()
    while ready:
        key = ready.pop()
        op, ends = ops[key], [key]
        if op.message and op.message[0]:
            sent[op.message[1:]] += 1
        elif op.message:
            posted[op.message[1:]].append(key)
            ends = []
        if op.message:
            receives = posted[op.message[1:]]
            while receives and sent[op.message[1:]]:
                sent[op.message[1:]] -= 1
                ends.append(receives.popleft())
        for end in ends:
            ended.add(end)
            for later in after[end]:
                needs[later] -= 1
                if not needs[later]:
                    ready.append(later)
    for key, op in ops.items():
        if key not in ended:
            raise Never(f"{op.where}: it waits for itself: its dependencies form a circle")


def convert(trace):
    """The schedule, as text."""
    paths = find(trace)
    if len(paths) < 2:
        raise Wrong(f"{paths[0]}: a trace of one rank sends nothing")
    ranks = [[Node(path, rank, node) for node in read(path)] for rank, path in enumerate(paths)]
    parts = groups(ranks)
    schedule = [list(operations(nodes, len(ranks), parts)) for nodes in ranks]
    match(schedule)
    check_end(schedule)
    return goal(schedule)


def goal(schedule):
    """The text of a schedule, whose messages have tags."""
    lines = [f"num_ranks {len(schedule)}"]
    for rank, ops in enumerate(schedule):
        tags = ["" if op.tag is None else f" tag {op.tag}" for op in ops]
        lines += ["", f"rank {rank} {{", *(f"{op.label}: {op.words}{tag}" for op, tag in zip(ops, tags))]
        lines += [f"{op.label} requires {before}" for op in ops for before in op.needs] + ["}"]
    return "\n".join(lines) + "\n"


def write(name, make, out):
    """Makes a schedule and writes its whole file, or none. Prints an error in one line."""
    try:
        text = make()
        if out is None:
            sys.stdout.write(text)
            return
        part = f"{out}.part"
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, out)
    except (Wrong, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(getattr(error, "code", 2))


def main():
    parser = argparse.ArgumentParser(description="Execution traces in Chakra's format as a schedule in GOAL, for `weft sim`.")
    parser.add_argument("trace", metavar="TRACE", help="beginning of the files' names (TRACE.0.et, ...), or their folder")
    parser.add_argument("--out", metavar="FILE", help="write the schedule to this file; by default to standard output")
    arguments = parser.parse_args()
    write("chakra", lambda: convert(arguments.trace), arguments.out)


if __name__ == "__main__":
    main()
