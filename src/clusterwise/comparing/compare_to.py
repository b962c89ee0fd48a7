"""Comparison of several clusterings with a reference, to find which one is closer to it."""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.comparing.compare import name_of
from clusterwise.comparing.compare_all import is_frame, name_clusterings, refuse_features
from clusterwise.comparing.frames import (
    FrameData,
    Side,
    name_columns,
    read_distinct_rows,
    read_eager_columns,
    with_string_names,
)
from clusterwise.comparing.reference_result import ReferenceComparison
from clusterwise.comparing.significance import N_PERMUTATIONS, SEED
from clusterwise.inputs.clusterings import (
    Align,
    Clustering,
    LabelOptions,
    Missing,
    Noise,
    Pair,
    align_clusterings,
    as_hard_clustering,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.frames import column_names
from clusterwise.measures._label_options import documented, label_options
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.permutation import chance_levels
from clusterwise.measures.chance.statistics import is_small, require_counts
from clusterwise.measures.intervals import (
    Difference,
    Interval,
    LeftOut,
    difference_of,
    interval_of,
    leave_each_out,
)
from clusterwise.summaries.contingency.contingency import Contingency

# The key of the reference among the columns of a frame; no clustering has this name.
_REFERENCE = "\0"


@documented
def compare_to(
    reference: Any,
    clusterings: Any,
    *,
    frame: Any = None,
    measure: str = "adjusted_rand_score",
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> ReferenceComparison:
    """Compare several clusterings with a reference, and find which one is closer to it.

    All are compared on the same objects, so that their differences are much better known than the
    values: the jackknife leaves each object out of all clusterings at once [1]_.

    Parameters
    ----------
    reference : array-like of shape (n,)
        The labels of the reference, such as known classes. With ``frame``, the name of its column.
    clusterings : dict, list or frame
        The labels of the same objects in at least two clusterings: a dict by name, a list, or a
        frame with a column per clustering. With ``frame``, the names of its columns.
    frame : frame of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark, optional
        An eager or lazy frame. The engine of a lazy frame returns only the distinct rows of labels
        and their counts.
    measure : str, default="adjusted_rand_score"
        A measure of labels from :func:`list_measures`; the reference is its first argument.
    {label_options}

    Returns
    -------
    ReferenceComparison
        The value of each clustering and its interval, the difference of each pair with its interval
        and p-value, and a ranking in which clusterings that cannot be told apart are tied.

    Notes
    -----
    Objects that are left out of one clustering, as noise or because they have no label, are left
    out of all. Differences of measures of information are corrected for their bias, which is larger
    if clusters are many.

    References
    ----------
    .. [1] B. Efron, C. Stein. The jackknife estimate of variance. Annals of Statistics 9 (1981)
       586-596. https://doi.org/10.1214/aos/1176345462

    Examples
    --------
    Twenty flowers, of which one clustering misplaces two and another one ten:

    >>> from clusterwise import compare_to
    >>> species = [0] * 10 + [1] * 10
    >>> near, far = [0] * 9 + [1] * 10 + [0], [0, 1] * 10
    >>> result = compare_to(species, {"near": near, "far": far})
    >>> result.ranks
    [1, 2]
    """
    refuse_features([measure])
    options = label_options(sample_weight, noise, noise_label, align, missing)
    if noise == "singletons":
        raise InputError(
            "noise='singletons' repeats noise objects, which compare_to cannot follow through "
            "several clusterings; use 'cluster' or 'drop'."
        )
    name = name_of(reference, "the reference")
    if frame is not None:
        name = str(reference)
        reference, named, options = _read_frame(frame, name, name_columns(clusterings), options)
    else:
        named = _read_clusterings(clusterings)
    if len(named) < 2:
        raise InputError(f"compare_to got {len(named)} clusterings; pass at least two.")
    missing = options.get("missing", "error")
    first = as_hard_clustering(reference, name, missing=missing)
    pairs = [
        align_clusterings(first, as_hard_clustering(one, key, missing=missing), **options)
        for key, one in named.items()
    ]
    return _compare(name, list(named), measure, _on_common_objects(pairs), first.library)


def _read_clusterings(clusterings: Any) -> dict[str, Any]:
    """Return clusterings by name, from a dict, a list or the columns of an eager frame."""
    if not is_frame(clusterings):
        return name_clusterings(clusterings)
    whole = with_string_names(clusterings)
    eager = read_eager_columns(whole, {one: one for one in column_names(whole)}, None, {})
    if eager is None:
        raise InputError(
            "clusterings is a lazy frame; pass it as frame, and the names of columns as reference "
            "and clusterings."
        )
    return eager.columns


def _read_frame(
    frame: Any, reference: str, clusterings: Mapping[str, Side], options: LabelOptions
) -> tuple[Any, dict[str, Any], LabelOptions]:
    """Return the reference and the clusterings of a frame, and the options with its weights."""
    sides = {**clusterings, _REFERENCE: reference}
    eager = read_eager_columns(frame, sides, None, options)
    if eager is not None:
        named, options = dict(eager.columns), eager.label_options
    else:
        columns = [str(side) for side in sides.values()]
        data = FrameData(frame, None, options)
        read, options = read_distinct_rows(data, list(dict.fromkeys(columns)))
        named = {key: read[column] for key, column in zip(sides, columns, strict=True)}
    return named.pop(_REFERENCE), named, options


def _on_common_objects(pairs: Sequence[Pair[Clustering]]) -> list[Pair[Clustering]]:
    """Leave objects that one pair has not out of all, in the order of the reference."""
    positions = [
        np.arange(len(pair.a)) if pair.kept is None else np.asarray(pair.kept) for pair in pairs
    ]
    common = positions[0]
    for one in positions[1:]:
        common = np.intersect1d(common, one)
    if not common.size:
        raise InputError("no object is in all clusterings; there is nothing to compare.")
    found = []
    for pair, kept in zip(pairs, positions, strict=True):
        order = np.argsort(kept, kind="stable")
        rows = order[np.searchsorted(kept[order], common)]
        weights = None if pair.weights is None else pair.weights[rows]
        found.append(Pair(pair.a.take(rows), pair.b.take(rows), weights))
    return found


def _compare(
    reference: str,
    names: list[str],
    measure: str,
    pairs: Sequence[Pair[Clustering]],
    library: str | None,
) -> ReferenceComparison:
    weights = pairs[0].weights
    times = np.ones(len(pairs[0].a)) if weights is None else np.asarray(weights, np.float64)
    present = times > 0
    one = find_measure(measure)
    values, intervals, without, tables = [], [], [], []
    for name, pair in zip(names, pairs, strict=True):
        table, cells = _table_of(pair)
        require_counts(table)
        if not is_small(table):
            raise InputError(
                f"{name} and {reference} have {table.shape[1]} and {table.shape[0]} clusters, too "
                "many to leave out each object; compare clusterings with fewer clusters."
            )
        found = _leave_out(table, measure)
        replicates = found.values[cells]
        low, high = interval_of(
            one, found.value, replicates[present], times[present], 0.0,
            one.upper_end(float(table.n)) / found.unit,
        )  # fmt: skip
        values.append(found.value * found.unit)
        intervals.append(Interval(low * found.unit, high * found.unit))
        without.append(found._replace(values=replicates))
        tables.append(table)
    differences = [
        [
            _difference(measure, (x, y), (first, second), (times, present))
            for y, second in zip(without, tables, strict=True)
        ]
        for x, first in zip(without, tables, strict=True)
    ]
    n = int(times.sum())
    return ReferenceComparison(
        reference, names, measure, np.array(values), intervals, differences, n, library
    )


def _leave_out(table: Contingency, measure: str) -> LeftOut:
    """Return the values without each object; one without clusters to compare does not change."""
    if table.n < 3:
        raise InputError(f"compare_to needs at least three objects, but there are {table.n}.")
    return leave_each_out(table, measure)


def _difference(
    measure: str,
    sides: tuple[LeftOut, LeftOut],
    tables: tuple[Contingency, Contingency],
    objects: tuple[Array, Array],
) -> Difference:
    """Return the difference of two clusterings; ``objects`` are weights, and which are above 0."""
    x, y = sides
    times, present = objects

    def by_chance() -> float:
        random = np.random.default_rng(SEED)
        first, second = (
            chance_levels(one, [measure], N_PERMUTATIONS, random)[measure].deviation
            for one in tables
        )
        return hypot(first, second) / x.unit

    value, low, high, p_value = difference_of(
        x.value - y.value,
        x.values[present] - y.values[present],
        times[present],
        corrected=find_measure(measure).family == "information",
        by_chance=by_chance,
    )
    return Difference(value * x.unit, low * x.unit, high * x.unit, p_value)


def _table_of(pair: Pair[Clustering]) -> tuple[Contingency, Array]:
    """Return the contingency table, and the nonzero cell that each object is in; 0 weight: any."""
    rows, columns = (
        np.unique(side.codes.positions(), return_inverse=True)[1] for side in (pair.a, pair.b)
    )
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    keys = rows * width + columns
    counts = np.bincount(keys, pair.weights, height * width)
    table = Contingency.from_table(counts.reshape(height, width))
    found, cells = np.unique(keys, return_inverse=True)
    full = counts[found] > 0
    return table, np.maximum(np.cumsum(full) - 1, 0)[cells]
