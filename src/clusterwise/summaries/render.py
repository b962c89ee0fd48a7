"""Contingency tables for people: text in the terminal, HTML in notebooks."""

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusterwise.summaries.contingency import Contingency

_SHOWN = 12


def headline(table: "Contingency") -> str:
    """Objects and clusters in one line."""
    what = f"{table.n} objects" if isinstance(table.n, int) else f"weight {table.n:g}"
    kept = ", only cells that are not empty" if table.is_sparse else ""
    return f"Contingency: {what}, {table.shape[0]} x {table.shape[1]} clusters{kept}"


def table_text(table: "Contingency") -> str:
    """The headline and the first rows and columns, aligned."""
    rows = _corner(table)
    if not rows:
        return headline(table)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    return "\n".join([headline(table), *lines])


def table_html(table: "Contingency") -> str:
    """The same as an HTML table, everything escaped."""
    header, *rows = _corner(table) or [[""]]
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<p>{escape(headline(table))}</p><table><tr>{head}</tr>{body}</table>"


def _corner(table: "Contingency") -> list[list[str]]:
    """Header and rows as text, cut to what fits a screen."""
    height, width = table.shape
    if not height:
        return []
    rows, columns, counts = table.nonzero
    shown = np.zeros((min(height, _SHOWN), min(width, _SHOWN)), counts.dtype)
    inside = (rows < shown.shape[0]) & (columns < shown.shape[1])
    shown[rows[inside], columns[inside]] = counts[inside]
    more = ["…"] if width > _SHOWN else []
    header = ["", *(str(name) for name in table.column_names[:_SHOWN]), *more]
    lines = [
        [str(name), *(f"{count:g}" if shown.dtype.kind == "f" else str(count) for count in row), *more]
        for name, row in zip(table.row_names[:_SHOWN], shown, strict=False)
    ]
    if height > _SHOWN:
        lines.append(["…"] * len(header))
    return [header, *lines]
