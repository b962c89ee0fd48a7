"""Label columns of frames of any engine, reduced to distinct rows with counts.

The engine counts equal rows in one group-by. The result is a small data set with weights, which
is then read like any other, with the same rules and errors.
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
from clusterwise.summaries.frames.scans import scan

# The largest number of distinct rows that are collected; beyond it, clusterings are counted one by
# one.
MAX_DISTINCT_ROWS = 1 << 20
# The column of distinct rows that counts fractional weights, unless the weights are integers.
FRACTIONS = "f"


class DistinctRows(NamedTuple):
    """Distinct rows as an eager frame, with the number of rows and the total weight of each.

    ``weights`` are the numbers of rows if there is no column of weights.
    """

    frame: Any
    rows: Array
    weights: Array

    def column(self, index: int) -> Any:
        """Return a column in the type of its library."""
        return self.frame.get_column(f"c{index}").to_native()


class EnsembleColumns(NamedTuple):
    """A clustering, an ensemble as a native frame, and weights of the same objects."""

    labels: Clustering
    ensemble: Any
    weights: Array | None


def read_frame_pair(
    frame: Any, a: str, b: str, weights: str | None, **label_options: Unpack[LabelOptions]
) -> Pair[Clustering]:
    """Read two label columns of a frame; of a lazy frame their distinct rows with weights."""
    in_memory = eager_pair(frame, a, b, weights, **label_options)
    if in_memory is not None:
        return in_memory
    distinct = count_distinct_rows(frame, [a, b], weights)
    missing = label_options.get("missing", "error")
    if missing == "error":
        refuse_missing_labels(distinct, [a, b])
    if label_options.get("noise") == "singletons":
        label = label_options.get("noise_label", -1)
        check_noise_weights(distinct, [a, b], weights, label, missing)
    first, second = (column_labels(distinct, i, name, missing) for i, name in enumerate((a, b)))
    return align_clusterings(first, second, **{**label_options, "sample_weight": distinct.weights})


def eager_pair(
    frame: Any, a: str, b: str, weights: str | None, **label_options: Unpack[LabelOptions]
) -> Pair[Clustering] | None:
    """Read two label columns of a frame in memory; return None if the frame is lazy."""
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


def read_frame_ensemble(
    frame: Any, labels: str, ensemble: Sequence[str], weights: str | None
) -> list[EnsembleColumns]:
    """Read a label column and the columns of an ensemble.

    The result has one entry with the whole ensemble; or, if a lazy frame has too many distinct
    rows, an entry for each of its clusterings.
    """
    members = _column_list(ensemble)
    eager = as_eager(frame)
    if eager is not None:
        require_columns(eager, members)
        clustering = as_hard_clustering(eager_column(eager, labels), f"column {labels!r}")
        row_weights = None if weights is None else np.asarray(eager_column(eager, weights))
        return [EnsembleColumns(clustering, eager.select(members).to_native(), row_weights)]
    distinct = count_distinct_rows(frame, [labels, *members], weights, MAX_DISTINCT_ROWS)
    if distinct is not None:
        return [_ensemble_columns(distinct, labels, members)]
    return [
        _ensemble_columns(count_distinct_rows(frame, [labels, name], weights), labels, [name])
        for name in members
    ]


def collapse_frame(frame: Any, clusterings: Sequence[str] | None = None) -> tuple[Collapsed, Any]:
    """Return the distinct rows of label columns with their counts.

    The second value is the eager frame that holds them, in the same order.
    """
    members = _column_list(column_names(frame) if clusterings is None else clusterings)
    distinct = count_distinct_rows(frame, members, most=MAX_DISTINCT_ROWS)
    if distinct is None:
        raise InputError(
            f"the clusterings have more than {MAX_DISTINCT_ROWS} distinct rows of labels, too many "
            "to combine here; leave some clusterings out, or take a sample."
        )
    named = distinct.frame.select(*(f"c{i}" for i in range(len(members))))
    named = named.rename({f"c{i}": name for i, name in enumerate(members)})
    ensemble = read_ensemble(named.to_native())
    # Engines return groups in any order; the result must not depend on it.
    order = np.lexsort(ensemble.codes[::-1])
    few = ensemble._replace(codes=np.ascontiguousarray(ensemble.codes[:, order]))
    return Collapsed(few, distinct.rows[order], np.arange(few.n)), named[order.tolist()]


def count_distinct_rows(
    frame: Any, names: Sequence[str], weights: str | None = None, most: int | None = None
) -> Any:
    """Return the distinct rows of these columns; None if there are more than ``most``."""
    selected = select_columns(frame, names, weights)
    keys = [f"c{i}" for i in range(len(names))]

    def rows(some: SelectedColumns) -> Any:
        import narwhals.stable.v2 as nw

        if some.weighting is None:
            return some.frame
        weight = nw.col(WEIGHT)
        present = nw.when(~weight.is_null()).then(1).otherwise(0)
        sums = [weight.alias("s"), present.alias("k"), weight.alias("m")]
        if not some.weighting.whole:
            sums.append(nw.when(weight % 1 != 0).then(1).otherwise(0).alias(FRACTIONS))
        return some.frame.select(*keys, *sums)

    how = {} if selected.weighting is None else {"s": "sum", "k": "sum", "m": "min"}
    if selected.weighting is not None and not selected.weighting.whole:
        how[FRACTIONS] = "sum"
    found = scan(frame, selected, rows, keys, how, most)
    return None if found is None else as_distinct_rows(selected, found)


def totals(selected: SelectedColumns) -> list[Any]:
    """Return the aggregates of each group: the number of rows, and sums of the weights."""
    import narwhals.stable.v2 as nw

    if selected.weighting is None:
        return [nw.len().alias("n")]
    weight = nw.col(WEIGHT)
    sums = weight.sum().alias("s"), weight.count().alias("k"), weight.min().alias("m")
    return [nw.len().alias("n"), *sums]


def as_distinct_rows(selected: SelectedColumns, found: Any) -> DistinctRows:
    """Return collected groups as distinct rows; refuse invalid weights."""
    rows = integers(found.get_column("n"))
    weights = rows if selected.weighting is None else _weights(selected, found, rows)
    return DistinctRows(found, rows, weights)


def column_labels(
    distinct: DistinctRows, index: int, name: str, missing: Missing = "error"
) -> Clustering:
    """Return a column as a clustering."""
    return as_hard_clustering(distinct.column(index), f"column {name!r}", missing=missing)


def refuse_missing_labels(distinct: DistinctRows, names: Sequence[str]) -> None:
    """Refuse rows without a label in the first columns."""
    for index, name in enumerate(names):
        column = distinct.frame.get_column(f"c{index}")
        missing = column.is_null().to_numpy().astype(bool)
        if column.dtype.is_float():
            missing = missing | np.isnan(floats(column))
        refuse_missing_rows(name, int(distinct.rows[missing].sum()), int(distinct.rows.sum()))


def refuse_missing_rows(name: str, missing: int, rows: int) -> None:
    """Refuse a column in which labels are missing."""
    if missing:
        raise InputError(
            f"column {name!r} has no label in {missing} of {rows} rows; drop those rows or give "
            "them a label."
        )


def check_noise_weights(
    distinct: DistinctRows,
    names: Sequence[str],
    weights: str | None,
    noise_label: Any,
    missing: Missing = "error",
) -> None:
    """Refuse fractional weights of noise, which becomes as many singletons as it weighs."""
    if FRACTIONS not in distinct.frame.columns:
        return
    noise = np.zeros(distinct.rows.size, bool)
    for index, name in enumerate(names):
        noise |= noise_mask(column_labels(distinct, index, name, missing), noise_label)
    fractions = int(integers(distinct.frame.get_column(FRACTIONS))[noise].sum())
    if fractions:
        raise InputError(
            f"column {weights!r} has fractions in {fractions} rows of noise, but "
            "noise='singletons' makes w clusters of noise of weight w; use whole numbers, or "
            "noise='cluster' or 'drop'."
        )


def _weights(selected: SelectedColumns, found: Any, rows: Array) -> Array:
    """Return the sums of weights; refuse missing, negative and infinite weights."""
    assert selected.weighting is not None
    name = selected.weighting.name
    missing = int(rows.sum() - integers(found.get_column("k")).sum())
    if missing:
        raise InputError(f"column {name!r} has no weight in {missing} rows; fill it in.")
    least = floats(found.get_column("m"))
    if least.size and least.min() < 0:
        raise InputError(
            f"column {name!r} holds the weight {least.min():g}; weights cannot be negative."
        )
    if selected.weighting.whole:
        return integers(found.get_column("s"))
    sums = floats(found.get_column("s"))
    if not np.isfinite(sums).all():
        raise InputError(f"column {name!r} holds weights that are not finite; fill them in.")
    return sums


def _ensemble_columns(
    distinct: DistinctRows, labels: str, members: Sequence[str]
) -> EnsembleColumns:
    refuse_missing_labels(distinct, [labels])
    named = distinct.frame.select(*(f"c{i + 1}" for i in range(len(members))))
    named = named.rename({f"c{i + 1}": name for i, name in enumerate(members)})
    clustering = column_labels(distinct, 0, labels)
    return EnsembleColumns(clustering, named.to_native(), read_only(distinct.weights))


def _column_list(names: Sequence[str]) -> list[str]:
    if isinstance(names, str) or not names:
        raise InputError("name the columns of the clusterings as a list of strings.")
    return list(names)
