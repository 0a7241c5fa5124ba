#!/usr/bin/env python3
"""Tests of workload files of SimAI in `weft sim`: docs/simai.md. Needs target/release/weft.

    testbench/chakra/test_simai.py [-k NAME]
"""
import collections
import contextlib
import csv
import io
import random
import subprocess
import sys
import unittest

from schedules import ROOT, Schedules, sent

SCRIPT = f"{ROOT}/scripts/simai_goal.py"
sys.path.insert(0, f"{ROOT}/scripts")

import simai_goal  # noqa: E402 (its folder is on the path above)


def header(ranks, tensor, more="ep: 1 pp: 1 vpp: 1 ga: 1"):
    return f"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {tensor} {more} all_gpus: {ranks} checkpoints: 0 checkpoint_initiates: 0"


def layer(forward="NONE 0", inputs="NONE 0", weights="NONE 0", ns=(0, 0, 0, 0), name="mlp"):
    return f"{name} -1 {ns[0]} {forward} {ns[1]} {inputs} {ns[2]} {weights} {ns[3]}"


def text(head, *layers):
    return "\n".join([head, str(len(layers)), *layers]) + "\n"


class Simai(Schedules):
    def run_script(self, workload):
        """Exit code, schedule, and output on standard error."""
        with open(f"{self.folder}/it.txt", "w", encoding="utf-8") as file:
            file.write(workload)
        done = subprocess.run([SCRIPT, "it.txt"], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def goal(self, workload):
        code, goal, said = self.run_script(workload)
        self.assertEqual((code, said), (0, ""))
        return goal

    def flows(self, workload, goal=None):
        """The rows of a run. All flows must have ended."""
        return list(csv.DictReader(self.table(workload, goal)))

    def run_goal(self, workload):
        return self.flows('kind = "goal"\nfile = "it.goal"\n', self.goal(workload))

    def test_an_all_reduce_is_the_ring_of_the_simulator(self):
        """Checks that flows and their times are equal."""
        rows = [self.run_goal(text(header(8, 8), layer(forward="ALLREDUCE 1000003"))), self.flows('kind = "allreduce"\nbytes = 1000003\n')]
        simai, ours = (collections.Counter(tuple(row.values())[1:] for row in it) for it in rows)
        self.assertEqual((sum(ours.values()), simai), (14 * 8, ours))

    def test_collectives_move_what_they_must(self):
        """By hand, for 4 ranks and 1,000 bytes in all: to the next rank, and to each other rank."""
        for kind, to_next, to_others in [("ALLREDUCE", 1_500, 0), ("REDUCESCATTER", 750, 0), ("ALLGATHER", 750, 0), ("ALLTOALL", 250, 250)]:
            got = sent(self.goal(text(header(4, 4), layer(forward=f"{kind} 1000"))))
            expected = {(rank, (rank + far) % 4): to_next if far == 1 else to_others for rank in range(4) for far in (1, 2, 3)}
            self.assertEqual(got, collections.Counter({way: size for way, size in expected.items() if size}), kind)

    def test_groups_are_those_of_simai(self):
        """16 ranks, tensor groups of 2, so 8 data-parallel ranks at a stride of 2; 4 of them are a group of experts."""
        for where, collective, group in [
            ("forward", "ALLTOALL", [5]),
            ("inputs", "ALLTOALL", [5]),
            ("weights", "ALLTOALL", [0, 2, 6, 8, 10, 12, 14]),
            ("forward", "ALLTOALL_EP", [0, 2, 6]),
            ("weights", "ALLTOALL_DP_EP", [12]),
        ]:
            goal = self.goal(text(header(16, 2, "ep: 4 pp: 1"), layer(**{where: f"{collective} 4096"})))
            self.assertEqual(sorted(to for source, to in sent(goal) if source == 4), group, (where, collective))
        # Two stages of a pipeline: the stride is 4.
        goal = self.goal(text(header(16, 2, "ep: 1 pp: 2"), layer(weights="ALLTOALL 4096")))
        self.assertEqual(sorted(to for source, to in sent(goal) if source == 5), [1, 9, 13])

    def test_who_waits_for_whom(self):
        """Compute times determine the start of each collective of two ranks. Only the update waits for gradients of weights."""
        lines = [
            layer("ALLTOALL 2000", "ALLTOALL 2400", "NONE 0", (1_000, 20_000, 0, 5_000)),
            layer("ALLTOALL 2200", "ALLTOALL 2600", "ALLTOALL_EP 20000000", (300_000, 70_000, 9_000, 0)),
        ]
        rows = self.run_goal(text(header(4, 2, "ep: 2 pp: 1"), *lines))
        start = {int(row["bytes"]): float(row["start_us"]) for row in rows if row["source"] == "0"}
        done = {int(row["bytes"]): start[int(row["bytes"])] + float(row["acknowledged_us"]) for row in rows if row["source"] == "0"}
        self.assertEqual(start[1000], 1)
        self.assertTrue(-0.01 < start[1100] - done[1000] - 300 < 10, (start, done))
        self.assertTrue(-0.01 < start[10000000] - done[1100] - 9 < 10, (start, done))
        # The input's gradient begins 70 us after the weights' exchange has begun, which lasts 800.
        self.assertAlmostEqual(start[1300], start[10000000] + 70, places=2)
        self.assertTrue(-0.01 < start[1200] - done[1300] - 20 < 10 and done[1200] < done[10000000], (start, done))

    def test_what_is_left_out_is_said(self):
        head = header(4, 2, "ep: 1 pp: 1").replace("checkpoints: 0", "checkpoints: 2 0 1") + " pp_comm: 4096"
        code, goal, said = self.run_script(text(head, layer("BROADCAST 8", "ALLREDUCE 8")) + "more\n")
        self.assertEqual(code, 0, said)
        self.assertEqual(sum(sent(goal).values()), 4 * 8)
        self.assertEqual(
            said.splitlines(),
            [f"simai: left out: {what}" for what in (
                "2 checkpointed layers, which compute again",
                "4096 bytes of each message between pipeline stages (pp_comm)",
                "1 lines behind the last layer",
                "1 collectives BROADCAST",
            )],
        )

    def test_mistakes_are_a_line(self):
        good = layer("ALLREDUCE 8")
        for workload, words in [
            ("", "it has no header of two lines"),
            (text("DLRM DLRM_LAST_BOTTOM_LAYER: 3", good), "it.txt:1: DLRM is not known"),
            (text("HYBRID_TRANSFORMER all_gpus: 8", good), "it.txt:1: model_parallel_NPU_group: is missing"),
            (text(header(8, 3), good), "it.txt:1: 8 ranks are no multiple of model_parallel_NPU_group 3"),
            (text(header(8, 2, "ep: 3"), good), "4 data-parallel ranks are no multiple of ep 3"),
            (text(header(8, "x"), good), "it.txt:1: model_parallel_NPU_group is x; use 1 to"),
            (header(8, 2) + "\n2\n" + good, "it.txt:2: it says 2 layers, and 1 follow"),
            (text(header(8, 2), good, good + " more"), "it.txt:4: the line has 13 words; a layer has 12"),
            (text(header(8, 2), layer("ALLMINUS 8")), "it.txt:3: ALLMINUS is not known"),
            (text(header(8, 2), layer("ALLREDUCE -8")), "it.txt:3: a size is -8; use 0 to"),
            (text(header(8, 2), layer(ns=(1, 1, 1, 1))), "nothing is sent"),
            (text(header(1, 1), good), "one rank sends nothing"),
        ]:
            code, goal, said = self.run_script(workload)
            self.assertEqual((code, goal, said.count("\n")), (2, "", 1), said)
            self.assertTrue(said.startswith("simai: ") and words in said, said)

    def test_any_file_ends_in_a_schedule_or_a_line(self):
        rng = random.Random(5)
        whole = text(header(4, 2), layer("ALLREDUCE 8", "ALLGATHER 64", "ALLTOALL 32", (1, 2, 3, 4)), layer("REDUCESCATTER 9"))
        path, made = f"{self.folder}/it.txt", 0
        for _ in range(2_000):
            changed = list(whole)
            for _ in range(rng.randint(1, 4)):
                changed[rng.randrange(len(changed))] = rng.choice([" ", "\n", "9", "5", "1", "-", "A", "\0", "\ufeff", ""])
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(changed if rng.random() < 0.7 else changed[: rng.randint(1, len(changed))]))
            try:
                # The number of ranks in a changed text can be so large that the schedule takes long to write.
                if simai_goal.Workload(path).ranks <= 64:
                    with contextlib.redirect_stderr(io.StringIO()):
                        simai_goal.convert(path)
                    made += 1
            except simai_goal.Wrong as wrong:
                self.assertNotIn("\n", str(wrong))
        self.assertGreater(made, 50)


if __name__ == "__main__":
    unittest.main()
