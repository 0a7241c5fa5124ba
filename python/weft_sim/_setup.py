"""A setup, its run and the result."""

from __future__ import annotations

import functools
import json
import os
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from .plot import Plots


class SetupWarning(UserWarning):
    """A setting that is possible but probably not intended."""


def toml(value: object, *, is_inner: bool = False) -> str:
    """A value as written behind --set KEY=. A string is written unchanged, so "[1, 2]" is a list; inside another value it is quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return json.dumps(text, ensure_ascii=False) if is_inner else text
    if isinstance(value, Mapping):
        inner = (f"{key} = {toml(each, is_inner=True)}" for key, each in value.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(each, is_inner=True) for each in value) + "]"
    # The test also covers NumPy's numbers.
    if hasattr(value, "item"):
        return toml(value.item(), is_inner=is_inner)
    raise TypeError(f"{value!r}: a key of a setup is a number, a string, true or false, a list or a table")


def settings(keys: Mapping[str, object]) -> list[str]:
    """The keys with their values, each as KEY=VALUE."""
    return [f"{key}={toml(value)}" for key, value in keys.items()]


class Setup:
    """Network, load balancer, hosts, workload and failures (docs/fabric-engine.md), checked as a whole.

    The setup is in a file, or in `text`, which has the contents of a file. Names of files in `text` are relative to
    `folder`. `keys` replaces keys, for example {"hosts.ev_mode": "reps"}. An impossible setup raises a SetupError with
    file, line and key.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        folder: str | os.PathLike[str] = "",
        keys: Mapping[str, object] | None = None,
    ) -> None:
        if (file is None) == (text is None):
            raise TypeError("a setup is either a file or a text")
        self.file = None if file is None else os.fspath(file)
        self._text, self._folder = text, os.fspath(folder)
        self.keys = dict(keys or {})
        sets = settings(self.keys)
        if text is None:
            self._plan = _native.Plan.read(self.file, sets)
        else:
            self._plan = _native.Plan.parse("setup", text, self._folder, sets)
        for line in self._plan.warnings:
            warnings.warn(line, SetupWarning, stacklevel=2)

    def replace(self, **keys: object) -> Setup:
        """The setup with other keys."""
        return Setup(self.file, text=self._text, folder=self._folder, keys={**self.keys, **keys})

    @property
    def values(self) -> dict[str, Any]:
        """All keys, including those with default values."""
        return json.loads(self._plan.json())

    @property
    def hosts(self) -> int:
        return self._plan.hosts

    @property
    def switches(self) -> int:
        return self._plan.switches

    @property
    def flows(self) -> _native.Table:
        """Source, destination and bytes of all flows."""
        return self._plan.flows()

    def __repr__(self) -> str:
        keys = "".join(f", {key}={value!r}" for key, value in self.keys.items())
        return f"<weft_sim.Setup {self.file or 'of a text'}{keys}: {self.hosts} hosts, {self.switches} switches>"


class Run:
    """The result of a run. A file and a seed give the same result on any machine and with any number of threads."""

    def __init__(self, native: _native.Run, seconds: float) -> None:
        self._native = native
        self.seconds = seconds

    def json(self) -> str:
        """The text that `weft sim --json` writes."""
        return self._native.json()

    @functools.cached_property
    def result(self) -> dict[str, Any]:
        """The whole result: setup, summary, ports, counters, flows."""
        return json.loads(self.json())

    @property
    def summary(self) -> dict[str, Any]:
        """Figures of the whole run."""
        return self.result["summary"]

    @property
    def ports(self) -> list[dict[str, Any]]:
        """Figures of every tier of ports."""
        return self.result["ports"]

    @property
    def counters(self) -> dict[str, int]:
        """Counters of all NICs, except those that are 0."""
        return self.result["counters"]

    @functools.cached_property
    def flows(self) -> _native.Table:
        """A row for each flow."""
        return self._native.flows

    @functools.cached_property
    def series(self) -> _native.Table:
        """Links over time, those of [series] in the setup: a row for each link and bin."""
        return self._native.series

    @functools.cached_property
    def early(self) -> _native.Table:
        """Packets ahead of a missing one over time, in the bins of [series]."""
        return self._native.early

    @property
    def violations(self) -> list[str]:
        """Failures of the accounting check. The list is empty if each packet and each byte is accounted for."""
        return self._native.violations

    @property
    def plot(self) -> Plots:
        """Plots of the result; needs matplotlib."""
        from .plot import Plots

        return Plots(self)

    def csv(self, table: str) -> str:
        """The text that `weft sim` writes with --flows, --series or --early."""
        return self._native.csv(table)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes json() to a file, which `weft plot` reads."""
        Path(path).write_text(self.json(), encoding="utf-8")

    def __str__(self) -> str:
        return self._native.text(self.seconds)


def run(
    setup: str | os.PathLike[str] | Setup,
    *,
    seed: int | None = None,
    threads: int | None = None,
    where: str | None = None,
    oracle: bool = False,
    progress: Callable[[int, int], object] | None = None,
    **keys: object,
) -> Run:
    """Runs a setup, as `weft sim` does. Other threads of Python run meanwhile; Ctrl-C ends the call.

    With `where`, tables and distributions have only flows that meet conditions, such as "bytes<100000,rack=3". `oracle` runs
    event by event from a heap, which is slower and gives the same result. `progress` is called at intervals with the
    number of ends of flows so far, and the number of ends of the whole run.
    """
    more = {key: value for key, value in (("seed", seed), ("threads", threads)) if value is not None}
    keys = {**keys, **more}
    if not isinstance(setup, Setup):
        setup = Setup(setup, keys=keys)
    elif keys:
        setup = setup.replace(**keys)
    begin = time.monotonic()
    native = setup._plan.run(where, oracle, progress)
    return Run(native, time.monotonic() - begin)
