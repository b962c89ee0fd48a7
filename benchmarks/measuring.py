"""Shared by all sections: labels, installed peers, and timing."""

import gc
from collections.abc import Callable, Mapping
from importlib import import_module
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

OURS = "clusterwise"
NOT_INSTALLED = "not installed"
SKIPPED = "-"
WARM_UP = 20_000
FEWEST_CALLS = 3
SLOW_CALL = 0.5
CALLS_A_TURN = 5
TURN_SECONDS = 0.05
SLOW_ROUNDS = 5

Function = Callable[[Any, Any], float]


class Pace(NamedTuple):
    """How long to measure: each function runs until one of the two limits is reached.

    On a busy machine one call says little, so at least three count unless they are slow.
    """

    rounds: int
    seconds: float


class Entry(NamedTuple):
    """A function and its two clusterings."""

    function: Function
    a: Any
    b: Any


class Timed(NamedTuple):
    """The best time of a function, and its value."""

    milliseconds: float
    value: float


def make_labels(
    n: int, k: int, *, dtype: DTypeLike = np.int64, agreement: float = 0.0
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return two clusterings of n objects into k clusters that agree on some of the labels.

    Without agreement all cells of their table are equally likely, which is hardest on caches.
    """
    random = np.random.default_rng(20)
    a = random.integers(0, k, n, dtype)
    b = random.integers(0, k, n, dtype)
    if agreement:
        same = random.random(n) < agreement
        b[same] = a[same]
    return a, b


def load(module: str, name: str) -> Any:
    """Return a peer's function, or None if the peer is not installed."""
    try:
        return getattr(import_module(module), name)
    except ImportError:
        return None


def through_lists(function: Any, **options: Any) -> Function | None:
    """Return a function on lists that includes the conversion."""
    if function is None:
        return None
    return lambda a, b: function(a.tolist(), b.tolist(), **options)


def race(entries: Mapping[str, Entry], pace: Pace) -> dict[str, Timed]:
    """Return the best time of each function, alternating in this process.

    A turn is a few calls in a row, so that nobody pays for what the others did to the
    caches. Everyone is warmed up on the first objects; what compiles (ours) on all of them too.
    """
    for name, entry in entries.items():
        entry.function(entry.a[:WARM_UP], entry.b[:WARM_UP])
        if name.startswith(OURS):
            entry.function(entry.a, entry.b)
    best: dict[str, Timed] = {}
    spent = dict.fromkeys(entries, 0.0)
    in_race = set(entries)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for turns in range(1, pace.rounds + 1):
            for name, (function, a, b) in entries.items():
                if name not in in_race:
                    continue
                timed = _turn(function, a, b)
                spent[name] += timed.milliseconds / 1e3
                if name not in best or timed.milliseconds < best[name].milliseconds:
                    best[name] = timed
                slow = timed.milliseconds > 1e3 * SLOW_CALL
                if spent[name] >= pace.seconds and (turns >= FEWEST_CALLS or slow):
                    in_race.remove(name)
    finally:
        if collecting:
            gc.enable()
    return best


def race_slow(contestants: Mapping[str, Callable[[], Any]], warm: int = 1) -> dict[str, float]:
    """Return the best seconds of slow functions, alternating, after warm-up rounds."""
    best = dict.fromkeys(contestants, float("inf"))
    for turn in range(warm + SLOW_ROUNDS):
        for name, function in contestants.items():
            start = perf_counter()
            function()
            if turn >= warm:
                best[name] = min(best[name], perf_counter() - start)
    return best


def _turn(function: Function, a: Any, b: Any) -> Timed:
    """Return the best of a few consecutive calls, or of one if it is slow."""
    best = float("inf")
    begun = perf_counter()
    for _ in range(CALLS_A_TURN):
        start = perf_counter()
        value = function(a, b)
        end = perf_counter()
        best = min(best, end - start)
        if end - begun > TURN_SECONDS:
            break
    return Timed(1e3 * best, value)


def entries_for(
    ours: Mapping[str, Function], peers: Mapping[str, Function | None], a: Any, b: Any
) -> dict[str, Entry]:
    """Return our function and the installed peers, all on the same labels."""
    everyone = {**ours, **peers}
    return {name: Entry(function, a, b) for name, function in everyone.items() if function}


def ratio(times: Mapping[str, Timed], peer: str, ours: str = OURS) -> float | None:
    """Return the peer's time divided by ours, if it was measured."""
    return times[peer].milliseconds / times[ours].milliseconds if peer in times else None


def peer_cells(
    times: Mapping[str, Timed], peers: Mapping[str, Function | None], ours: str = OURS
) -> list[float | str]:
    """Return two cells for each peer: its milliseconds, and its ratio to ours."""
    cells: list[float | str] = []
    for name, function in peers.items():
        share = ratio(times, name, ours)
        if share is not None:
            cells += [times[name].milliseconds, share]
        else:
            cells += [NOT_INSTALLED if function is None else SKIPPED, ""]
    return cells


def disagreement(times: Mapping[str, Timed], ours: str = OURS) -> float:
    """Return the largest difference between a peer's value and ours."""
    return max(abs(timed.value - times[ours].value) for timed in times.values())
