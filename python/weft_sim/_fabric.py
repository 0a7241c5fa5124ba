"""A fabric that accepts flows while it runs."""

from __future__ import annotations

import os
import time

from . import _native
from ._setup import Run, Setup


class Fabric:
    """A fabric that accepts flows while it runs, for simulators of training jobs (docs/ai-simulators.md).

    `setup` is a file or a Setup, with workload.kind = "none". Times are picoseconds. The fabric stops between two windows:
    a flow whose start is before now_ps starts at now_ps, and counts as late.
    """

    def __init__(self, setup: str | os.PathLike[str] | Setup, **keys: object) -> None:
        if not isinstance(setup, Setup):
            setup = Setup(setup, keys=keys)
        elif keys:
            setup = setup.replace(**keys)
        self._begin = time.monotonic()
        self._native = _native.Fabric(setup._plan)

    @property
    def hosts(self) -> int:
        return self._native.hosts

    @property
    def window_ps(self) -> int:
        """The length of a window: the greatest delay of the reaction to a completion."""
        return self._native.window_ps

    @property
    def now_ps(self) -> int:
        """The beginning of the next window: the earliest time at which a flow can start."""
        return self._native.now_ps

    @property
    def is_idle(self) -> bool:
        """Whether every flow has ended at both hosts, and no packet is in transit."""
        return self._native.is_idle

    @property
    def late(self) -> _native.Late:
        """The flows that started late so far."""
        return self._native.late

    def connect(self, source: int, destination: int, count: int = 1) -> None:
        """Opens connections from one host to another. If connections are already open, the call opens none. Without
        this call flows open connections as needed."""
        self._native.connect(source, destination, count)

    def send(self, source: int, destination: int, bytes: int, *, at_ps: int = 0, user: int = 0) -> int:
        """Sends bytes from one host to another; completions return `user`. Returns the number of the flow."""
        return self._native.send(source, destination, bytes, at_ps, user)

    def advance(self, until_ps: int | None = None) -> list[_native.Done]:
        """Runs the windows that end by a time, and stops after the first window in which flows end. Returns these ends,
        in the order of time.

        An empty list means that all events up to that time have happened. Without a time it means that every flow has ended.
        Other threads of Python run meanwhile; Ctrl-C ends the call.
        """
        return self._native.advance(until_ps)

    def finish(self) -> Run:
        """Ends the run and returns its result. A run that has these flows from the beginning gives the same result."""
        return Run(self._native.finish(), time.monotonic() - self._begin)

    def __repr__(self) -> str:
        try:
            return f"<weft_sim.Fabric of {self.hosts} hosts at {self.now_ps} ps>"
        except ValueError:
            return "<weft_sim.Fabric that has ended>"
