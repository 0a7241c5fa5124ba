"""Tests of flows that a program adds while the fabric runs: equal bytes to a run of `weft sim`, lateness, misuse."""

import json
import os
import random
import tempfile
import unittest

import weft_sim

SETUP = """
seed = 4
[topology]
kind = "fat-tree"
k = 4
[scheme]
name = "ecmp"
[switch]
queue_bytes = 60000
"""
NONE = '[workload]\nkind = "none"\n'


def fabric(text=SETUP + NONE, **keys):
    return weft_sim.Fabric(weft_sim.Setup(text=text, keys=keys))


class Live(unittest.TestCase):
    def test_flows_at_their_times_have_the_bytes_of_a_closed_run(self):
        rng = random.Random(3)
        starts = sorted(rng.randrange(80) for _ in range(200))
        flows = [(*rng.sample(range(16), 2), rng.randrange(1, 200_000), start) for start in starts]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "flows.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(" ".join(map(str, flow)) + "\n" for flow in flows)
            closed = weft_sim.run(weft_sim.Setup(text=SETUP + f'[workload]\nkind = "flows"\nfile = {json.dumps(path)}\n'))
        self.assertGreater(closed.summary["trims"], 0)
        live = fabric(threads=2)
        pairs = [(source, destination) for source, destination, _, _ in flows]
        for pair in sorted(set(pairs)):
            live.connect(*pair, min(4, pairs.count(pair)))
        done = []
        for number, (source, destination, bytes_, start) in enumerate(flows):
            while ended := live.advance(start * 1_000_000):
                done += ended
            self.assertEqual(live.send(source, destination, bytes_, at_ps=start * 1_000_000, user=7), number)
        while ended := live.advance():
            done += ended
        self.assertTrue(live.is_idle and all(it.user == 7 for it in done))
        self.assertEqual((len(done), live.late.flows), (400, 0))
        own, other = live.finish().result, closed.result
        for result in own, other:
            del result["setup"]["workload"]
            result.pop("inputs", None)
        self.assertEqual(json.dumps(own), json.dumps(other))

    def test_a_group_has_an_inner_network(self):
        live = fabric(inner={"hosts": 4, "gbps": 800, "latency_ns": 500})
        live.send(0, 1, 1_000_000, user=1)
        live.send(0, 2, 100, user=2)
        done = []
        while ended := live.advance():
            done += ended
        # 1,000,000 bytes leave in 10 us, then 100 in 1 ns; each arrives 500 ns after it has left.
        expected = [(10_000_000, 1, True), (10_001_000, 2, True), (10_500_000, 1, False), (10_501_000, 2, False)]
        self.assertEqual([(it.at_ps, it.user, it.is_sender) for it in done], expected)

    def test_an_answer_is_late_by_less_than_a_window(self):
        live = fabric()
        live.send(0, 9, 10_000, user=1)
        (done,) = live.advance()
        self.assertEqual((done.flow, done.user, done.source, done.destination, done.bytes), (0, 1, 0, 9, 10_000))
        self.assertFalse(done.is_sender)
        self.assertTrue(done.at_ps < live.now_ps <= done.at_ps + live.window_ps)
        live.send(9, 0, 1, at_ps=done.at_ps)
        self.assertEqual(live.late.asdict(), {"flows": 1, "sum_ps": live.now_ps - done.at_ps, "most_ps": live.now_ps - done.at_ps})

    def test_what_cannot_be_is_refused(self):
        live = fabric()
        for words in ((0, 16, 1), (2, 2, 1), (0, 1, 0)):
            with self.assertRaises(ValueError):
                live.send(*words)
        with self.assertRaises(weft_sim.SetupError) as refused:
            fabric(SETUP + '[workload]\nkind = "tornado"\nbytes = 1\n')
        self.assertEqual(refused.exception.key, "workload.kind")
        self.assertIsInstance(live.finish(), weft_sim.Run)
        with self.assertRaisesRegex(ValueError, "finish"):
            live.advance()


if __name__ == "__main__":
    unittest.main()
