"""Summaries of frames of any engine: only the summary leaves it.

Rows that are alike are counted by the engine, in one group-by. What comes back is a small
data set with weights, which is then read like any other, with the same rules and errors.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import (
    Clustering,
    LabelOptions,
    Missing,
    Pair,
    align_clusterings,
    as_hard_clustering,
    noise_mask,
)
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.inputs.ensembles import Collapsed, read_ensemble
from clusterwise.inputs.frames import (
    WEIGHT,
    SelectedColumns,
    as_eager,
    column_names,
    eager_column,
    eager_columns,
    floats,
    integers,
    require_columns,
    select_columns,
)
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.ensemble.ensemble import EnsembleTable
from clusterwise.summaries.frames.scans import scan

# Kinds of rows that are fetched at most; with more, clusterings are counted one by one.
MAX_DISTINCT_ROWS = 1 << 20


class DistinctRows(NamedTuple):
    """Rows that differ: an eager frame with a row of each, how many they are, what they weigh.

    ``weights`` are the numbers of rows themselves if no column holds weights.
    """

    frame: Any
    rows: Array
    weights: Array

    def column(self, place: int) -> Any:
        """A column, as its own library has it."""
        return self.frame.get_column(f"c{place}").to_native()


def count_pairs(
    frame: Any, a: str, b: str, weights: str | None, **label_options: Unpack[LabelOptions]
) -> Contingency:
    """The contingency table of two columns."""
    in_memory = eager_pair(frame, a, b, weights, **label_options)
    if in_memory is not None:
        return Contingency.from_pair(in_memory)
    kinds = count_distinct_rows(frame, [a, b], weights)
    missing = label_options.get("missing", "error")
    if missing == "error":
        refuse_missing_labels(kinds, [a, b])
    if label_options.get("noise") == "singletons":
        label = label_options.get("noise_label", -1)
        kinds = spelt_out(kinds, [a, b], label, missing, weighted=weights is not None)
    first, second = (labels_of(kinds, i, name, missing) for i, name in enumerate((a, b)))
    pair = align_clusterings(first, second, **{**label_options, "sample_weight": kinds.weights})
    return Contingency.from_pair(pair)


def eager_pair(
    frame: Any, a: str, b: str, weights: str | None, **label_options: Unpack[LabelOptions]
) -> Pair[Clustering] | None:
    """Two columns of a frame in memory, which kernels read as they are; None if it is lazy."""
    columns = eager_columns(frame, [a, b, *filter(None, [weights])])
    if columns is None:
        return None
    missing = label_options.get("missing", "error")
    first, second = (
        as_hard_clustering(column, f"column {name!r}", missing=missing)
        for column, name in zip(columns, (a, b), strict=False)
    )
    if weights is not None:
        label_options = {**label_options, "sample_weight": np.asarray(columns[2])}
    return align_clusterings(first, second, **label_options)


def count_ensemble(
    frame: Any, labels: str, ensemble: Sequence[str], weights: str | None
) -> EnsembleTable:
    """How many objects a column of labels shares with the clusters of others."""
    members = _several(ensemble)
    eager = as_eager(frame)
    if eager is not None:
        require_columns(eager, members)
        weighing = None if weights is None else np.asarray(eager_column(eager, weights))
        return EnsembleTable.from_labels(
            as_hard_clustering(eager_column(eager, labels), f"column {labels!r}"),
            eager.select(members).to_native(),
            sample_weight=weighing,
        )
    kinds = count_distinct_rows(frame, [labels, *members], weights, MAX_DISTINCT_ROWS)
    if kinds is not None:
        return _table_of(kinds, labels, members)
    parts = [
        _table_of(count_distinct_rows(frame, [labels, name], weights), labels, [name])
        for name in members
    ]
    counts = np.hstack([part.counts for part in parts])
    names = tuple(part.column_names[0] for part in parts)
    return EnsembleTable(counts, parts[0].sizes, parts[0].row_names, names)


def collapse_frame(frame: Any, clusterings: Sequence[str] | None = None) -> tuple[Collapsed, Any]:
    """The different rows of label columns with their numbers, counted by the engine.

    The second value is the eager frame that holds them, in the same order.
    """
    members = _several(column_names(frame) if clusterings is None else clusterings)
    kinds = count_distinct_rows(frame, members, most=MAX_DISTINCT_ROWS)
    if kinds is None:
        raise InputError(
            f"the clusterings have more than {MAX_DISTINCT_ROWS} distinct rows of labels, too many "
            "to combine here; leave some clusterings out, or take a sample."
        )
    named = kinds.frame.select(*(f"c{i}" for i in range(len(members))))
    named = named.rename({f"c{i}": name for i, name in enumerate(members)})
    ensemble = read_ensemble(named.to_native())
    # Engines return groups in any order; the result must not depend on it.
    order = np.lexsort(ensemble.codes[::-1])
    few = ensemble._replace(codes=np.ascontiguousarray(ensemble.codes[:, order]))
    return Collapsed(few, kinds.rows[order], np.arange(few.n)), named[order.tolist()]


def count_distinct_rows(
    frame: Any, names: Sequence[str], weights: str | None = None, most: int | None = None
) -> Any:
    """The kinds of rows in these columns; None if there are more than ``most``."""
    picked = select_columns(frame, names, weights)
    keys = picked.keys(*range(len(names)))

    def rows(some: SelectedColumns) -> Any:
        import narwhals.stable.v2 as nw

        if some.weighting is None:
            return some.frame
        weight = nw.col(WEIGHT)
        there = nw.when(~weight.is_null()).then(1).otherwise(0)
        made = [weight.alias("s"), there.alias("k"), weight.alias("m")]
        return some.frame.select(*keys, *made)

    how = {} if weights is None else {"s": "sum", "k": "sum", "m": "min"}
    found = scan(frame, picked, rows, keys, how, most)
    return None if found is None else as_kinds(picked, found)


def totals(picked: SelectedColumns) -> list[Any]:
    """What is summed over each kind of rows: their number, and what weights need."""
    import narwhals.stable.v2 as nw

    if picked.weighting is None:
        return [nw.len().alias("n")]
    weight = nw.col(WEIGHT)
    sums = weight.sum().alias("s"), weight.count().alias("k"), weight.min().alias("m")
    return [nw.len().alias("n"), *sums]


def as_kinds(picked: SelectedColumns, found: Any) -> DistinctRows:
    """Kinds of rows with these totals, once the weights are found to be right."""
    rows = integers(found.get_column("n"))
    return DistinctRows(
        found, rows, rows if picked.weighting is None else _weights(picked, found, rows)
    )


def labels_of(kinds: DistinctRows, place: int, name: str, missing: Missing = "error") -> Clustering:
    """A column of labels."""
    return as_hard_clustering(kinds.column(place), f"column {name!r}", missing=missing)


def refuse_missing_labels(kinds: DistinctRows, names: Sequence[str]) -> None:
    """Refuse rows without a label."""
    for place, name in enumerate(names):
        column = kinds.frame.get_column(f"c{place}")
        gap = column.is_null().to_numpy().astype(bool)
        if column.dtype.is_float():
            gap = gap | np.isnan(floats(column))
        refuse_missing_rows(name, int(kinds.rows[gap].sum()), int(kinds.rows.sum()))


def refuse_missing_rows(name: str, missing: int, rows: int) -> None:
    """Refuse a column of labels that has gaps."""
    if missing:
        raise InputError(
            f"column {name!r} has no label in {missing} of {rows} rows; drop those rows or give "
            "them a label."
        )


def _weights(picked: SelectedColumns, found: Any, rows: Array) -> Array:
    """Sums of weights, once they are found to be there, finite and not negative."""
    assert picked.weighting is not None
    name = picked.weighting.name
    lacking = int(rows.sum() - integers(found.get_column("k")).sum())
    if lacking:
        raise InputError(f"column {name!r} has no weight in {lacking} rows; fill it in.")
    least = floats(found.get_column("m"))
    if least.size and least.min() < 0:
        raise InputError(
            f"column {name!r} holds the weight {least.min():g}; weights cannot be negative."
        )
    if picked.weighting.whole:
        return integers(found.get_column("s"))
    sums = floats(found.get_column("s"))
    if not np.isfinite(sums).all():
        raise InputError(f"column {name!r} holds weights that are not finite; fill them in.")
    return sums


def spelt_out(
    kinds: DistinctRows,
    names: Sequence[str],
    noise_label: Any,
    missing: Missing = "error",
    *,
    weighted: bool,
) -> DistinctRows:
    """A row for each object that is noise, which is a cluster of its own."""
    if weighted:
        raise InputError(
            "noise='singletons' makes a cluster of each object, which needs its weight; collect "
            "the frame first, or leave the weights out."
        )
    noise = np.zeros(kinds.rows.size, bool)
    for place, name in enumerate(names):
        noise |= noise_mask(labels_of(kinds, place, name, missing), noise_label)
    places = np.repeat(np.arange(noise.size), np.where(noise, kinds.rows, 1))
    rows = np.where(noise, 1, kinds.rows)[places]
    return DistinctRows(kinds.frame[places.tolist()], rows, rows)


def _table_of(kinds: DistinctRows, labels: str, members: Sequence[str]) -> EnsembleTable:
    refuse_missing_labels(kinds, [labels])
    named = kinds.frame.select(*(f"c{i + 1}" for i in range(len(members))))
    named = named.rename({f"c{i + 1}": name for i, name in enumerate(members)})
    return EnsembleTable.from_labels(
        labels_of(kinds, 0, labels), named.to_native(), sample_weight=read_only(kinds.weights)
    )


def _several(names: Sequence[str]) -> list[str]:
    if isinstance(names, str) or not names:
        raise InputError("name the columns of the clusterings as a list of texts.")
    return list(names)
