"""SQL expressions for values of columns, by the rules for values in memory."""

from clusterwise.cli.tables.columns import HowRead
from clusterwise.cli.tables.engine import quoted
from clusterwise.cli.tables.parquet_files import Type
from clusterwise.cli.tables.string_expressions import day_of_string, number_of_string
from clusterwise.inputs.columns.column_types import TypedColumn
from clusterwise.inputs.columns.date_strings import DateStrings
from clusterwise.inputs.columns.missing_strings import MISSING_STRINGS
from clusterwise.inputs.columns.number_strings import NumberStrings

_DAY = 86400
# What Python strips from strings.
_SPACES = "".join(chr(i) for i in range(0x3001) if chr(i).isspace())


def string_of(value: str, kind: Type) -> str:
    """Return a value as a string."""
    if kind in ("text", "string"):
        return value
    return f"json_extract_string({value}, '$')" if kind == "json" else f"CAST({value} AS VARCHAR)"


def number_of(value: str, kind: Type) -> str:
    """Return a value as a number, with a decimal point or comma; NULL if it is none."""
    if kind in ("integer", "float", "decimal"):
        return f"CAST({value} AS DOUBLE)"
    if kind == "date":
        return f"epoch(CAST({value} AS TIMESTAMP)) / {_DAY}"
    if kind in ("text", "string", "json"):
        return f"TRY_CAST(replace({string_of(value, kind)}, ',', '.') AS DOUBLE)"
    return "CAST(NULL AS DOUBLE)"


def parsed_number(value: str, kind: Type, found: TypedColumn) -> str:
    """Return the number or the days that a string stands for, as its column is read."""
    if kind not in ("text", "string", "json"):
        return number_of(value, kind)
    text = f"trim({string_of(value, kind)}, {quoted(_SPACES)})"
    if isinstance(found.detail, DateStrings):
        return day_of_string(text, found.detail)
    if isinstance(found.detail, NumberStrings) and found.detail.dressed:
        return number_of_string(text, found.detail.mark)
    return f"TRY_CAST({text} AS DOUBLE)"


def missing_condition(value: str, kind: Type, reading: HowRead) -> str:
    """Return the condition that a value is missing."""
    declared, null = reading
    if kind == "float":
        return f"({value} IS NULL OR isnan({value}))"
    words = {text.strip().lower() for text in null}
    if kind == "text":
        words |= MISSING_STRINGS if declared != "categorical" else {""}
        return _is_one_of(value, f"lower(trim({value}))", words)
    if kind == "json":
        quoted_words = {f'"{word}"' for word in words}
        return _is_one_of(value, f"lower({value})", {"null", "nan", *quoted_words})
    if kind == "string" and null:
        return _is_one_of(value, f"trim({value})", {text.strip() for text in null})
    return f"({value} IS NULL)"


def key_string(text: str) -> str:
    """Return a key as a string that is equal in all files: 7, 7.0 and "7" are the same key."""
    shorter = f"regexp_replace({text}, '^(-?(0|[1-9][0-9]{{0,17}}))\\.0+$', '\\1')"
    return f"CASE WHEN contains({text}, '.') THEN {shorter} ELSE {text} END"


def _is_one_of(value: str, compared: str, words: set[str]) -> str:
    listed = ", ".join(map(quoted, sorted(words)))
    return f"({value} IS NULL OR {compared} IN ({listed}))"
