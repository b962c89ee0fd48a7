"""Tables of clusters for people: a headline and the corner that fits a screen."""

from typing import TYPE_CHECKING

import numpy as np

from clusterwise._utils.tables import TextTable, format_count

if TYPE_CHECKING:
    from clusterwise.summaries.contingency.contingency import Contingency
    from clusterwise.summaries.overlap.overlap import SoftOverlap

_SHOWN = 12


def table_grid(table: "Contingency | SoftOverlap", title: str) -> TextTable:
    """Headline, names and counts; large tables are cut, with an ellipsis."""
    height, width = table.shape
    rows, columns, counts = table.cells.nonzero
    shown = np.zeros((min(height, _SHOWN), min(width, _SHOWN)), counts.dtype)
    inside = (rows < shown.shape[0]) & (columns < shown.shape[1])
    shown[rows[inside], columns[inside]] = counts[inside]
    more = ["…"] if width > _SHOWN else []
    header = ["", *(str(name) for name in table.column_names[:_SHOWN]), *more]
    lines = [
        [
            str(name),
            *(f"{count:g}" if counts.dtype.kind == "f" else str(count) for count in row),
            *more,
        ]
        for name, row in zip(table.row_names[:_SHOWN], shown, strict=True)
    ]
    if height > _SHOWN:
        lines.append(["…"] * len(header))
    return TextTable(header, lines, f"{title}: {_size(table)}")


def _size(table: "Contingency | SoftOverlap") -> str:
    what = format_count(table.n, "object") if isinstance(table.n, int) else f"weight {table.n:g}"
    kept = ", only cells that are not empty" if table.cells.is_sparse else ""
    return f"{what}, {table.shape[0]} x {table.shape[1]} clusters{kept}"
