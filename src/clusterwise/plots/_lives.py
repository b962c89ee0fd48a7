"""Clusters followed from window to window."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.streams.window_report import WindowReport


class Life(NamedTuple):
    """A cluster: the name that it first had, where that was, and its size in each window."""

    name: Any
    since: int
    sizes: Array


def follow_clusters(reports: Sequence[WindowReport], *, by_name: bool) -> list[Life]:
    """The clusters of all windows, in the order in which they appear."""
    lives: list[Life] = []
    now: dict[Any, int] = {}
    for at, report in enumerate(reports):
        before = now if by_name else _matched(report, now)
        now = dict(before) if by_name else {}
        for name, size in report.sizes.items():
            if name not in before:
                before[name] = len(lives)
                lives.append(Life(name, report.index, np.zeros(len(reports))))
            now[name] = before[name]
            lives[now[name]].sizes[at] = size
    return lives


def _matched(report: WindowReport, before: dict[Any, int]) -> dict[Any, int]:
    """Which cluster of those so far each cluster of a window is, unless it is born in it."""
    return {
        match.now: before[match.before]
        for match in report.matches
        if match.now not in report.births and match.before in before
    }
