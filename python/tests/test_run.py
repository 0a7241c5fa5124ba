"""Tests of whole runs: the bytes of the command, errors, tables."""

import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import libweft
import weft_sim
from weft_sim._setup import settings

WEFT = f"{libweft.ROOT}/target/release/weft"
EXAMPLES = f"{libweft.ROOT}/examples"
SMALL = f"{EXAMPLES}/permutation.toml"
SERIES = {"series": {"every_us": 5, "links": ["leaf-0", "leaf-1 > spine-1"]}}


def weft(*words):
    done = subprocess.run([WEFT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


def parts(text):
    """A result without the line of the program that made it, and this line."""
    lines = text.splitlines(keepends=True)
    program = [line for line in lines if line.startswith('  "program": ')]
    assert len(program) == 1, program
    return "".join(line for line in lines if line not in program), program[0]


class Whole(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", weft_sim.SetupWarning)

    def test_a_run_is_the_command_s_byte_for_byte(self):
        for file, keys in (
            (SMALL, {"workload.bytes": 100_000, "hosts.ev_mode": "reps"}),
            (f"{EXAMPLES}/failures.toml", {"threads": 2, "until_us": 200, **SERIES}),
            (f"{EXAMPLES}/conweave.toml", {"until_us": 100}),
            (f"{EXAMPLES}/flow_list.toml", {"hosts.own": [{"from": 0, "to": 1, "ev_mode": "ops"}], "until_us": 100}),
        ):
            with self.subTest(file=file), tempfile.TemporaryDirectory() as folder:
                sets = [word for one in settings(keys) for word in ("--set", one)]
                tables = [f"{folder}/flows", f"{folder}/series", f"{folder}/early"]
                run = weft_sim.run(file, seed=7, **keys)
                words = ["--flows", tables[0]]
                if len(run.early):
                    words += ["--series", tables[1], "--early", tables[2]]
                said, error, code = weft("sim", file, "--seed", "7", *sets, "--json", "-", *words)
                self.assertEqual(code, 0 if not run.violations else 1, error)
                own, program = parts(run.json())
                other, its = parts(said)
                self.assertEqual(own, other)
                self.assertNotEqual(program, its)
                for name, table in zip(("flows", "series", "early"), tables):
                    if os.path.exists(table):
                        self.assertEqual(run.csv(name), pathlib.Path(table).read_text())

    def test_the_command_s_twin_prints_the_same(self):
        words = ["sim", SMALL, "--set", "workload.bytes=50000", "--seed", "3"]
        said, _, _ = weft(*words)
        for start in ([sys.executable, "-m", "weft_sim"], [os.path.join(os.path.dirname(sys.executable), "weft-sim")]):
            own = subprocess.run([*start, *words], stdout=subprocess.PIPE, text=True, check=True).stdout
            # The first line has wall time.
            self.assertEqual(own.splitlines()[1:], said.splitlines()[1:])
        bad = subprocess.run([*start, "sim", SMALL, "--set", "no=1"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(bad.returncode, 2)
        _, error, _ = weft("sim", SMALL, "--set", "no=1")
        self.assertEqual(bad.stderr.removeprefix("weft-sim:"), error.removeprefix("weft:"))

    def test_mistakes_have_file_line_and_key(self):
        text = pathlib.Path(SMALL).read_text()
        with tempfile.TemporaryDirectory() as folder:
            for wrong, line_of, key, what in (
                ('kind = "permutation"', 'kind = "no"', "workload.kind", "unknown variant"),
                ("[workload]", "[workload]\nbites = 1", "workload.bites", "unknown field"),
                ("[topology]", "until_us = -1\n[topology]", "until_us", "is not possible"),
            ):
                with self.subTest(key=key):
                    file = f"{folder}/wrong.toml"
                    changed = text.replace(wrong, line_of, 1)
                    self.assertNotEqual(changed, text)
                    pathlib.Path(file).write_text(changed)
                    with self.assertRaises(weft_sim.SetupError) as caught:
                        weft_sim.run(file)
                    error = caught.exception
                    at = next(at for at, line in enumerate(changed.splitlines(), 1) if line in line_of.split("\n") and line != wrong)
                    self.assertEqual((error.file, error.line, error.key), (file, at, key), str(error))
                    self.assertIn(what, str(error))
                    self.assertTrue(str(error).startswith(f"{file}:{at}:"), str(error))
        with self.assertRaises(weft_sim.SetupError) as caught:
            weft_sim.run(SMALL, **{"workload.bytes": "many"})
        self.assertEqual((caught.exception.line, caught.exception.key), (None, "workload.bytes"))
        with self.assertRaises(weft_sim.SetupError) as caught:
            weft_sim.run("not there.toml")
        self.assertEqual(caught.exception.file, "not there.toml")
        for wrong in ({"where": "no<1"}, {"keys": object()}):
            with self.assertRaises((ValueError, TypeError)):
                weft_sim.run(SMALL, **wrong)

    def test_tables(self):
        run = weft_sim.run(f"{EXAMPLES}/failures.toml", **{"until_us": 200}, **SERIES)
        flows = run.flows
        self.assertEqual(flows.columns, run.csv("flows").split("\n")[0].split(","))
        self.assertEqual(len(flows), len(run.result["flows"]))
        for at, row in enumerate(run.result["flows"]):
            self.assertEqual({name: flows[name][at] for name in flows.columns}, row)
        with self.assertRaises(KeyError):
            flows["no"]
        for name in "flows", "series", "early":
            table = getattr(run, name)
            self.assertEqual(len(table), len(run.csv(name).splitlines()) - 1)
            self.assertGreater(len(table), 0)
            for at, row in enumerate(csv.DictReader(io.StringIO(run.csv(name)))):
                self.assertEqual(list(row), table.columns)
                for column, text in row.items():
                    value = table[column][at]
                    if isinstance(value, float):
                        # The text has three digits of some.
                        self.assertAlmostEqual(value, float(text), delta=6e-4, msg=f"{name}, {column}, row {at}")
                    else:
                        self.assertEqual("" if value is None else str(value), text, f"{name}, {column}, row {at}")

    def test_arrow(self):
        try:
            import nanoarrow
        except ImportError:
            self.skipTest("nanoarrow is not installed")
        with tempfile.TemporaryDirectory() as folder:
            sweep = weft_sim.sweep(SMALL, {"hosts.ev_mode": ["reps", "ops"]}, seeds=2, out=folder, **{"workload.bytes": 20_000, "until_us": 8})
        run = weft_sim.run(f"{EXAMPLES}/failures.toml", **{"until_us": 100}, **SERIES)
        tables = [run.flows, run.series, run.early, sweep.runs, sweep.summary]
        for table in tables:
            # Text, numbers, nulls.
            rows = nanoarrow.ArrayStream(table).read_all().to_pylist()
            self.assertEqual(len(rows), len(table))
            for name in table.columns:
                self.assertEqual([row[name] for row in rows], table[name], name)
        self.assertTrue(any(None in table[name] for table in tables for name in table.columns))
        # A capsule that nobody reads is freed, a reader outlives its table.
        for _ in range(1_000):
            run.flows.__arrow_c_stream__()
        stream = nanoarrow.ArrayStream(weft_sim.run(SMALL, **{"workload.bytes": 10_000}).flows)
        self.assertGreater(len(stream.read_all()), 0)

    def test_other_threads_go_on_and_a_run_can_be_stopped(self):
        seen = []

        def stop(so_far, all_of_them):
            seen.append(so_far)
            if len(seen) == 3:
                raise KeyError("enough")

        ticks, over = [], threading.Event()

        def tick():
            while not over.wait(0.01):
                ticks.append(time.monotonic())

        other = threading.Thread(target=tick)
        other.start()
        with self.assertRaises(KeyError):
            weft_sim.run(SMALL, progress=stop, **{"workload.bytes": 100_000_000, "until_us": 1e6})
        over.set()
        other.join()
        self.assertGreaterEqual(len(ticks), 5)

    def test_setups(self):
        setup = weft_sim.Setup(SMALL, keys={"workload.bytes": 12_345})
        self.assertEqual(setup.values["workload"]["bytes"], 12_345)
        self.assertEqual(set(setup.flows["bytes"]), {12_345})
        text = weft_sim.Setup(text=pathlib.Path(SMALL).read_text()).replace(**{"workload.bytes": 12_345})
        self.assertEqual(text.values, setup.values)
        self.assertEqual(weft_sim.run(text, seed=3).json(), weft_sim.run(setup, seed=3).json())
        with self.assertRaises(TypeError):
            weft_sim.Setup()


class Sweeps(unittest.TestCase):
    WORDS = ["--over", "hosts.ev_mode=reps,ops", "--over", "scheme.name+until_us=ecmp+50,drill+40", "--set", "workload.bytes=50000", "--seeds", "2"]
    OVER = {"hosts.ev_mode": ["reps", "ops"], ("scheme.name", "until_us"): [("ecmp", 50), ("drill", 40)]}

    def test_a_sweep_is_the_command_s_byte_for_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            there, own = f"{folder}/there", f"{folder}/own"
            said, error, _ = weft("sweep", SMALL, *self.WORDS, "--out", there, "--csv", f"{folder}/csv", "--json", f"{folder}/json")
            sweep = weft_sim.sweep(SMALL, self.OVER, seeds=[1, 2], out=own, **{"workload.bytes": 50_000})
            self.assertEqual((sweep.made, sweep.kept), (8, 0))
            self.assertEqual(sorted(os.listdir(own)), sorted(os.listdir(there)), error)
            for name in os.listdir(own):
                one, other = (pathlib.Path(f"{each}/{name}").read_text() for each in (own, there))
                self.assertEqual(parts(one)[0], parts(other)[0])
            self.assertEqual(sweep.csv(), pathlib.Path(f"{folder}/csv").read_text())
            self.assertEqual(sweep.json(), pathlib.Path(f"{folder}/json").read_text())
            self.assertEqual(f"{sweep}violations: 0\n", said)
            # Each run has a row; the means of the rows are in the summary.
            runs, summary = sweep.runs.asdict(), sweep.summary.asdict()
            self.assertEqual(len(runs["seed"]), 8)
            figure = "completion, mean, us"
            first = [value for mode, name, value in zip(runs["hosts.ev_mode"], runs["scheme.name"], runs[figure]) if (mode, name) == ("reps", "ecmp")]
            self.assertAlmostEqual(sum(first) / 2, summary["mean"][summary["figure"].index(figure)])
            # A second sweep runs nothing.
            again = weft_sim.sweep(SMALL, self.OVER, seeds="1,2", out=own, **{"workload.bytes": 50_000})
            self.assertEqual((again.made, again.kept), (0, 8))
            # Through the command line.
            words = [sys.executable, "-m", "weft_sim.sweep", SMALL, *self.WORDS, "--out", own]
            told = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
            self.assertEqual((told.stdout, told.stderr), (said, ""))

    def test_what_cannot_be(self):
        with tempfile.TemporaryDirectory() as folder:
            for over, seeds, error in (
                ({"no": [1]}, 1, weft_sim.SetupError),
                ({"seed": [1]}, 1, ValueError),
                ({"until_us": [1, 1]}, 1, ValueError),
                ({}, 0, ValueError),
                ({"until_us": [1]}, [3, 3], ValueError),
            ):
                with self.assertRaises(error):
                    weft_sim.sweep(SMALL, over, seeds=seeds, out=f"{folder}/out")
            self.assertEqual(os.listdir(folder), [])


class Stubs(unittest.TestCase):
    def test_what_the_stubs_say_is_there(self):
        """Compares names and parameters in the text of the stubs with those of the module."""
        import ast
        import importlib.resources
        import inspect

        import weft_sim._native as native

        text = (importlib.resources.files(weft_sim) / "_native.pyi").read_text()
        body = ast.parse(text).body
        said = {node.name: node for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        said |= {node.target.id: node for node in body if isinstance(node, ast.AnnAssign)}
        there = {name for name in dir(native) if not name.startswith("__")}
        self.assertEqual({name for name in said if not name.startswith("_")}, there)
        for name, node in said.items():
            if not isinstance(node, ast.ClassDef) or name.startswith("_") or name in ("Difference", "SetupError"):
                continue
            own = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
            own |= {each.target.id: each for each in node.body if isinstance(each, ast.AnnAssign)}
            for base in node.bases:
                own |= {each.name: each for each in said[base.id].body if isinstance(each, ast.FunctionDef)}
            public = {each for each in vars(getattr(native, name)) if not each.startswith("__")}
            self.assertEqual({each for each in own if not each.startswith("__")}, public, name)
            for method, each in own.items():
                if not isinstance(each, ast.FunctionDef) or each.decorator_list or method.startswith("__") and method != "__new__":
                    continue
                it = getattr(native, name) if method == "__new__" else getattr(getattr(native, name), method)
                names = [one.arg for one in each.args.args + each.args.kwonlyargs]
                names = names[1:] if method == "__new__" else names
                self.assertEqual(names, list(inspect.signature(it).parameters), f"{name}.{method}")


if __name__ == "__main__":
    unittest.main()
