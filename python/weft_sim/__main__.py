"""weft-sim, python -m weft_sim: `weft sim` and `weft sweep` without the rest of weft.

The exit code is 0 if all is well, 1 if the counts of a run do not balance, 2 for wrong usage or input.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from . import _native
from ._setup import Run, settings
from ._sweep import _checked, _swept


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="weft-sim", description="The fabric simulator of weft.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    sim = kinds.add_parser("sim", help="simulate a fabric")
    sweep = kinds.add_parser("sweep", help="simulate a fabric over values of its keys and over seeds")
    for each in (sim, sweep):
        each.add_argument("file", metavar="FILE", help="file to run (TOML)")
        each.add_argument("--set", action="append", default=[], dest="sets", metavar="KEY=VALUE", help="set a key of the file")
        each.add_argument("--where", metavar="CONDITIONS", help="use only flows that meet these conditions, such as bytes<100000,rack=3")
        each.add_argument("--json", metavar="FILE", help="write the result as JSON, or with - print it")
    sim.add_argument("--seed", type=int, metavar="N", help="seed of all random choices")
    sim.add_argument("--threads", type=int, metavar="N", help="run in N threads; the result is the same with any number")
    for table in ("flows", "series", "early"):
        sim.add_argument(f"--{table}", metavar="FILE", help=f"write the table {table} (CSV)")
    sim.add_argument("--oracle", action="store_true", help="run event by event from a heap: slower, with the same result")
    sweep.add_argument("--over", action="append", default=[], metavar="KEY=VALUES", help="run all values of a key, as KEY=VALUE,VALUE")
    sweep.add_argument("--seeds", default="1", metavar="N", help="seeds: N for 1 to N, or a list such as 3,7,20-29")
    sweep.add_argument("--out", required=True, metavar="FOLDER", help="folder for the results")
    sweep.add_argument("--csv", metavar="FILE", help="write the table (CSV)")
    sweep.add_argument("--jobs", type=int, metavar="N", help="do N runs side by side; by default one for each core")
    sweep.add_argument("--scheduler", metavar="ADDRESS", help="do the runs on the Dask cluster at ADDRESS; with local, on a Dask cluster of this machine")
    return parser


def _put(path: str | None, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
    elif path is not None:
        Path(path).write_text(text, encoding="utf-8")


def _sim(args: argparse.Namespace) -> int:
    keys = {key: value for key, value in (("seed", args.seed), ("threads", args.threads)) if value is not None}
    plan = _native.Plan.read(args.file, [*args.sets, *settings(keys)])
    for line in plan.warnings:
        print(f"weft-sim: {line}", file=sys.stderr)
    begin = time.monotonic()
    run = Run(plan.run(args.where, args.oracle, None), time.monotonic() - begin)
    for table in ("flows", "series", "early"):
        if getattr(args, table):
            _put(getattr(args, table), run.csv(table))
    if args.json:
        _put(args.json, run.json())
    if args.json != "-":
        sys.stdout.write(str(run))
    return 1 if run.violations else 0


def _sweep(args: argparse.Namespace) -> int:
    file, out = (str(Path(path).absolute()) for path in (args.file, args.out))
    words = (file, args.over, args.sets, args.seeds, out)
    points = _checked(words)

    def warn(line: str) -> None:
        print(f"weft-sim: {line}", file=sys.stderr)

    with ExitStack() as stack:
        client = None
        if args.scheduler is not None:
            from distributed import Client

            local = {"n_workers": args.jobs, "threads_per_worker": 1, "dashboard_address": None}
            client = stack.enter_context(Client(**local) if args.scheduler == "local" else Client(args.scheduler))
        sweep = _swept(points, words, args.where, args.jobs, client, warn)
    _put(args.csv, sweep.csv())
    _put(args.json, sweep.json())
    sys.stdout.write(f"{sweep}violations: {sweep.violations}\n")
    if sweep.violations:
        return 1
    if sweep.missing:
        print(f"weft-sim: {sweep.missing} of {len(points)} runs could not be", file=sys.stderr)
        return 2
    return 0


def main(words: list[str] | None = None) -> int:
    """Runs the command."""
    args = _parser().parse_args(words)
    try:
        return _sim(args) if args.kind == "sim" else _sweep(args)
    except (ValueError, OSError, ImportError) as error:
        print(f"weft-sim: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("weft-sim: stopped before the end", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
