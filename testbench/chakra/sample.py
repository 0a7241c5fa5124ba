#!/usr/bin/env python3
"""Writes execution traces in Chakra's format, through its package: those of examples/chakra, or others for the tests.

    testbench/chakra/sample.py [FOLDER]        [default: examples/chakra]
"""
import io
import os
import sys

sys.dont_write_bytecode = True
from schedules import ROOT  # noqa: E402

sys.path.append(f"{ROOT}/scripts")
import chakra_goal  # noqa: E402

et, proto = chakra_goal.package()
MIB = 1 << 20


def node(number, kind, before=(), us=0, order=(), **attributes):
    """A node: the nodes whose data it needs, its duration, the other nodes before it, and further attributes."""
    it = et.Node(id=number, name=f"{kind.lower()} {number}", type=f"{kind}_NODE", data_deps=before, ctrl_deps=order, duration_micros=us)
    for name, value in attributes.items():
        field = "string_val" if isinstance(value, str) else "int64_val" if name in ("comm_size", "comm_type") else "int32_val"
        it.attr.add(name=name, **{field: value})
    return it


def write(name, ranks):
    """A file for the nodes of each rank."""
    for rank, nodes in enumerate(ranks):
        out = io.BytesIO()
        proto.serialize_length_prefixed(et.GlobalMetadata(version="0.0.4"), out)
        for it in nodes:
            proto.serialize_length_prefixed(it, out)
        with open(f"{name}.{rank}.et", "wb") as file:
            file.write(out.getvalue())


def training_step():
    """Two stages of a pipeline, each on four ranks. Activations go forward, gradients go back, each stage sums its own
    gradients, then all ranks exchange a status."""
    ranks = []
    reduce, gather = et.CollectiveCommType.Value("ALL_REDUCE"), et.CollectiveCommType.Value("ALL_GATHER")
    for rank in range(8):
        stage, far = rank // 4, (rank + 4) % 8
        if stage == 0:
            nodes = [
                node(0, "COMP", us=40),
                node(1, "COMM_SEND", [0], comm_size=MIB, comm_dst=far, comm_tag=1),
                node(2, "COMM_RECV", order=[0], comm_size=MIB, comm_src=far, comm_tag=2),
                node(3, "COMP", [2], us=80),
            ]
        else:
            nodes = [
                node(0, "COMM_RECV", comm_size=MIB, comm_src=far, comm_tag=1),
                node(1, "COMP", [0], us=40),
                node(2, "COMM_SEND", [1], comm_size=MIB, comm_dst=far, comm_tag=2),
                node(3, "COMP", [1], us=40),
            ]
        nodes.append(node(4, "COMM_COLL", [3], comm_type=reduce, comm_size=4 * MIB, pg_name=f"stage-{stage}"))
        nodes.append(node(5, "COMM_COLL", [4], comm_type=gather, comm_size=MIB // 16))
        ranks.append(nodes)
    return ranks


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/examples/chakra"
    os.makedirs(folder, exist_ok=True)
    write(f"{folder}/step", training_step())


if __name__ == "__main__":
    main()
