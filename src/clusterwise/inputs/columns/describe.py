"""Describe what each column of a frame is taken as."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.export import to_frame
from clusterwise._utils.results import Described
from clusterwise._utils.tables import TableRepr, TextTable, format_list
from clusterwise._utils.visible import visible
from clusterwise.inputs.columns.column_notes import column_note
from clusterwise.inputs.columns.column_types import ColumnType, TypedColumn
from clusterwise.inputs.columns.declared import DeclaredType
from clusterwise.inputs.columns.typed_columns import type_columns


class ColumnDescription(NamedTuple):
    """A column of a table, and what it is taken as.

    ``values``, ``missing`` and ``misfits`` add up to the rows: those with a value, those without
    (also "n/a" and the like), and those whose value does not fit the type; the latter are taken as
    missing too. ``examples`` are strings that are taken as missing, and ``note`` says what is not
    evident.
    """

    name: str
    type: ColumnType
    values: int
    missing: int
    misfits: int
    examples: tuple[str, ...]
    note: str


class ColumnDescriptions(Described, TableRepr, list[ColumnDescription]):
    """The result of :func:`describe_columns`: a list of columns, which prints as a table."""

    def _sentences(self) -> Sequence[str]:
        by_type: dict[str, list[str]] = {}
        for one in self:
            by_type.setdefault(one.type, []).append(one.name)
        taken = [f"{kind}: {format_list(names)}" for kind, names in by_type.items()]
        return [f"{'; '.join(taken)}.", *(one.note for one in self if one.note)]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the description of each column by its name, ready for JSON."""
        return {one.name: {**one._asdict(), "examples": list(one.examples)} for one in self}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per column.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the first one that is installed.
        """
        fields = {name: [getattr(one, name) for one in self] for name in ColumnDescription._fields}
        fields["examples"] = [", ".join(one.examples) for one in self]
        return to_frame(fields, library)

    def text_table(self) -> TextTable:
        """Return a row per column as text."""
        rows = [
            [
                one.name,
                one.type,
                f"{one.values:,}",
                f"{one.missing:,}",
                f"{one.misfits:,}",
                one.note.removeprefix(visible(f"{one.name}: ")),
            ]
            for one in self
        ]
        header = ["column", "type", "values", "missing", "misfits", "note"]
        return TextTable(header, rows, left=frozenset({0, 1, 5}), spare=5)


@check_arguments
def describe_columns(
    frame: Any,
    *,
    types: Mapping[str, DeclaredType] | None = None,
    null: Iterable[str] = (),
) -> ColumnDescriptions:
    """Describe what each column of a frame is taken as: numeric, categorical, date and so on.

    Typed columns stay what they are. Strings are read as people mean them:

    - Numbers, if at least 90 % of the values are: with a decimal point or comma, thousands
      separators, a currency or a percent sign, as in ``1.005,96 €``. A column has one decimal
      mark, which its values decide together. Leading zeros mean codes, not numbers.
    - Dates, if at least 90 % are: ISO, ``01.03.2024``, ``3/1/2024`` or ``1 Mar 2024``, with or
      without time, and months such as ``2024-03`` or ``03/2024``. A number above 12 shows
      which one is the day, for the whole column. As features they are days since 1970-01-01;
      months are their first day.
    - Booleans: ``yes`` and ``no``, ``true`` and ``false`` and the like.
    - Identifiers, if all values (of 20 or more: 90 %) differ, and row numbers. Integers of which
      90 % differ are identifiers if the name of the column says so, as ``customer_id``.
    - Text: more than 1,000 different values, or more than 20 with fewer than five rows each on
      average.
    - Categories otherwise.

    Missing values are the empty string, ``NA``, ``n/a``, ``null``, ``none``, ``unknown``,
    ``k.A.``, ``-``, ``?`` and the others of ``MISSING_STRINGS``, and those of ``null``.

    Parameters
    ----------
    frame : frame
        A frame of pandas, Polars or PyArrow.
    types : dict of str to str, optional
        What columns are to be taken as: ``"numeric"``, ``"categorical"``, ``"date"``,
        ``"boolean"``, ``"identifier"`` or ``"text"``. In a column declared as categorical, only
        empty strings and those of ``null`` are missing.
    null : iterable of str, default=()
        Further strings that mean missing.

    Returns
    -------
    ColumnDescriptions
        A list with a row per column: its name and type, the number of values, of missing ones and
        of those that did not fit, examples of these, and a note on what is not evident.

    Examples
    --------
    Amounts in euros and dates, read as strings:

    >>> import polars as pl
    >>> from clusterwise import describe_columns
    >>> frame = pl.DataFrame({
    ...     "spent": ["1.005,96 €", "12,50 €", "n/a", "7,00 €"],
    ...     "since": ["01.03.2024", "24.12.2023", "02.01.2024", "05.06.2022"],
    ...     "plan": ["basic", "gold", "gold", "basic"],
    ... })
    >>> found = describe_columns(frame)
    >>> [(one.name, one.type, one.values) for one in found]
    [('spent', 'numeric', 3), ('since', 'date', 4), ('plan', 'categorical', 4)]
    >>> print(found[1].note)
    since: dates (day.month.year) such as "01.03.2024" are read as days.
    """
    columns = type_columns(frame, types or {}, tuple(null))
    return ColumnDescriptions(describe_column(one.typed) for one in columns)


def describe_column(column: TypedColumn) -> ColumnDescription:
    """Return the description of a column."""
    return ColumnDescription(
        column.name,
        column.type,
        column.rows - column.missing,
        column.missing - column.misfits,
        column.misfits,
        column.examples,
        column_note(column),
    )
