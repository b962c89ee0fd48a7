"""Write CSV, if wanted without cells that spreadsheets would take for formulas."""

import csv
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

# Formulas also begin with the wide letters of East Asian keyboards; signed numbers are none.
_SIGNED_NUMBER = r"[+\-][0-9]+([.,][0-9]+)?([eE][+\-]?[0-9]+)?"
_FORMULA = re.compile(rf"(?!{_SIGNED_NUMBER}\Z)[=+\-@\t\r\n＝＋－＠]")


def csv_text(
    header: Sequence[Any] | None,
    rows: Iterable[Sequence[Any]],
    delimiter: str = ",",
    *,
    excel_safe: bool = False,
) -> str:
    """Return rows as CSV, with full precision.

    Parameters
    ----------
    header : sequence of str or None
        The names of the columns; None for no header.
    rows : iterable of sequences
        The rows; None is an empty field.
    delimiter : str, default=","
        The character between fields.
    excel_safe : bool, default=False
        Put an apostrophe before strings that a spreadsheet would take for formulas, and quote all
        strings, because some spreadsheets split fields at other characters too.
    """
    lines = _Lines()
    # Fields are quoted if they contain a character of the line terminator.
    writer = csv.writer(
        lines,
        delimiter=delimiter,
        lineterminator="\r\n",
        quoting=csv.QUOTE_NONNUMERIC if excel_safe else csv.QUOTE_MINIMAL,
    )
    for row in chain([] if header is None else [header], rows):
        writer.writerow([safe_cell(cell) for cell in row] if excel_safe else row)
    return "".join(lines)


def safe_cell(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


class _Lines(list[str]):
    """Written lines, which end in a line feed only."""

    def write(self, line: str) -> None:
        """Add a line."""
        self.append(line.removesuffix("\r\n") + "\n")
