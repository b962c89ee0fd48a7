"""MAXIMUS and COALA run on one data set: as they come, and along their knobs."""

import warnings
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.tradeoff import tradeoff_curve
from experiments.common.maximus_datasets import Case
from experiments.maximus.results import POLISHED
from experiments.maximus.scores import Found

TOLERANCES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.25, 1.5)
BINNINGS = ("width", "frequency", "mdl")
# The programs, and how the one on objects can hold profiles down.
PROGRAMS: dict[str, dict[str, Any]] = {
    "published": {"program": "published"},
    "profile": {"program": "profile"},
    "direct, matching": {"balance": "matching"},
    "direct, profile": {"balance": "profile"},
}
# Small clusters of lopsided answers, as shares of all objects if there are two clusters.
_SMALL = (0.05, 0.1, 0.2, 0.3)
# Features are weighed where objects × columns × clusters are no more than this: it takes many
# times as long.
_WEIGHED = 400_000


class Knobs(NamedTuple):
    """Settings of MAXIMUS, the group that they are reported in, and whether it takes long."""

    group: str
    settings: dict[str, Any]
    once: bool = False


def run_coala(case: Case) -> tuple[Found, float]:
    """COALA with the guard against small clusters, and the size that the guard asks for."""
    began = perf_counter()
    found = cluster_again(
        case.points, case.given, "coala", quality="dunn_centroids", progress=False
    )[0]
    seconds = perf_counter() - began
    return Found("COALA", found.labels, seconds), found.parameters["min_cluster_size"]


def run_curve(case: Case, guard: float) -> list[Found]:
    """COALA for every threshold from 0 to 1."""
    curve = tradeoff_curve(
        case.points, case.given, min_cluster_size=guard, quality="dunn_centroids", progress=False
    )
    return [
        Found(f"omega {omega:g}", labels)
        for omega, labels in zip(curve.omegas, curve.labels, strict=True)
    ]


def run_maximus(case: Case, guard: float, knobs: Knobs, seed: int) -> Found:
    """MAXIMUS with the same guard."""
    model = MAXIMUS(min_cluster_size=guard, random_state=seed, progress=False, **knobs.settings)
    began = perf_counter()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "what the clusters tell", UserWarning)
        model.fit(case.features, case.given)
    seconds = perf_counter() - began
    within = model.outcomes_[0].status != "beyond bounds"
    return Found(knobs.group, model.labels_, seconds, model.profile_gap_, within)


def list_knobs(case: Case, guard: float, *, quick: bool) -> list[Knobs]:
    """Everything that is tried of ``program="direct"``."""
    few: dict[str, Any] = {"n_init": 2}
    even = [1.0 / case.clusters] * case.clusters
    lopsided = list_shares(case.clusters, guard / case.n)
    if quick:
        return [
            *_vary("tolerance", TOLERANCES[1::3]),
            *_vary("shares", (0.05, 0.5), **few, shares=lopsided[1]),
        ]
    found = [*_vary("tolerance", TOLERANCES)]
    for shares in lopsided:
        found += _vary("shares", (0.05, 0.2, 0.5, 1.0), **few, shares=shares)
    found += _vary("shares", (0.0, 0.05, 0.2, 0.5, 1.0), **few, shares=even)
    for balance in ("matching", "profile"):
        for sizes in (None, even):
            found += _vary("balance", (0.0, 0.05, 0.2, 0.5), **few, balance=balance, shares=sizes)
    if case.points.size * case.clusters <= _WEIGHED:
        found += _vary("subspaces", (0.05, 0.5, 1.5), once=True, **few, subspaces=True)
    polished: dict[str, Any] = {**few, "polish": True}
    found += _vary(POLISHED, TOLERANCES, **polished)
    for shares in lopsided:
        found += _vary(POLISHED, (0.2, 0.5), once=True, **polished, shares=shares)
    found += _vary(POLISHED, (0.0, 0.05, 0.2), once=True, **polished, shares=even)
    return found


def _vary(
    group: str, tolerances: Sequence[float], *, once: bool = False, **others: Any
) -> Iterator[Knobs]:
    for tolerance in tolerances:
        yield Knobs(group, {"tolerance": tolerance, **others}, once)


def list_shares(clusters: int, least: float) -> list[list[float]]:
    """Lopsided sizes: one, half or all but one of the clusters are small, the others even.

    ``least`` is the share that a cluster must have.
    """
    found = []
    for few in sorted({1, clusters // 2, clusters - 1} - {0, clusters}):
        for small in _SMALL:
            share = max(least, small * 2 / clusters)
            rest = (1.0 - few * share) / (clusters - few)
            if rest > share:
                found.append([rest] * (clusters - few) + [share] * few)
    return found
