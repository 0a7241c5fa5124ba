"""A sweep on a Dask cluster of two processes, one of which is killed in the middle: the bytes equal those of one
machine, and no run is repeated. The page's first example runs as well."""

import contextlib
import importlib.util
import logging
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import libweft
import weft_sim

SMALL = f"{libweft.ROOT}/examples/permutation.toml"
SEEDS = 16
KEYS = {"workload.bytes": 40_000}
OVER = {"hosts.ev_mode": ["reps", "ops"]}


class Watched:
    """Records every result that has ever been in a folder. A file that is made again counts as another result."""

    def __init__(self, folder):
        self.folder, self.seen, self._over = folder, {}, threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _look(self):
        for entry in os.scandir(self.folder):
            if entry.name.endswith(".json") and not entry.name.startswith("."):
                with contextlib.suppress(FileNotFoundError):
                    status = entry.stat()
                    self.seen.setdefault(entry.name, set()).add((status.st_ino, status.st_mtime_ns))

    def _watch(self):
        while not self._over.wait(0.005):
            self._look()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        self._look()


class OnDask(unittest.TestCase):
    def test_a_worker_is_killed(self):
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            self.skipTest("distributed is not installed")
        # The scheduler reports the killed worker.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with tempfile.TemporaryDirectory() as folder:
            alone = weft_sim.sweep(SMALL, OVER, seeds=SEEDS, out=f"{folder}/alone", **KEYS)
            out = f"{folder}/dask"
            os.mkdir(out)
            killed = []

            def kill(done, _):
                # A third of the runs is done: a worker dies in the middle of a run, and the results that it
                # holds are lost.
                if done >= SEEDS * 2 // 3 and not killed:
                    workers = client.run(os.getpid)
                    killed.append(next(iter(workers.values())))
                    os.kill(killed[0], signal.SIGKILL)

            cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=folder)
            with cluster, Client(cluster) as client, Watched(out) as watched:
                sweep = weft_sim.sweep(SMALL, OVER, seeds=SEEDS, out=out, client=client, progress=kill, **KEYS)
                # A second sweep, by the command with an address, finds all results.
                again = weft_sim.sweep(SMALL, OVER, seeds=SEEDS, out=out, client=client, **KEYS)
                self.assertEqual((again.made, again.kept), (0, 2 * SEEDS))
                time.sleep(0.05)
            self.assertEqual(len(killed), 1)
            self.assertEqual(sweep.made + sweep.kept, 2 * SEEDS)
            self.assertEqual(len(watched.seen), 2 * SEEDS)
            for name, files in watched.seen.items():
                self.assertEqual(len(files), 1, f"{name} was made {len(files)} times")
                one, other = (pathlib.Path(f"{folder}/{each}/{name}").read_bytes() for each in ("alone", "dask"))
                self.assertEqual(one, other, name)
            self.assertEqual(sorted(os.listdir(out)), sorted(watched.seen), "nothing else is left")
            self.assertEqual((sweep.csv(), sweep.json()), (alone.csv(), alone.json()))

    def test_the_example_of_the_page(self):
        if importlib.util.find_spec("distributed") is None:
            self.skipTest("distributed is not installed")
        with open(f"{libweft.ROOT}/docs/clusters.md", encoding="utf-8") as file:
            page = file.read()
        code, says = re.search(r"### Dask\n.*?```python\n(.*?)```\n\n```text\n(.*?)```", page, re.S).groups()
        self.assertLessEqual(len(code.splitlines()), 20, "the first example is one to paste")
        self.assertIn('out="build/dask"', code)
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(f"{folder}/example.py")
            script.write_text(code.replace("build/dask", f"{folder}/results"))
            done = subprocess.run([sys.executable, script], cwd=libweft.ROOT, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, says)


if __name__ == "__main__":
    unittest.main()
