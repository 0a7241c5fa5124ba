"""Shared by the tests of schedules in GOAL: a folder, a network, a run of `weft sim`, and the bytes that a schedule sends."""
import collections
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NETWORK = """
[topology]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts_per_leaf = 4
[scheme]
name = "ecmp"
[workload]
"""


class Schedules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def table(self, workload, goal=None):
        """The lines of the table of flows of a run, with its heading. `goal` is the schedule in it.goal."""
        if goal is not None:
            with open(f"{self.folder}/it.goal", "w", encoding="utf-8") as file:
                file.write(goal)
        with open(f"{self.folder}/it.toml", "w", encoding="utf-8") as file:
            file.write(NETWORK + workload)
        done = subprocess.run([f"{ROOT}/target/release/weft", "sim", "it.toml", "--flows", "it.csv"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(f"{self.folder}/it.csv", encoding="utf-8") as file:
            return file.readlines()


def sent(goal):
    """Bytes that each rank sends to each other rank."""
    bytes_sent, rank = collections.Counter(), None
    for words in map(str.split, goal.splitlines()):
        if words[:1] == ["rank"]:
            rank = int(words[1])
        elif "send" in words:
            bytes_sent[rank, int(words[4])] += int(words[2][:-1])
    return bytes_sent
