"""Sums over groups of rows of a lazy frame, in one scan by its engine or by its workers."""

from collections.abc import Callable, Sequence
from typing import Any

from clusterwise.inputs.frames import SelectedColumns, fetch, partitions, select_columns, sum_parts

# Makes the rows that are grouped from the columns that were picked.
Rows = Callable[[SelectedColumns], Any]


def scan(
    frame: Any,
    picked: SelectedColumns,
    rows: Rows,
    keys: Sequence[str],
    how: dict[str, str],
    most: int | None = None,
) -> Any:
    """Columns summed (or the like) over each group, with the number of rows as ``n``.

    Parameters
    ----------
    frame : frame
        Any lazy frame.
    picked : Picked
        Its columns that are read.
    rows : callable
        Makes a frame with the keys and the columns that are summed.
    keys : sequence of str
        What rows are grouped by; nothing for one group of all.
    how : dict
        ``"sum"``, ``"min"`` or ``"max"`` for each column.
    most : int, optional
        Groups that are fetched at most.

    Returns
    -------
    DataFrame of narwhals
        A row for each group; None if there are more than ``most``.
    """
    import narwhals.stable.v2 as nw

    def group(some: SelectedColumns) -> Any:
        return fetch(_grouped(rows(some), keys, [nw.len().alias("n")], how, most))

    names = picked.names
    weights = None if picked.weighting is None else picked.weighting.name
    parts = partitions(frame, [*names, *filter(None, [weights])])
    if parts is None:
        found = group(picked)
    else:  # Dask makes each of many columns by itself, so its workers group their own parts

        def join(several: list[Any]) -> Any:
            whole = nw.concat([nw.from_native(found, eager_only=True) for found in several])
            number = [nw.col("n").sum()]
            return fetch(_grouped(whole.lazy(), keys, number, how, most)).to_native()

        joined = sum_parts(
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
