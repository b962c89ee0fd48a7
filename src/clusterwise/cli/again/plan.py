"""How ``again`` searches: the features, their scaling, the distance and the quality."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.memory import check_table
from clusterwise._utils.tables import format_count, format_list
from clusterwise.alternatives.alternative_sentences import Scaling
from clusterwise.alternatives.methods import (
    MANY_OBJECTS,
    PROTOTYPES,
    SCALED_METRICS,
    choose_dunn,
)
from clusterwise.cli.again.options import SearchOptions
from clusterwise.cli.options import QualityName
from clusterwise.cli.output import say
from clusterwise.cli.tables.feature_columns import FeatureTable
from clusterwise.inputs.centring import is_rounding
from clusterwise.inputs.features import Column, read_features
from clusterwise.inputs.points import read_points, standardise
from clusterwise.measures.quality import find_quality

_BINNING_METHODS = ("auto", "cib", "maximus")
# A numeric feature with more distinct values than this is probably not categorical.
_MANY_VALUES = 20
_FEWEST_OBJECTS = 3


class SearchPlan(NamedTuple):
    """The features that vary, the input of the method, and the measure of quality.

    ``X`` is scaled by the search if ``scaling`` is "standard"; "mixed" is scaled already.
    ``metric`` is None if categories are compared without distances; the quality is computed from
    ``scored``.
    """

    features: FeatureTable
    X: Any
    metric: str | None
    scaling: Scaling | None
    quality: QualityName
    prototypes: int | None
    scored: Any


def make_plan(table: FeatureTable, options: SearchOptions) -> SearchPlan:
    """Choose all settings that the options leave open, and print a note on each choice."""
    n, method = len(table.values), options.chosen_method
    if n < _FEWEST_OBJECTS:
        raise InputError(
            f"{format_count(n, 'object')} cannot have two clusterings; use at least "
            f"{_FEWEST_OBJECTS}."
        )
    if options.n_clusters is not None and options.n_clusters > n:
        raise InputError(
            f"--n-clusters {options.n_clusters} is more than the {format_count(n, 'object')}; "
            "use fewer."
        )
    table = _without_constants(table, missing_is_value=method == "coalacat")
    columns = table.named().columns
    categorical = [one.name for one in columns if one.kind == "nominal"]
    incomplete = [one.name for one in columns if one.kind != "nominal" and _has_missing(one)]
    if method == "coalacat":
        _note_many_values(columns)
        check_table(n, remedy(None))
        return SearchPlan(table, table.named(), None, None, "entropy", None, table.named())
    if method != "coala" and (categorical or incomplete):
        return _plan_points(table, options, categorical, incomplete)
    metric = _choose_metric(options, categorical, incomplete)
    prototypes = _choose_prototypes(options, metric, n)
    if method == "coala" and prototypes is None:
        check_table(n, remedy(metric))
    quality = _choose_quality(options, metric, n)
    if metric == "gower":
        if options.scale:
            say("--scale has no effect: Gower's distance divides numeric features by their range.")
        return SearchPlan(table, table.named(), metric, None, quality, None, table.named())
    scaled = metric in SCALED_METRICS if options.scale is None else options.scale
    if not scaled:
        return SearchPlan(table, table.values, metric, "none", quality, prototypes, table.values)
    hint = "" if options.scale else "; use --no-scale to leave them as they are"
    say(f"features are scaled to mean 0 and standard deviation 1{hint}.")
    scored = standardise(table.named())
    return SearchPlan(table, table.values, metric, "standard", quality, prototypes, scored)


def _plan_points(
    table: FeatureTable,
    options: SearchOptions,
    categorical: Sequence[str],
    incomplete: Sequence[str],
) -> SearchPlan:
    """Plan a search with one-hot encoded categories and imputed missing values."""
    if categorical:
        are = "is" if len(categorical) == 1 else "are"
        say(
            f"{format_list(categorical)} {are} one-hot encoded; numeric features are scaled to "
            "mean 0 and standard deviation 1."
        )
        if options.scale is False:
            say("--no-scale has no effect: numeric features beside categorical ones are scaled.")
    if incomplete:
        say(f"missing values of {format_list(incomplete)} are replaced by the mean.")
    points = read_points(table.named()).points
    quality = _choose_quality(options, "euclidean", len(points))
    if not categorical:
        scaling: Scaling = "none" if options.scale is False else "standard"
        scored = points if scaling == "none" else standardise(read_features(points))
        return SearchPlan(table, points, "euclidean", scaling, quality, None, scored)
    # Methods that bin the features need the categories, not their one-hot encoding.
    X = table.named() if options.chosen_method in _BINNING_METHODS else points
    return SearchPlan(table, X, "euclidean", "mixed", quality, None, points)


def _without_constants(table: FeatureTable, *, missing_is_value: bool) -> FeatureTable:
    varying = []
    for column in table.named().columns:
        varying.append(_varies(column, missing_is_value))
        if not varying[-1]:
            say(f"left out {column.name}: it is constant.")
    # Categories have no rounding errors; there, missing is a value, too.
    for r in () if missing_is_value else _rounding_errors(table, varying):
        varying[r] = False
        say(
            f"left out {table.names[r]}: it varies by rounding errors only; subtract an offset or "
            "scale it first if that is wrong."
        )
    if not any(varying):
        raise InputError("all features are constant; choose others with --features.")
    names = [name for name, kept in zip(table.names, varying, strict=True) if kept]
    return replace(table, names=names, values=table.values[:, varying])


def _rounding_errors(table: FeatureTable, varying: list[bool]) -> list[int]:
    """Return the varying numeric features that vary by rounding errors only."""
    columns = table.named().columns
    numeric = [r for r, one in enumerate(columns) if one.kind == "numeric" and varying[r]]
    numbers = [np.asarray(columns[r].numbers(), np.float64) for r in numeric]
    low = np.array([np.nanmin(values) for values in numbers])
    high = np.array([np.nanmax(values) for values in numbers])
    return [numeric[i] for i in np.flatnonzero(is_rounding(low, high))]


def _varies(column: Column, missing_is_value: bool) -> bool:
    values = column.numbers() if column.kind == "numeric" else column.categories().codes
    present = values[~np.isnan(values)] if column.kind == "numeric" else values[values >= 0]
    if missing_is_value and 0 < present.size < values.size:
        return True
    return bool(present.size) and bool(present.min() < present.max())


def _has_missing(column: Column) -> bool:
    return bool(np.isnan(column.numbers()).any())


def _choose_metric(
    options: SearchOptions, categorical: Sequence[str], incomplete: Sequence[str]
) -> str:
    """Return the metric of the options, or the one that the features need."""
    reasons = [
        f"{format_list(columns)} {singular if len(columns) == 1 else plural}"
        for columns, singular, plural in (
            (categorical, "is categorical", "are categorical"),
            (incomplete, "has missing values", "have missing values"),
        )
        if columns
    ]
    why = " and ".join(reasons)
    if not why or options.metric == "gower":
        return options.metric or "euclidean"
    for option, named in {
        "--prototypes": bool(options.prototypes),
        f"--metric {options.metric}": options.metric is not None,
    }.items():
        if named:
            raise InputError(
                f"{option} needs numeric features without missing values, but {why}; choose other "
                "columns with --features, or leave out that option."
            )
    say(f"Gower's distance is used, because {why}.")
    return "gower"


def _choose_prototypes(options: SearchOptions, metric: str, n: int) -> int | None:
    """Return the number of centroids to cluster; None clusters the objects."""
    if options.prototypes is not None:
        return options.prototypes or None
    if options.chosen_method != "coala" or metric != "euclidean" or n <= MANY_OBJECTS:
        return None
    say(f"the {n} objects are represented by {PROTOTYPES} centroids; see --prototypes.")
    return PROTOTYPES


def _choose_quality(options: SearchOptions, metric: str, n: int) -> QualityName:
    if options.quality is not None and not find_quality(options.quality).allows(metric):
        raise InputError(
            f"--quality {options.quality} compares centroids, which does not apply to --metric "
            f"{metric}; use dunn or silhouette."
        )
    if options.quality is not None:
        return options.quality
    if options.chosen_method == "auto":
        return "canonical"
    if metric == "gower":
        return "silhouette"  # Dunn's index is 0 if objects of different clusters are identical
    return choose_dunn(n)


def _note_many_values(columns: Sequence[Column]) -> None:
    for column in columns:
        if column.kind == "numeric" and len(values := column.categories().values) > _MANY_VALUES:
            say(
                f"--method coalacat takes each of the {len(values)} values of {column.name} as a "
                "category; bin them first, or use --method coala."
            )


def remedy(metric: str | None) -> str:
    """Return what to do if the distances of all pairs do not fit into memory."""
    has_means = metric == "euclidean"
    return "use --prototypes, such as 2000, or a sample" if has_means else "use a sample"
