"""Simulate streams, and count the alarms without drift and with it."""

from typing import NamedTuple
from zlib import crc32

import numpy as np

from clusterwise import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.streams.stream import ClusteringStream
from clusterwise.streams.window_report import WindowReport
from experiments.drift.columns import COLUMNS, DRIFTS, with_missing

LEVELS = (0.01, 0.05)
_DRIFTS = {drift.name: drift for drift in DRIFTS}


class Setting(NamedTuple):
    """What is simulated: columns, the number of objects of a window and of clusters, and options.

    ``last`` is the number of objects of the third window, if it is shorter.
    """

    columns: tuple[str, ...]
    window: int
    clusters: int
    missing: bool = False
    binning: str = "width"
    last: int | None = None
    drift: str | None = None

    @property
    def seed(self) -> int:
        """A number that differs between settings."""
        return crc32(repr(tuple(self)).encode())


class Rates(NamedTuple):
    """Proportions of alarms, at each level, of n independent streams.

    ``first`` compares the second window with the first one, on which the bins were fitted;
    ``later`` compares the third with the second, and ``reference`` the third with the first.
    ``untested`` is the proportion of streams in which no test was possible.
    """

    setting: Setting
    n: int
    first: tuple[float, ...]
    later: tuple[float, ...]
    reference: tuple[float, ...]
    untested: float


def simulate(setting: Setting, n: int) -> Rates:
    """Run n independent streams of three windows; in the third there is the drift, if any."""
    random = np.random.default_rng(setting.seed)
    found = np.array([_p_values(_run(setting, random)) for _ in range(n)])
    rates = [tuple(float((row <= level).mean()) for level in LEVELS) for row in found[:, :3].T]
    return Rates(setting, n, *rates, untested=float(found[:, 3].mean()))


def standard_error(rate: float, n: int) -> float:
    """Return the standard error of a proportion of n, at least that of one in n."""
    rate = min(max(rate, 1 / n), 1 - 1 / n)
    return float(np.sqrt(rate * (1 - rate) / n))


def _run(setting: Setting, random: np.random.Generator) -> list[WindowReport]:
    stream = ClusteringStream(None, binning=Binning(setting.binning))  # type: ignore[arg-type]
    sizes = (setting.window, setting.window, setting.last or setting.window)
    return list(
        stream.run(_window(setting, random, size, index == 2) for index, size in enumerate(sizes))
    )


def _window(
    setting: Setting, random: np.random.Generator, size: int, is_last: bool
) -> tuple[Array, Array]:
    labels = random.integers(setting.clusters, size=size)
    columns = []
    for r, name in enumerate(setting.columns):
        values = COLUMNS[name].draw(random, labels)
        if is_last and r == 0 and setting.drift is not None:
            values = _DRIFTS[setting.drift].apply(random, values)
        if setting.missing:
            values = with_missing(random, values)
        columns.append(values)
    return np.column_stack(columns), labels


def _p_values(reports: list[WindowReport]) -> tuple[float, float, float, float]:
    _, second, third = reports
    changes = second.change, third.change, third.reference_change
    assert all(change is not None for change in changes)
    p_values = [change.p_value for change in changes if change is not None]
    untested = not any(change.tested for change in changes if change is not None)
    return p_values[0], p_values[1], p_values[2], float(untested)
