"""Say in one sentence what a column was taken as, where that is not evident."""

from collections.abc import Callable

from clusterwise._utils.tables import format_list, shorten
from clusterwise._utils.visible import visible
from clusterwise.inputs.columns.column_types import TypedColumn
from clusterwise.inputs.columns.date_strings import DateStrings
from clusterwise.inputs.columns.number_strings import NumberStrings

# Says how to declare the type of a column: "Use --as age=categorical".
Hint = Callable[[str, str], str]
_LONGEST = 24
_FITTING = {"numeric": "numbers", "date": "dates"}


def python_hint(name: str, declared: str) -> str:
    """Say how to declare the type of a column in Python."""
    return f"Use types={{{name!r}: {declared!r}}}"


def column_note(column: TypedColumn, hint: Hint = python_hint) -> str:
    """Return what a column was taken as, and why; empty if that is evident."""
    if column.type in _FITTING:
        parts = [_how_read(column), _misfits(column, hint)]
    else:
        parts = [_left_out(column, hint), _codes(column, hint), _nulls(column, hint)]
    sentences = " ".join(filter(None, parts))
    return visible(f"{column.name}: {sentences}") if sentences else ""


def why_no_feature(column: TypedColumn) -> str | None:
    """Return why a column is not a feature; None if it is one."""
    if column.type == "identifier":
        if column.declared:
            return "taken as an identifier"
        nearly = "" if column.distinct == column.rows - column.missing else "nearly "
        return f"{nearly}every value is different, as in an identifier"
    if column.type == "text":
        if column.declared:
            return "taken as text"
        return "too many different values for categories, as in text"
    reasons = {
        "constant": "all values are the same",
        "empty": "all values are missing",
        "nested": "lists or objects",
    }
    return reasons.get(column.type)


def _how_read(column: TypedColumn) -> str:
    if column.example is None:
        return ""
    text, number = column.example
    quoted = f'"{shorten(text, _LONGEST)}"'
    if isinstance(column.detail, DateStrings):
        first = column.detail.order.partition("/")[0]
        order = (
            f"; no value shows whether the day or the month comes first, so the {first} does"
            if column.detail.open
            else ""
        )
        short = ", years of two digits as 1969 to 2068" if column.detail.short else ""
        days = "the first day of each month" if column.detail.months else "days"
        return f"dates ({column.detail.order}) such as {quoted} are read as {days}{short}{order}."
    assert isinstance(column.detail, NumberStrings)
    read = f"numbers such as {quoted} are read as {number:.10g}"
    if column.detail.open:
        mark = "point" if "." in text else "comma"
        read += f"; no value shows whether the {mark} is decimal or separates thousands"
    currencies = [unit for unit in column.detail.units if unit != "%"]
    if len(currencies) > 1:
        read += f"; amounts in {format_list(currencies)} are not converted"
    elif len(column.detail.units) > 1:
        read += f"; {format_list(column.detail.units)} are left out"
    return f"{read}."


def _misfits(column: TypedColumn, hint: Hint) -> str:
    other = column.nulls + column.misfits
    if not other:
        return ""
    what = _FITTING[column.type]
    are = f"{column.values - other:,} of {column.values:,} values are {what}; the other"
    if other == 1:
        return (
            f"{are} one ({_quoted(column)}) is taken as missing. "
            f"{hint(column.name, 'categorical')} to keep it as a category."
        )
    return (
        f"{are} {other:,} ({_quoted(column)}) are taken as missing. "
        f"{hint(column.name, 'categorical')} to keep them as categories."
    )


def _nulls(column: TypedColumn, hint: Hint) -> str:
    if not column.nulls or column.type not in ("categorical", "boolean"):
        return ""
    is_one = column.nulls == 1
    return (
        f"{column.nulls:,} of {column.values:,} values ({_quoted(column)}) "
        f"{'is' if is_one else 'are'} taken as missing. {hint(column.name, 'categorical')} to keep "
        f"{'it as a category' if is_one else 'them as categories'}."
    )


def _codes(column: TypedColumn, hint: Hint) -> str:
    if not column.codes:
        return ""
    have = "value has" if column.codes == 1 else "values have"
    return (
        f"{column.codes:,} {have} leading zeros or very many digits, as in codes, so the column is "
        f"not numeric. {hint(column.name, 'numeric')} to read numbers."
    )


def _left_out(column: TypedColumn, hint: Hint) -> str:
    reason = why_no_feature(column)
    if reason is None:
        return ""
    if column.declared or column.type not in ("identifier", "text"):
        return f"{reason}."
    return f"{reason}. {hint(column.name, 'categorical')} to use it."


def _quoted(column: TypedColumn) -> str:
    names = [f'"{shorten(text, _LONGEST)}"' for text in column.examples]
    return ", ".join(names) + (", …" if column.more_examples else "")
