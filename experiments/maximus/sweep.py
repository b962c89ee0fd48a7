"""Run MAXIMUS and COALA on one data set, with defaults and over ranges of parameters."""

import warnings
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.tradeoff import tradeoff_curve
from experiments.common.maximus_datasets import Case
from experiments.maximus.results import SEARCHED
from experiments.maximus.scores import Found
from experiments.maximus.variants.estimator import VariantMAXIMUS

TOLERANCES = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.25, 1.5)
BINNINGS = ("width", "frequency", "mdl")
# The programs, and the balance constraints of the object-level one.
PROGRAMS: dict[str, dict[str, Any]] = {
    "published": {"program": "published"},
    "profile": {"program": "profile"},
    "objects, matching": {"balance": "matching"},
    "objects, profile": {"balance": "profile"},
}
# Sizes of the small clusters of unbalanced answers, as proportions if there are two clusters.
_SMALL = (0.05, 0.1, 0.2, 0.3)
# Subspaces are searched where objects × columns × clusters are no more than this: it takes many
# times as long.
_MOST_CELLS = 400_000


class Settings(NamedTuple):
    """Parameters of MAXIMUS, their group in the tables, and whether to run one seed only."""

    group: str
    parameters: dict[str, Any]
    once: bool = False


def run_coala(case: Case) -> tuple[Found, float]:
    """Run COALA with the default least cluster size, and return that size, too."""
    began = perf_counter()
    found = cluster_again(
        case.points, case.given, "coala", quality="dunn_centroids", progress=False, scale=False
    )[0]
    seconds = perf_counter() - began
    return Found("COALA", found.labels, seconds), found.parameters["min_cluster_size"]


def run_curve(case: Case, least_size: float) -> list[Found]:
    """Run COALA for every threshold from 0 to 1."""
    curve = tradeoff_curve(
        case.points,
        case.given,
        min_cluster_size=least_size,
        scale=False,
        quality="dunn_centroids",
        progress=False,
    )
    return [
        Found(f"omega {omega:g}", labels)
        for omega, labels in zip(curve.omegas, curve.labels, strict=True)
    ]


def run_maximus(case: Case, least_size: float, settings: Settings, seed: int) -> Found:
    """Run MAXIMUS with the same least cluster size."""
    model = VariantMAXIMUS(
        min_cluster_size=least_size, random_state=seed, progress=False, **settings.parameters
    )
    began = perf_counter()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the largest deviation", UserWarning)
        model.fit(case.features, case.given)
    seconds = perf_counter() - began
    feasible = model.outcomes_[0].status != "infeasible"
    return Found(settings.group, model.labels_, seconds, model.profile_gap_, feasible)


def list_settings(case: Case, least_size: float, *, quick: bool) -> list[Settings]:
    """Return all settings of the object-level program that are run."""
    few: dict[str, Any] = {"n_init": 2}
    even = [1.0 / case.clusters] * case.clusters
    unbalanced = list_proportions(case.clusters, least_size / case.n)
    if quick:
        return [
            *_vary("tolerance", TOLERANCES[1::3]),
            *_vary("sizes", (0.05, 0.5), **few, size_proportions=unbalanced[1]),
        ]
    found = [*_vary("tolerance", TOLERANCES)]
    for proportions in unbalanced:
        found += _vary("sizes", (0.05, 0.2, 0.5, 1.0), **few, size_proportions=proportions)
    found += _vary("sizes", (0.0, 0.05, 0.2, 0.5, 1.0), **few, size_proportions=even)
    for balance in ("matching", "profile"):
        for sizes in (None, even):
            found += _vary(
                "balance", (0.0, 0.05, 0.2, 0.5), **few, balance=balance, size_proportions=sizes
            )
    if case.points.size * case.clusters <= _MOST_CELLS:
        found += _vary("subspaces", (0.05, 0.5, 1.5), once=True, **few, subspaces=True)
    searched: dict[str, Any] = {**few, "local_search": True}
    found += _vary(SEARCHED, TOLERANCES, **searched)
    for proportions in unbalanced:
        found += _vary(SEARCHED, (0.2, 0.5), once=True, **searched, size_proportions=proportions)
    found += _vary(SEARCHED, (0.0, 0.05, 0.2), once=True, **searched, size_proportions=even)
    return found


def _vary(
    group: str, tolerances: Sequence[float], *, once: bool = False, **others: Any
) -> Iterator[Settings]:
    for tolerance in tolerances:
        yield Settings(group, {"tolerance": tolerance, **others}, once)


def list_proportions(clusters: int, least: float) -> list[list[float]]:
    """Return unbalanced sizes: one, half or all but one cluster are small, the others equal.

    ``least`` is the least proportion of a cluster.
    """
    found = []
    for few in sorted({1, clusters // 2, clusters - 1} - {0, clusters}):
        for small in _SMALL:
            size = max(least, small * 2 / clusters)
            rest = (1.0 - few * size) / (clusters - few)
            if rest > size:
                found.append([rest] * (clusters - few) + [size] * few)
    return found
