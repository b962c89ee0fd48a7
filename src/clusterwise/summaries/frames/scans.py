"""Sums over groups of rows of a lazy frame, in one scan by its engine or its workers."""

from collections.abc import Callable, Sequence
from typing import Any

from clusterwise.inputs.frames import (
    SelectedColumns,
    collect_query,
    partitions,
    reduce_parts,
    select_columns,
)

# Computes the rows to be grouped from the selected columns.
Rows = Callable[[SelectedColumns], Any]


def scan(
    frame: Any,
    selected: SelectedColumns,
    rows: Rows,
    keys: Sequence[str],
    how: dict[str, str],
    most: int | None = None,
) -> Any:
    """Aggregate columns over each group, with the number of rows as ``n``.

    Parameters
    ----------
    frame : frame
        Any lazy frame.
    selected : SelectedColumns
        The columns that are read.
    rows : callable
        Computes a frame with the keys and the columns that are aggregated.
    keys : sequence of str
        The columns to group by; empty for a single group.
    how : dict
        ``"sum"``, ``"min"`` or ``"max"`` for each column.
    most : int, optional
        The largest number of groups that are collected.

    Returns
    -------
    DataFrame of narwhals
        A row for each group; None if there are more than ``most``.
    """
    import narwhals.stable.v2 as nw

    def group(some: SelectedColumns) -> Any:
        return collect_query(_grouped(rows(some), keys, [nw.len().alias("n")], how, most))

    names = selected.names
    weights = None if selected.weighting is None else selected.weighting.name
    parts = partitions(frame, [*names, *filter(None, [weights])])
    if parts is None:
        found = group(selected)
    else:  # Dask computes many columns one by one, so its workers group their own partitions

        def join(several: list[Any]) -> Any:
            whole = nw.concat([nw.from_native(found, eager_only=True) for found in several])
            number = [nw.col("n").sum()]
            return collect_query(_grouped(whole.lazy(), keys, number, how, most)).to_native()

        joined = reduce_parts(
            parts, lambda part: group(select_columns(part, names, weights)).to_native(), join
        )
        found = nw.from_native(joined, eager_only=True)
    return None if most is not None and len(found) > most else found


def _grouped(
    rows: Any, keys: Sequence[str], number: list[Any], how: dict[str, str], most: int | None
) -> Any:
    import narwhals.stable.v2 as nw

    sums = [*number, *(getattr(nw.col(name), one)() for name, one in how.items())]
    found = rows.group_by(*keys).agg(*sums) if keys else rows.select(*sums)
    return found if most is None else found.head(most + 1)
