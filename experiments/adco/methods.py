"""The methods of the comparison, as published and as in this library."""

import warnings
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.cib.cib import CIB
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.metaclusterer import MetaClusterer
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from experiments.common.dunn_forms import QUICK_FORMS, Form, judge_by_form
from experiments.common.experiment import Setup
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, Case, make_case
from experiments.maximus.variants.estimator import VariantMAXIMUS

SINGLE = ("CIB", "CondEns", "COALA", "MAXIMUS")
SEVERAL = ("MetaClusterer", "MAXIMUS")
PUBLISHED, OURS = "published", "ours"
KINDS = (PUBLISHED, OURS)
SETS = tuple(MAXIMUS_DATASETS)
KIND_REMARK = (
    "Published: CIB with five iterations, one start and no coordination term; COALA with omega "
    "0.6; MAXIMUS with its integer program, greedy assignment of the nearest objects first, and a "
    "vote. Ours: the methods of this library with their defaults, MAXIMUS assigning objects "
    "directly rather than by profiles, and all of them with a minimum cluster size, the only "
    "difference for CondEns. Numeric features are standardised, categorical ones one-hot encoded."
)
_OPTIONS: dict[tuple[str, str], dict[str, Any]] = {
    (PUBLISHED, "CIB"): {"gamma": 0.0, "n_init": 1},
    (PUBLISHED, "MAXIMUS"): {"program": "published", "assignment": "greedy"},
    (OURS, "MAXIMUS"): {"subspaces": False},
}
_MODELS: dict[str, type[Alternative]] = {
    "CIB": CIB,
    "CondEns": CondEns,
    "COALA": COALA,
    "MAXIMUS": VariantMAXIMUS,
    "MetaClusterer": MetaClusterer,
}


class Answer(NamedTuple):
    """Labels, a row for each alternative, and seconds.

    ``similarity`` is the similarity of the profiles to the given ones, relative to the smallest
    possible; for MAXIMUS only.
    """

    labels: Array
    seconds: float
    similarity: float | None = None


class AlternativeScores(NamedTuple):
    """Scores of one alternative by Dunn index, and whether it is degenerate.

    ``similarity`` is as above.
    """

    scores: Mapping[Form, DQ]
    degenerate: bool = False
    similarity: float | None = None


def load_case(setup: Setup, name: str) -> Case:
    """Load one of the thirteen data sets."""
    return make_case(setup.load(name))


def list_seeds(method: str, seeds: int) -> range:
    """Return the seeds of a method; COALA is deterministic and needs one."""
    return range(1 if method == "COALA" else seeds)


def find(case: Case, method: str, kind: str, seed: int, **options: Any) -> Answer:
    """Run a method.

    The published MetaClusterer does not use the given clustering, so it forms as many groups as
    alternatives are requested, and returns the best clustering of each.
    """
    guard = None if kind == PUBLISHED else guard_size(case.n, case.clusters)
    if (kind, method) == (PUBLISHED, "MetaClusterer"):
        options["n_meta"] = options.pop("n_alternatives", 1)
    settings = {"min_cluster_size": guard, **_OPTIONS.get((kind, method), {}), **options}
    model: Any = _MODELS[method](random_state=seed, progress=False, **settings)
    objects = case.points if method == "COALA" else case.features
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", UserWarning)
        began = perf_counter()
        model.fit(objects, case.given)
        seconds = perf_counter() - began
    if (kind, method) == (PUBLISHED, "MetaClusterer"):
        return Answer(model.base_labels_[model.representatives_].astype(np.int64), seconds)
    similar = model.similarity_ / model.lower_bound_ if method == "MAXIMUS" else None
    return Answer(model.alternatives_, seconds, similar)


def find_one(
    case: Case, method: str, kind: str, seeds: int, forms: Sequence[Form] = QUICK_FORMS
) -> list[AlternativeScores]:
    """Run a method for each seed and score its alternative."""
    found = []
    for seed in list_seeds(method, seeds):
        answer = find(case, method, kind, seed)
        labels = answer.labels[0]
        scores = {form: judge_by_form(case.points, case.given, labels, form) for form in forms}
        found.append(
            AlternativeScores(scores, describe_sizes(labels).degenerate, answer.similarity)
        )
    return found


def mean(scores: list[DQ]) -> DQ:
    """Return the mean of each score."""
    return DQ(*(float(value) for value in np.mean(scores, axis=0)))


def name_sets(names: list[str]) -> str:
    """Return the names of the data sets in the paper."""
    return ", ".join(MAXIMUS_DATASETS[name] for name in names) or "none"
