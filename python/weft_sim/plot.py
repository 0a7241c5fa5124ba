"""Plots with matplotlib. Every function draws on given axes, or makes new ones, and returns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._setup import Run


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def cdf(runs: Mapping[str, Run], column: str = "fct_us", ax: Axes | None = None, **style: Any) -> Axes:
    """Distribution of a column of the flows, a curve for each run. A flow without a value, such as one that has not ended, counts as infinite."""
    ax = _axes(ax)
    for name, run in runs.items():
        values = run.flows[column]
        known = sorted(value for value in values if value is not None)
        shares = [at / len(values) for at in range(1, len(known) + 1)]
        ax.step(known, shares, where="post", label=name, **style)
    ax.set(xlabel=column, ylabel="share of flows", ylim=(0, 1.02))
    ax.legend()
    return ax


def links(run: Run, column: str = "gbps", ax: Axes | None = None, **style: Any) -> Axes:
    """A column of the links over time, a curve for each link of [series] in the setup."""
    ax = _axes(ax)
    series = run.series
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for begin, from_, to, value in zip(series["begin_us"], series["from"], series["to"], series[column]):
        times, values = curves.setdefault(f"{from_} to {to}", ([], []))
        times.append(begin)
        values.append(value)
    for name, (times, values) in curves.items():
        ax.step(times, values, where="post", label=name, **style)
    ax.set(xlabel="time in us", ylabel=column)
    ax.legend()
    return ax


class Plots:
    """Plots of one run: run.plot.cdf(), run.plot.links()."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def cdf(self, column: str = "fct_us", ax: Axes | None = None, **style: Any) -> Axes:
        """See `weft_sim.plot.cdf`."""
        return cdf({column: self._run}, column, ax, **style)

    def links(self, column: str = "gbps", ax: Axes | None = None, **style: Any) -> Axes:
        """See `weft_sim.plot.links`."""
        return links(self._run, column, ax, **style)
