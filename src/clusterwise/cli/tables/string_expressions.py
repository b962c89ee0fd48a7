"""SQL expressions that read strings as numbers and dates, by the patterns for strings in memory."""

from clusterwise.cli.tables.engine import quoted
from clusterwise.inputs.columns.date_strings import (
    LONGEST,
    MONTHS,
    PIVOT,
    DateStrings,
    date_patterns,
)
from clusterwise.inputs.columns.number_strings import SEPARATORS, UNITS, Mark, bare_pattern

_EPOCH = "DATE '1970-01-01'"
_DAY = 86400
# ISO dates without time zone, which the engine reads fast.
_PLAIN = "[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6})?)?"
# No column has this name.
_PARTS = "the_parts"


def number_of_string(text: str, mark: Mark) -> str:
    """Return the number that a string stands for, given its decimal mark; NULL if it is none."""
    in_brackets = f"(starts_with({text}, '(') AND ends_with({text}, ')'))"
    bare = f"CASE WHEN {in_brackets} THEN substr({text}, 2, length({text}) - 2) ELSE {text} END"
    is_number = f"regexp_full_match({bare}, {quoted(bare_pattern(mark))}, 'i')"
    left_out = f"{UNITS.pattern}|[{SEPARATORS}]|{'[.]' if mark == ',' else ','}"
    digits = f"regexp_replace({bare}, {quoted(left_out)}, '', 'gi')"
    number = f"TRY_CAST(translate({digits}, '−,', '-.') AS DOUBLE)"
    signed = f"CASE WHEN {in_brackets} THEN -{number} ELSE {number} END"
    return f"CASE WHEN {is_number} THEN {signed} END"


def day_of_string(text: str, detail: DateStrings) -> str:
    """Return the days since 1970-01-01 of a string; NULL if it is no date."""
    found = (
        _day_of_match(text, pattern.pattern, list(pattern.groupindex), detail)
        for pattern in date_patterns(compact=detail.compact)
    )
    plain = f"regexp_full_match({text}, {quoted(_PLAIN)})"
    fast = f"CASE WHEN {plain} THEN epoch(TRY_CAST({text} AS TIMESTAMP)) / {_DAY} END"
    return f"CASE WHEN length({text}) <= {LONGEST} THEN coalesce({fast}, {', '.join(found)}) END"


def _day_of_match(text: str, pattern: str, groups: list[str], detail: DateStrings) -> str:
    """Return the days of a string that matches a pattern; NULL if it does not, or is no date."""
    names = ", ".join(map(quoted, groups))
    part = {name: f"{_PARTS}.{name}" for name in groups}
    year = f"TRY_CAST({part['year']} AS INTEGER)"
    short = f"{year} + CASE WHEN {year} < {PIVOT} THEN 2000 ELSE 1900 END"
    year = f"CASE WHEN length({part['year']}) = 2 THEN {short} ELSE nullif({year}, 0) END"
    if "first" in part:
        order = ("first", "second_") if detail.day_first else ("second_", "first")
        day, month = (part[name] for name in order)
    else:
        day = part.get("day", "'1'")
        month = _month_of(part["name"]) if "name" in part else part["month"]
    numbers = f"{year}, TRY_CAST({day} AS INTEGER), TRY_CAST({month} AS INTEGER)"
    date = f"TRY_CAST(format('{{0:04d}}-{{2:02d}}-{{1:02d}}', {numbers}) AS DATE)"
    days = f"(({date} - {_EPOCH}) + {_seconds(part)} / {_DAY})"
    found = f"{part['year']} <> ''"
    if "again" in part:
        found += f" AND {part['mark']} = {part['again']}"
    days = f"CASE WHEN {found} THEN {days} END"
    # A lambda, so that the parts are extracted only once.
    match = f"regexp_extract({text}, {quoted(f'^(?:{pattern})$')}, [{names}])"
    return f"list_transform([{match}], lambda {_PARTS}: {days})[1]"


def _month_of(name: str) -> str:
    listed = ", ".join(f"{quoted(known)}: {month}" for known, month in MONTHS.items())
    return f"(MAP {{{listed}}})[lower({name})]"


def _seconds(part: dict[str, str]) -> str:
    """Return the seconds since midnight (UTC if there is a zone); NULL if there is no such time."""
    if "hour" not in part:
        return "0.0"
    hour, minute = (f"TRY_CAST({part[name]} AS INTEGER)" for name in ("hour", "minute"))
    half = f"{part['half']} <> ''"
    afternoon = f"CASE WHEN lower({part['half']}[1]) = 'p' THEN 12 ELSE 0 END"
    hour = (
        f"CASE WHEN NOT {half} THEN {hour} WHEN {hour} BETWEEN 1 AND 12 "
        f"THEN {hour} % 12 + {afternoon} END"
    )
    second = f"coalesce(TRY_CAST(replace({part['second']}, ',', '.') AS DOUBLE), 0.0)"
    zone = f"replace({part['zone']}, ':', '')"
    offset = (
        f"CASE WHEN {part['zone']}[1] IN ('+', '-') THEN "
        f"TRY_CAST({zone}[1] || '1' AS INTEGER) * (TRY_CAST({zone}[2:3] AS INTEGER) * 3600 "
        f"+ TRY_CAST({zone}[4:5] AS INTEGER) * 60) ELSE 0 END"
    )
    total = f"(({hour}) * 3600 + {minute} * 60 + {second})"
    valid = f"{minute} <= 59 AND {second} < 61 AND (({hour}) < 24 OR {total} = {_DAY})"
    seconds = f"CASE WHEN {valid} THEN {total} - ({offset}) END"
    return f"CASE WHEN {part['hour']} = '' THEN 0.0 ELSE {seconds} END"
