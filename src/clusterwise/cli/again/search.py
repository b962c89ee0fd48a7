"""What ``again`` finds: the clusterings that are given and the alternatives, described alike."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.cluster_again import cluster_again
from clusterwise.alternatives.naive import NaiveAlternative
from clusterwise.alternatives.results import FoundClusterings, Sizes, describe_sizes
from clusterwise.cli.again.data import AgainData
from clusterwise.cli.again.plan import Asked, Plan, make_plan, too_large
from clusterwise.cli.output import say
from clusterwise.inputs.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.measures.quality import find_quality
from clusterwise.measures.separating_features import SeparatingFeatures, separating_features

_FIRST = "first"
_FIRST_CLUSTERS = 2


@dataclass(frozen=True)
class Described:
    """A clustering and what is said about it; alternatives are compared with each given one."""

    name: str
    labels: Array
    sizes: Sizes
    quality: float
    separating: SeparatingFeatures
    dissimilarity: float | None = None
    dq: float | None = None
    rand: dict[str, float] = field(default_factory=dict)
    method: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """Everything that was found, and how."""

    found: FoundClusterings
    given: list[Described]
    alternatives: list[Described]
    plan: Plan
    method: str
    wanted: int
    made: bool


def search(data: AgainData, asked: Asked) -> Result:
    """Find alternatives to what is given, or to a clustering that is made first."""
    plan = make_plan(data.features, asked)
    made = not data.given
    names = [column.name for column in data.given] or [_free(_FIRST, data.taken)]
    known = data.labels or [_make_first(plan, asked, names[0])]
    wanted = asked.clusters or np.unique(known[0]).size
    _check_room(asked, wanted, len(known[0]))
    # First, so that what cannot be judged is refused before the long part.
    given = [_describe(name, labels, plan) for name, labels in zip(names, known, strict=True)]
    found = _search(plan, asked, np.column_stack(known), asked.clusters)
    free = (name for i in count(1) if (name := f"alternative_{i}") not in data.taken)
    alternatives = []
    for name, one in zip(free, found, strict=False):
        rand = {old.name: float(adjusted_rand_score(old.labels, one.labels)) for old in given}
        separating = separating_features(plan.features.named(), one.labels)
        sizes = describe_sizes(one.labels)
        alternatives.append(
            Described(
                name,
                one.labels,
                sizes,
                one.quality,
                separating,
                one.dissimilarity,
                one.dq,
                rand,
                one.method,
                {k: v for k, v in one.parameters.items() if k != "progress"},
            )
        )
    return Result(found, given, alternatives, plan, asked.method, wanted, made)


def _search(plan: Plan, asked: Asked, given: Array, clusters: int | None) -> FoundClusterings:
    """Alternatives, the best first; what the library warns of is said."""
    knobs = {"omega": asked.omega, "tolerance": asked.tolerance}
    options: dict[str, Any] = {name: value for name, value in knobs.items() if value is not None}
    if asked.method == "coala":
        options |= {"metric": plan.metric, "prototypes": plan.prototypes}
    if asked.method != "naive":
        options["random_state"] = asked.seed
    method: str | Alternative = asked.method
    if asked.method == "naive":
        method = NaiveAlternative(quality=plan.quality, random_state=asked.seed)
    try:
        with _warnings_said():
            return cluster_again(
                plan.X, given, method, n=asked.number, n_clusters=clusters,
                min_cluster_size=asked.min_cluster_size, quality=plan.quality, **options,
            )  # fmt: skip
    except MemoryError:
        if asked.method in ("coala", "coalacat"):
            raise too_large(len(given), plan.metric) from None
        raise InputError(
            f"{len(given)} objects are too many for the memory; use a sample."
        ) from None


def _make_first(plan: Plan, asked: Asked, name: str) -> Array:
    """A first clustering, by the method's own way to start from nothing."""
    from sklearn.cluster import KMeans

    wanted = asked.clusters or _FIRST_CLUSTERS
    if plan.metric in (None, "gower"):
        how = "plain entropy linkage" if plan.metric is None else "plain average linkage"
        # One given cluster forbids every merge alike, so all of them are the nearest.
        alike = np.zeros(len(plan.features.values), np.int64)
        labels = _search(plan, _one_only(asked), alike, wanted)[0].labels
    else:
        how = "k-means"
        with _warnings_said():
            model = KMeans(wanted, n_init=10, random_state=asked.seed)
            labels = model.fit(plan.judged).labels_
    clusters = format_count(np.unique(labels).size, "cluster")
    say(f"no --given: a first clustering, called {name}, is made by {how} ({clusters}).")
    return labels


def _one_only(asked: Asked) -> Asked:
    return Asked(asked.method, min_size=asked.min_size, as_published=asked.as_published)


def _check_room(asked: Asked, wanted: int, n: int) -> None:
    size = asked.min_size or 0
    if wanted * (size * n if size < 1 else size) > n:
        raise InputError(
            f"--min-size {size:g} leaves no room for {wanted} clusters of {n} objects; use less."
        )


def _describe(name: str, labels: Array, plan: Plan) -> Described:
    quality = find_quality(plan.quality)
    by_metric = plan.metric is not None and plan.quality != "entropy"
    options = {"metric": plan.metric} if by_metric else {}
    value = quality.merit(quality.function(plan.judged, labels, **options))
    separating = separating_features(plan.features.named(), labels)
    return Described(name, labels, describe_sizes(labels), value, separating)


@contextmanager
def _warnings_said() -> Iterator[None]:
    """What libraries warn users of becomes a note on stderr, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    notes = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    for note in dict.fromkeys(notes):
        say(" ".join(note.split()))


def _free(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name
