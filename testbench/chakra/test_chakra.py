#!/usr/bin/env python3
"""Tests of execution traces in Chakra's format in `weft sim`: docs/chakra.md. Needs target/release/weft.

    testbench/chakra/test_chakra.py [-k NAME]
"""
import collections
import glob
import os
import subprocess
import sys
import unittest

import sample
from sample import ROOT, chakra_goal, et, node
from schedules import Schedules, sent

EXAMPLE = f"{ROOT}/examples/chakra"
# Traces of astra-sim, which are not committed.
THEIRS = f"{ROOT}/../shared/data/traces"


def ring(ranks, size):
    """A ring AllReduce, message by message: in each step a rank passes on the chunk that came in the step before."""
    cuts = [size * at // ranks for at in range(ranks + 1)]
    chunks = [behind - before for before, behind in zip(cuts, cuts[1:])]
    trace = []
    for rank in range(ranks):
        nodes = []
        for step in range(2 * (ranks - 1)):
            before = [2 * step - 1] if step else []
            out, into = chunks[(rank - step) % ranks], chunks[(rank - step - 1) % ranks]
            nodes.append(node(2 * step, "COMM_SEND", before, comm_size=out, comm_dst=(rank + 1) % ranks, comm_tag=step))
            nodes.append(node(2 * step + 1, "COMM_RECV", comm_size=into, comm_src=(rank - 1) % ranks, comm_tag=step))
        trace.append(nodes)
    return trace


def all_ranks(ranks, kind, size, **more):
    """One collective of all ranks."""
    kind = et.CollectiveCommType.Value(kind)
    return [[node(0, "COMM_COLL", comm_type=kind, comm_size=size, **more)] for _ in range(ranks)]


class Chakra(Schedules):
    def setUp(self):
        super().setUp()
        self.trace = f"{self.folder}/it"

    def text(self, ranks):
        """The schedule of a trace."""
        for old in glob.glob(f"{self.folder}/*.et"):
            os.remove(old)
        sample.write(self.trace, ranks)
        return chakra_goal.convert(self.trace)

    def flows(self, workload, goal=None):
        """The table of flows of a run, in any order: source, destination, bytes, times, packets."""
        # The rows are compared without the flow's number.
        return collections.Counter(tuple(line.split(",")[1:]) for line in self.table(workload, goal))

    def refused(self, ranks, words):
        with self.assertRaises(chakra_goal.Wrong) as caught:
            self.text(ranks)
        said = str(caught.exception)
        self.assertIn(words, said)
        self.assertNotIn("\n", said)

    def test_a_ring_is_the_ring_of_the_simulator(self):
        """The flows and their times are equal in three cases: the trace has each message, the trace has the collective,
        or weft makes the ring."""
        size = 1_000_003
        ours = self.flows(f'kind = "allreduce"\nbytes = {size}\n')
        self.assertEqual(sum(ours.values()), 1 + 14 * 8)
        goal = 'kind = "goal"\nfile = "it.goal"\n'
        self.assertEqual(self.flows(goal, self.text(ring(8, size))), ours)
        self.assertEqual(self.flows(goal, self.text(all_ranks(8, "ALL_REDUCE", size))), ours)
        self.assertNotEqual(self.flows(goal, self.text(ring(8, size + 8))), ours)

    def test_collectives_move_what_they_must(self):
        """By hand, of 4 ranks with 1,000 bytes each."""
        for kind, to_next, to_others in [("REDUCE_SCATTER", 750, 0), ("ALL_GATHER", 3_000, 0), ("ALL_REDUCE", 1_500, 0), ("ALL_TO_ALL", 250, 250)]:
            got = sent(self.text(all_ranks(4, kind, 1_000)))
            for rank in range(4):
                self.assertEqual(got[rank, (rank + 1) % 4], to_next, kind)
                self.assertEqual(got[rank, (rank + 2) % 4], to_others, kind)

    def test_a_group_has_the_ranks_that_name_it(self):
        reduce = et.CollectiveCommType.Value("ALL_REDUCE")
        ranks = [[node(0, "COMM_COLL", comm_type=reduce, comm_size=80, pg_name=f"odd {rank % 2}")] for rank in range(4)]
        self.assertEqual(sent(self.text(ranks)), {(0, 2): 80, (2, 0): 80, (1, 3): 80, (3, 1): 80})

    def test_messages_of_one_tag_meet_by_time(self):
        sends = [node(at, "COMM_SEND", comm_size=at + 1, comm_dst=1) for at in range(3)]
        takes = [node(at, "COMM_RECV", comm_size=at + 1, comm_src=0) for at in range(3)]
        # The messages keep their single tag: the run determines which message is first.
        for receives in (takes, takes[::-1]):
            self.assertIn("n2: recv 3b from 0 tag 0", self.text([sends, receives]))
        self.refused([sends, [*takes[:2], node(2, "COMM_RECV", comm_size=4, comm_src=0)]], "it.1.et: node 2: 4 bytes are received, 3 are sent by rank 0 (tag 0)")
        # The first in the file is sent when the second has been answered.
        late = [node(0, "COMM_SEND", [2], comm_size=9, comm_dst=1), node(1, "COMM_SEND", comm_size=9, comm_dst=1), node(2, "COMM_RECV", [1], comm_size=8, comm_src=1)]
        peer = [node(0, "COMM_RECV", comm_size=9, comm_src=0), node(1, "COMM_SEND", [0], comm_size=8, comm_dst=0), node(2, "COMM_RECV", [1], comm_size=9, comm_src=0)]
        self.assertEqual(sum(self.flows('kind = "goal"\nfile = "it.goal"\n', self.text([late, peer])).values()), 1 + 3)

    def test_receives_of_any_source_or_tag(self):
        send = [[node(0, "COMM_SEND", comm_size=9, comm_dst=0, comm_tag=rank)] for rank in (1, 2)]
        takes = [node(0, "COMM_RECV", comm_size=9, comm_src=-1, comm_tag=-1), node(1, "COMM_RECV", [0], comm_size=9, comm_src=-1, comm_tag=-1)]
        goal = self.text([takes, *send])
        self.assertEqual(goal.count("recv 9b from -1 tag -1"), 2)
        self.assertEqual(sum(self.flows('kind = "goal"\nfile = "it.goal"\n', goal).values()), 1 + 2)

    def test_the_example_is_what_it_is_made_of(self):
        sample.write(f"{self.folder}/step", sample.training_step())
        names = sorted(os.listdir(EXAMPLE))
        self.assertEqual(sorted(os.listdir(self.folder)), names)
        for name in names:
            with open(f"{EXAMPLE}/{name}", "rb") as ours, open(f"{self.folder}/{name}", "rb") as made:
                self.assertEqual(ours.read(), made.read(), f"{name}: testbench/chakra/sample.py makes another one")
        with open(f"{ROOT}/examples/chakra.goal", encoding="utf-8") as file:
            self.assertEqual(file.read(), chakra_goal.convert(EXAMPLE), "examples/chakra.goal is stale: scripts/chakra_goal.py examples/chakra --out examples/chakra.goal")

    def test_what_cannot_be_is_a_line(self):
        send, take = node(0, "COMM_SEND", comm_size=9, comm_dst=1, comm_tag=3), node(0, "COMM_RECV", comm_size=9, comm_src=0, comm_tag=3)
        self.text([[send], [take]])
        reduce = all_ranks(2, "ALL_REDUCE", 9)
        for ranks, words in [
            ([[send], []], "it.0.et: node 0: rank 1 has no receive for this message (tag 3)"),
            ([[], [take]], "it.1.et: node 0: rank 0 has no send for this receive (tag 3)"),
            ([[node(7, "COMM_SEND", comm_size=9, comm_dst=2)], []], "it.0.et: node 7: comm_dst = 2 is not possible; use 0 to 1"),
            ([[node(7, "COMM_SEND", comm_size=9, comm_dst=0)], []], "comm_dst = 0 is the rank itself"),
            ([[node(7, "COMM_SEND", comm_size=9, comm_dst=1, comm_src=1)], []], "comm_src = 1 in the file of rank 0"),
            ([[node(7, "COMM_SEND", comm_dst=1)], []], "COMM_SEND_NODE has no comm_size"),
            ([[node(7, "COMM_SEND", comm_size=-1, comm_dst=1)], []], "comm_size = -1 is not possible"),
            ([[send, send], [take]], "it.0.et: node 0 is given twice"),
            ([[node(1, "COMP", [5])], []], "it.0.et: node 1: it depends on node 5, which is not there"),
            ([[node(1, "COMP", [2]), node(2, "COMP", [1])], []], "it waits for itself"),
            # Each rank receives before it sends.
            (
                [[node(0, "COMM_RECV", comm_size=1, comm_src=1 - at), node(1, "COMM_SEND", [0], comm_size=1, comm_dst=1 - at)] for at in (0, 1)],
                "it waits for itself: its dependencies form a circle",
            ),
            ([reduce[0], []], "it.0.et: node 0: rank 1 has no part in this collective"),
            ([reduce[0], all_ranks(2, "ALL_REDUCE", 8)[0]], "comm_size is 8, that of rank 0 9"),
            ([reduce[0], all_ranks(2, "ALL_GATHER", 9)[0]], "comm_type is 2, that of rank 0 0"),
            (all_ranks(2, "BROADCAST", 9), "BROADCAST is not known; use ALL_REDUCE, "),
            ([[node(0, "INVALID")], []], "INVALID_NODE is not known"),
            ([[send]], "a trace of one rank sends nothing"),
        ]:
            self.refused(ranks, words)
        one = all_ranks(2, "ALL_REDUCE", 9)
        one[0][0].attr.add(name="involved_dim").bool_list.values.extend([True, False])
        self.refused(one, "involved_dim leaves a dimension out")

    def test_a_file_that_is_cut_off_is_told(self):
        with open(f"{EXAMPLE}/step.0.et", "rb") as file:
            whole = file.read()
        sample.write(f"{self.folder}/step", sample.training_step())
        with self.assertRaises(chakra_goal.Wrong):
            chakra_goal.convert(f"{self.folder}/ste")
        cut_off = 0
        for length in range(len(whole)):
            with open(f"{self.folder}/step.0.et", "wb") as file:
                file.write(whole[:length])
            with self.assertRaises(chakra_goal.Wrong, msg=f"{length} bytes") as caught:
                chakra_goal.convert(self.folder)
            self.assertIn("step.", str(caught.exception))
            cut_off += "is cut off" in str(caught.exception)
        # Seven lengths are whole messages: none, the metadata, and five of six nodes.
        self.assertEqual(cut_off, len(whole) - 7)
        os.remove(f"{self.folder}/step.0.et")
        with self.assertRaisesRegex(chakra_goal.Wrong, r"step\.0\.et is missing: the last rank is 7"):
            chakra_goal.convert(self.folder)

    def test_a_file_that_ends_between_two_nodes_is_told_if_somebody_waits(self):
        """The format has no end mark: a missing node that no other node waits for is not detected."""
        step, out = f"{self.folder}/step", f"{self.folder}/it.goal"
        line = r"^\S+/step\.\d+\.et: node \d+: .*(rank \d|depends on node \d)"
        for make in [lambda: ring(4, 1_000), sample.training_step]:
            for rank, nodes in enumerate(make()):
                sample.write(step, make())
                chakra_goal.convert(step)
                with open(f"{step}.{rank}.et", "rb") as file:
                    whole = file.read()
                for count in range(len(nodes)):
                    ranks = make()
                    del ranks[rank][count:]
                    sample.write(step, ranks)
                    with open(f"{step}.{rank}.et", "rb") as file:
                        self.assertTrue(whole.startswith(file.read()), "it is the file, cut off")
                    with self.assertRaisesRegex(chakra_goal.Wrong, line, msg=f"rank {rank}, {count} nodes"):
                        chakra_goal.convert(step)
        done = subprocess.run([f"{ROOT}/scripts/chakra_goal.py", step, "--out", out], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n"), os.path.exists(out)), (2, 1, False))
        # A computation at the end, for which no node waits.
        send, take, last = node(0, "COMM_SEND", comm_size=9, comm_dst=1), node(0, "COMM_RECV", comm_size=9, comm_src=0), node(1, "COMP", [0])
        whole, cut_off = self.text([[send, last], [take]]), self.text([[send], [take]])
        self.assertEqual(whole.replace("n1: calc 0\n", "").replace("n1 requires n0\n", ""), cut_off)

    def test_the_command_says_a_line_and_writes_nothing(self):
        out = f"{self.folder}/it.goal"
        command = [f"{ROOT}/scripts/chakra_goal.py", "--out", out]
        done = subprocess.run([*command, f"{self.folder}/none"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n"), os.listdir(self.folder)), (2, 1, []))
        self.assertRegex(done.stderr, "^chakra: .*there is no .*none.0.et")
        sample.write(f"{self.folder}/never", [[node(1, "COMP", [2]), node(2, "COMP", [1])], []])
        done = subprocess.run([*command, f"{self.folder}/never"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n"), os.path.exists(out)), (1, 1, False))
        for name in os.listdir(self.folder):
            os.remove(f"{self.folder}/{name}")
        done = subprocess.run([*command, EXAMPLE], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr, os.listdir(self.folder)), (0, "", ["it.goal"]))

    @unittest.skipUnless(os.path.isdir(THEIRS), "the traces of astra-sim are not here")
    def test_traces_of_others(self):
        """An AllReduce of 8 ranks and 1 MiB equals weft's. Refuses two ranks alone of a trace of 8 ranks."""
        ours = self.flows('kind = "allreduce"\nbytes = 1048576\n')
        goal = chakra_goal.convert(f"{THEIRS}/chakra_all_reduce_8npus_1MB")
        self.assertEqual(self.flows('kind = "goal"\nfile = "it.goal"\n', goal), ours)
        with self.assertRaisesRegex(chakra_goal.Wrong, "0.et: node 1: comm_src = 7 is not possible; use -1 to 1"):
            chakra_goal.convert(f"{THEIRS}/chakra_custom_ring_allreduce_8npus_1MB")


if __name__ == "__main__":
    unittest.main()
