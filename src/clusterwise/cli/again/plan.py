"""How ``again`` searches: by which distances, scaled or not, and judged by which quality."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import format_count, format_list
from clusterwise.cli.again.again import Method, Metric, QualityName
from clusterwise.cli.output import say
from clusterwise.cli.tables.features import FeatureTable
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Column
from clusterwise.inputs.points import read_points

# Other metrics bring a scale of their own, or would lose the meaning of 0.
_SCALED = ("euclidean", "sqeuclidean", "cityblock", "chebyshev")
_OF_CENTROIDS = ("calinski_harabasz", "canonical", "davies_bouldin")
_OF_BINS = ("auto", "cib", "maximus")
# Beyond this many objects what grows with their square is left out, where there is a way around.
_MANY_OBJECTS = 10_000
_PROTOTYPES = 1_000
# A number with more values than this is hardly meant as a name.
_MANY_VALUES = 20
_FEWEST_OBJECTS = 3
_LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Asked:
    """The options of the search, as the command has them."""

    method: Method = "auto"
    omega: float | None = None
    tolerance: float | None = None
    clusters: int | None = None
    number: int | None = None
    min_size: float | None = None
    as_published: bool = False
    metric: Metric | None = None
    scale: bool | None = None
    quality: QualityName | None = None
    prototypes: int | None = None
    seed: int = 0

    @property
    def min_cluster_size(self) -> float | Literal["guard"] | None:
        """As :func:`~clusterwise.cluster_again` takes it."""
        if self.as_published or self.min_size == 0:
            return None
        return "guard" if self.min_size is None else self.min_size


class Plan(NamedTuple):
    """The features that count, the same as the method takes them, and how to judge.

    ``metric`` is None where names are not compared by distances; ``judged`` is what qualities see.
    """

    features: FeatureTable
    X: Any
    metric: str | None
    scaled: bool
    quality: QualityName
    prototypes: int | None
    judged: Any


def check_asked(asked: Asked) -> None:
    """Refuse options that mean nothing, before any file is read."""
    if asked.number is not None and asked.number < 1:
        raise InputError(f"--number {asked.number} finds no alternative; use 1 or more.")
    if asked.clusters is not None and asked.clusters < 2:
        raise InputError(f"--clusters {asked.clusters} divides nothing; use 2 or more.")
    if asked.omega is not None and not asked.omega >= 0:
        raise InputError(f"--omega {asked.omega:g} is no threshold; use 0 or more.")
    if asked.tolerance is not None and not asked.tolerance >= 0:
        raise InputError(f"--tolerance {asked.tolerance:g} is none; use 0 or more.")
    if asked.min_size is not None and not asked.min_size >= 0:
        raise InputError(
            f"--min-size {asked.min_size:g} is no size; use a number of objects, or a share of "
            "them below 1."
        )
    if asked.as_published and asked.min_size:
        raise InputError("--as-published sets no least size; leave it out, or --min-size.")
    if not 0 <= asked.seed <= _LARGEST_SEED:
        raise InputError(f"--seed {asked.seed}: use a whole number from 0 to {_LARGEST_SEED}.")
    if asked.prototypes is not None and asked.prototypes < 0:
        raise InputError(f"--prototypes {asked.prototypes} is no number of means; use 1 or more.")
    if asked.prototypes and asked.metric not in (None, "euclidean"):
        raise InputError(
            f"--prototypes are means, which --metric {asked.metric} knows nothing of; leave one "
            "of them out."
        )
    _refuse_of_other_methods(asked)


def _refuse_of_other_methods(asked: Asked) -> None:
    merging = asked.method in ("coala", "coalacat")
    foreign = {
        "--omega": asked.omega is not None and not merging,
        "--tolerance": asked.tolerance is not None and asked.method != "maximus",
        "--min-size": bool(asked.min_size) and asked.method == "naive",
        "--metric": asked.metric is not None and asked.method != "coala",
        "--prototypes": bool(asked.prototypes) and asked.method != "coala",
        "--scale": bool(asked.scale) and asked.method == "coalacat",
    }
    for option, wrong in foreign.items():
        if wrong:
            raise InputError(f"--method {asked.method} has no use for {option}; leave it out.")
    if asked.method == "auto" and asked.quality == "entropy":
        raise InputError("--quality entropy judges names, not points; name --method coalacat.")
    if asked.method == "coalacat" and asked.quality not in (None, "entropy"):
        raise InputError(
            f"--quality {asked.quality} needs distances, which --method coalacat does without; use "
            "--quality entropy, which judges both methods."
        )


def make_plan(table: FeatureTable, asked: Asked) -> Plan:
    """Decide what the data leave open, and say what was decided."""
    n = len(table.values)
    if n < _FEWEST_OBJECTS:
        raise InputError(f"{format_count(n, 'object')} cannot be grouped in two ways; pass more.")
    if asked.clusters is not None and asked.clusters > n:
        raise InputError(f"--clusters {asked.clusters} for {format_count(n, 'object')}; use fewer.")
    table = _without_constants(table, gaps_count=asked.method == "coalacat")
    columns = table.named().columns
    names = [one.name for one in columns if one.kind == "nominal"]
    gaps = [one.name for one in columns if one.name not in names and _has_gaps(one)]
    if asked.method == "coalacat":
        _say_values_as_names(columns)
        _check_memory(n, None)
        return Plan(table, table.named(), None, False, "entropy", None, table.named())
    if asked.method != "coala" and (names or gaps):
        return _plan_points(table, asked, names, gaps)
    metric = _metric(asked, names, gaps)
    prototypes = _prototypes(asked, metric, n)
    if asked.method == "coala" and prototypes is None:
        _check_memory(n, metric)
    quality = _quality(asked, metric, n)
    if metric == "gower":
        if asked.scale:
            say("--scale changes nothing: Gower's distance takes numbers by their range.")
        return Plan(table, table.named(), metric, False, quality, None, table.named())
    scaled = metric in _SCALED if asked.scale is None else asked.scale
    if scaled:
        how = "" if asked.scale else "; --no-scale leaves them as they are"
        say(f"each feature is scaled to mean 0 and standard deviation 1{how}.")
    X = _standardised(table.values) if scaled else table.values
    return Plan(table, X, metric, scaled, quality, prototypes, X)


def _plan_points(
    table: FeatureTable, asked: Asked, names: Sequence[str], gaps: Sequence[str]
) -> Plan:
    """Objects become points, whatever they are described by."""
    if names:
        verb = "holds" if len(names) == 1 else "hold"
        say(
            f"{format_list(names)} {verb} names: each value becomes a column of 0 and 1, beside "
            "numbers of mean 0 and standard deviation 1."
        )
        if asked.scale is False:
            say("--no-scale changes nothing: numbers beside names are scaled.")
    if gaps:
        say(f"gaps in {format_list(gaps)} are filled by the mean.")
    points = read_points(table.named()).points
    scaled = bool(names) or asked.scale is not False
    if scaled and not names:
        points = _standardised(points)
    quality = _quality(asked, "euclidean", len(points))
    # Names have bins of their own, which columns of 0 and 1 do not tell.
    X = table.named() if names and asked.method in _OF_BINS else points
    return Plan(table, X, "euclidean", scaled, quality, None, points)


def _without_constants(table: FeatureTable, *, gaps_count: bool) -> FeatureTable:
    varying = []
    for column in table.named().columns:
        varying.append(_varies(column, gaps_count))
        if not varying[-1]:
            say(f"left out {column.name}: it has the same value everywhere.")
    if not any(varying):
        raise InputError("no feature has two different values; choose others with --features.")
    names = [name for name, kept in zip(table.names, varying, strict=True) if kept]
    return FeatureTable(names, table.values[:, varying])


def _varies(column: Column, gaps_count: bool) -> bool:
    values = column.numbers() if column.kind == "numeric" else column.named().codes
    there = values[~np.isnan(values)] if column.kind == "numeric" else values[values >= 0]
    if gaps_count and 0 < there.size < values.size:
        return True
    return bool(there.size) and bool(there.min() < there.max())


def _has_gaps(column: Column) -> bool:
    return bool(np.isnan(column.numbers()).any())


def _metric(asked: Asked, names: Sequence[str], gaps: Sequence[str]) -> str:
    """The metric asked for, or the one that the features need."""
    reasons = [
        f"{format_list(columns)} {one if len(columns) == 1 else several}"
        for columns, one, several in (
            (names, "holds names", "hold names"),
            (gaps, "has gaps", "have gaps"),
        )
        if columns
    ]
    why = " and ".join(reasons)
    if not why or asked.metric == "gower":
        return asked.metric or "euclidean"
    for option, wanted in {
        "--prototypes": bool(asked.prototypes),
        f"--metric {asked.metric}": asked.metric is not None,
    }.items():
        if wanted:
            raise InputError(
                f"{option} needs numbers without gaps, but {why}; choose other columns with "
                "--features, or do without that option."
            )
    say(f"distances are Gower's, because {why}: numbers by their range, names equal or not.")
    return "gower"


def _prototypes(asked: Asked, metric: str, n: int) -> int | None:
    """How many means to cluster in place of all objects; None clusters the objects."""
    if asked.prototypes is not None:
        return asked.prototypes or None
    if asked.method != "coala" or metric != "euclidean" or n <= _MANY_OBJECTS:
        return None
    say(f"{_PROTOTYPES} means stand for the {n} objects; see --prototypes.")
    return _PROTOTYPES


def _quality(asked: Asked, metric: str, n: int) -> QualityName:
    euclidean_only = asked.quality in _OF_CENTROIDS and metric != "euclidean"
    if euclidean_only or (asked.quality == "dunn_centroids" and metric == "gower"):
        raise InputError(
            f"--quality {asked.quality} compares centroids, which --metric {metric} does not fit; "
            "use dunn or silhouette."
        )
    if asked.quality is not None:
        return asked.quality
    if asked.method == "auto":
        return "canonical"
    if metric == "gower":
        return "silhouette"  # objects that are all alike make Dunn's index 0
    return "dunn" if n <= _MANY_OBJECTS else "dunn_centroids"


def _standardised(values: Array) -> Array:
    """Columns with mean 0 and standard deviation 1; none of them is constant."""
    values = values / np.abs(values).max(axis=0)  # so that no square overflows
    values -= values.mean(axis=0)
    spread = values.std(axis=0)
    return np.divide(values, spread, out=values, where=spread > 0)


def _say_values_as_names(columns: Sequence[Column]) -> None:
    for column in columns:
        if column.kind == "numeric" and len(values := column.named().values) > _MANY_VALUES:
            say(
                f"--method coalacat takes each of the {len(values)} values of {column.name} as a "
                "name; put them into few classes first, or use --method coala."
            )


def too_large(n: int, metric: str | None) -> InputError:
    """What to say where the distances of all pairs do not fit into memory."""
    has_means = metric == "euclidean"
    remedy = "use --prototypes 2000, say, or a sample" if has_means else "use a sample"
    return InputError(
        f"{n} objects need a table of {_table_size(n) / 2**30:.3g} GiB, for which there is not "
        f"enough memory; {remedy}."
    )


def _check_memory(n: int, metric: str | None) -> None:
    """Refuse beforehand, since the system may grant more memory than there is."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not known on this system
        return
    if _table_size(n) > there:
        raise too_large(n, metric)


def _table_size(n: int) -> int:
    return 8 * n**2
