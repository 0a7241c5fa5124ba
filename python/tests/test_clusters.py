"""The commands of docs/clusters.md, with programs of our own in place of sbatch, ssh and parallel. Our programs start
each command on this machine. With every launcher, each result of the sweep is made once, with the same bytes."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import libweft

SEEDS = 2
STARTERS = {
    # The tasks that the file requests, at once.
    "sbatch": """range=$(sed -n 's/^#SBATCH.*--array=\\([0-9]*\\)-\\([0-9]*\\).*/\\1 \\2/p' "$1")
for task in $(seq $range); do SLURM_ARRAY_TASK_ID=$task sh "$1" & done
wait""",
    "ssh": 'shift\nexec sh -c "$*"',
    # parallel --sshlogin HOSTS --workdir FOLDER COMMAND... ::: VALUES...
    "parallel": """cd "$4"; shift 4
command=; while [ "$1" != ::: ]; do command="$command $1"; shift; done; shift
for value; do $(echo $command | sed "s/{}/$value/"); done""",
}
SETUP = """[topology]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts_per_leaf = 2
[scheme]
name = "ecmp"
[workload]
kind = "permutation"
bytes = 20000
"""


class Clusters(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        (self.folder / "setup.toml").write_text(SETUP)
        (self.folder / "bin").mkdir()
        for name, text in STARTERS.items():
            (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / "bin" / name).chmod(0o755)
        self.env = {**os.environ, "PATH": f"{self.folder}/bin:{libweft.ROOT}/target/release:{os.environ['PATH']}"}
        with open(f"{libweft.ROOT}/docs/clusters.md", encoding="utf-8") as file:
            self.page = file.read()

    def shell(self, text):
        """Runs lines of the page, with fewer seeds, and with a folder of the test in place of the folder that all machines share."""
        text = text.replace("/shared", str(self.folder)).replace("--seeds 200", f"--seeds {SEEDS}").replace("$(seq 200)", f"$(seq {SEEDS})")
        done = subprocess.run(["sh", "-ec", text], cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def alone(self, words):
        """The results of the same sweep by one process."""
        self.shell(f"weft sweep setup.toml {words} --seeds 200 --out alone")
        return self.results("alone")

    def results(self, folder):
        return {path.name: path.read_bytes() for path in (self.folder / folder).glob("*.json")}

    def test_an_array_of_slurm(self):
        script = re.search(r"`sweep.sh`:\n\n```sh\n(.*?)```", self.page, re.S)[1]
        over = re.search(r"--over \S+", script)[0]
        tasks = int(re.search(r"--array=1-(\d+)", script)[1])
        self.assertEqual(tasks, 200 * len(over.split(",")), "a task for each run")
        script = script.replace(f"1-{tasks}", f"1-{tasks * SEEDS // 200}").replace("--seeds 200", f"--seeds {SEEDS}")
        (self.folder / "sweep.sh").write_text(script.replace("/shared", str(self.folder)))
        self.shell("sbatch sweep.sh")
        made = self.results("sweep")
        self.assertEqual(len(made), tasks * SEEDS // 200)
        self.assertEqual(made, self.alone(over))

    def test_ssh_and_parallel(self):
        block = re.search(r"### GNU parallel, SSH\n\n```sh\n(.*?)```", self.page, re.S)[1]
        for line in block.splitlines():
            with self.subTest(line=line):
                self.shell("rm -rf sweep alone")
                self.shell(line)
                self.assertEqual(self.results("sweep"), self.alone(""))

    def test_the_pods_of_kubernetes(self):
        command = re.search(r'command: \[sh, -c, "(.*?)"\]', self.page)[1]
        self.assertIn("completions: 200\n", self.page)
        for index in range(SEEDS):
            self.shell(f"JOB_COMPLETION_INDEX={index}; {command}")
        self.assertEqual(self.results("sweep"), self.alone(""))


if __name__ == "__main__":
    unittest.main()
