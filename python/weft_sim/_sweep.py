"""A setup over values of its keys and over seeds: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

import collections
import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

from . import _native
from ._setup import Setup, SetupWarning, settings, toml

if TYPE_CHECKING:
    import distributed

Key = str | tuple[str, ...]
# Time between two polls for the result of another sweep.
WAIT_S = 0.1


def _word(value: object, mark: str) -> str:
    text = toml(value)
    # Within quotes, a mark does not separate values.
    return json.dumps(text, ensure_ascii=False) if isinstance(value, str) and set(text) & set(mark) else text


def _axis(key: Key, values: Iterable[object]) -> str:
    if isinstance(key, str):
        return f"{key}=" + ",".join(_word(value, ",") for value in values)
    steps = ("+".join(_word(one, ",+") for one in step) for step in values)
    return "+".join(key) + "=" + ",".join(steps)


def _seeds(seeds: int | str | Iterable[int]) -> str:
    if isinstance(seeds, (int, str)):
        return str(seeds)
    return "".join(f"{seed}," for seed in seeds)


class Sweep:
    """The results of a sweep. `made` is the number of new runs, `kept` the number of results that already existed."""

    def __init__(self, figures: _native.Figures, files: Sequence[str], made: int, kept: int) -> None:
        self._figures = figures
        self.files, self.made, self.kept = list(files), made, kept

    @property
    def runs(self) -> _native.Table:
        """A row for each run: the keys that were swept, the seed, all figures."""
        return self._figures.runs

    @property
    def summary(self) -> _native.Table:
        """A row for each figure of each combination over its seeds: mean, deviation, confidence interval."""
        return self._figures.summary

    @property
    def violations(self) -> int:
        return self._figures.violations

    @property
    def missing(self) -> int:
        """Number of impossible runs, for example of seeds whose random failures cut off hosts."""
        return self._figures.missing

    def csv(self) -> str:
        """The text that `weft sweep --csv` writes."""
        return self._figures.csv()

    def json(self) -> str:
        """The text that `weft sweep --json` writes."""
        return self._figures.json()

    def __str__(self) -> str:
        return self._figures.text()


def _done(points: _native.Points, number: int) -> tuple[str, list[str]]:
    """Does a run, or waits until another sweep has done it."""
    while True:
        how, lines = points.run(number)
        if how != "elsewhere":
            return how, lines
        time.sleep(WAIT_S)


def _remote(words: tuple[Any, ...], number: int) -> tuple[str, list[str]]:
    """Does a run on a worker of the cluster."""
    return _done(_native.Points(*words), number)


def _here(points: _native.Points, jobs: int | None, tell: Callable[[str, list[str]], None]) -> None:
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs {jobs}: use 1 or more")
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        futures = [pool.submit(_done, points, number) for number in range(len(points))]
        try:
            for future in as_completed(futures):
                tell(*future.result())
        except BaseException:
            points.stop()
            for future in futures:
                future.cancel()
            raise


def _there(
    points: _native.Points, words: tuple[Any, ...], client: distributed.Client, tell: Callable[[str, list[str]], None]
) -> None:
    from distributed import as_completed as completed

    sweep = hashlib.sha256(repr((words, time.time())).encode()).hexdigest()[:12]
    futures = [
        client.submit(_remote, words, number, key=f"weft-{sweep}-{number}", pure=False) for number in range(len(points))
    ]
    try:
        for future in completed(futures):
            tell(*future.result())
    except BaseException:
        client.cancel(futures)
        raise


def _checked(words: tuple[Any, ...]) -> _native.Points:
    """The possible runs of a sweep, and their folder."""
    points = _native.Points(*words)
    points.check()
    os.makedirs(words[-1], exist_ok=True)
    return points


def _swept(
    points: _native.Points,
    words: tuple[Any, ...],
    where: str | None,
    jobs: int | None,
    client: distributed.Client | None,
    warn: Callable[[str], object],
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:
    """Does the runs of a sweep. `warn` gets each different line for users once."""
    known: set[str] = set()
    count: collections.Counter[str] = collections.Counter()

    def tell(how: str, lines: list[str]) -> None:
        count[how] += 1
        for line in lines:
            if line not in known:
                known.add(line)
                warn(line)
        if progress is not None:
            progress(count.total(), len(points))

    if client is None:
        _here(points, jobs, tell)
    else:
        _there(points, words, client, tell)
    return Sweep(points.figures(where), [str(file) for _, _, file in points.list()], count["made"], count["kept"])


def sweep(
    setup: str | os.PathLike[str] | Setup,
    over: Mapping[Key, Iterable[object]] | None = None,
    *,
    seeds: int | str | Iterable[int] = 1,
    out: str | os.PathLike[str],
    where: str | None = None,
    jobs: int | None = None,
    client: distributed.Client | None = None,
    progress: Callable[[int, int], object] | None = None,
    **keys: object,
) -> Sweep:
    """Runs a file over values of keys and over seeds, as `weft sweep` does; each result is a file in the folder `out`.

    `over` has values for each key. Keys that change together are a tuple, and so are their values. `seeds` is a number N for
    the seeds 1 to N, or a list of seeds. A run whose result exists is skipped, so a new sweep continues an interrupted
    one. Several sweeps may share a folder. `client` is a dask.distributed.Client, whose workers do the runs; the workers
    must see the same files.
    """
    if isinstance(setup, Setup):
        if setup.file is None:
            raise ValueError("a sweep needs a setup in a file: the workers read it")
        setup, keys = setup.file, {**setup.keys, **keys}
    axes = [_axis(key, values) for key, values in (over or {}).items()]
    file, folder = (os.path.abspath(os.fspath(path)) for path in (setup, out))
    words = (file, axes, settings(keys), _seeds(seeds), folder)
    points = _checked(words)

    def warn(line: str) -> None:
        warnings.warn(line, SetupWarning, stacklevel=5)

    return _swept(points, words, where, jobs, client, warn, progress)
