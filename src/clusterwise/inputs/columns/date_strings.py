"""Read strings as dates: ISO, day.month.year, month/day/year and month names, with or without time.

The order of day and month is decided over the whole column: a number above 12 is a day. Where no
value decides it, the month comes first if slashes separate them, and the day otherwise. Months,
such as 2024-07, 07/2024 and July 2024, are read as their first days.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clusterwise.inputs.encoding import Array

# The patterns have neither back references nor look-around, because DuckDB reads dates by them too.
_SPACE = "[ \t\u00a0\u2009\u202f]"
_TIME = (
    rf"(?:(?:T|,?{_SPACE}+)(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})"
    r"(?::(?P<second>[0-9]{2}(?:[.,][0-9]+)?))?"
    rf"{_SPACE}?(?P<half>[AaPp]\.?[Mm]\.?)?{_SPACE}?(?P<zone>Z|[+-][0-9]{{2}}:?[0-9]{{2}}|UTC)?)?"
)
_YEAR = "(?P<year>[0-9]{4})"
_NAME = r"(?P<name>[A-Za-zäÄ]{3,9})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(
    rf"{_YEAR}(?P<mark>[-/.])(?P<month>[0-9]{{1,2}})(?P<again>[-/.])(?P<day>[0-9]{{1,2}}){_TIME}"
)
_ISO_MONTH = re.compile(f"{_YEAR}(?P<mark>[-/])(?P<month>[0-9]{{1,2}})")
_COMPACT = re.compile(f"{_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}}){_TIME}")
_NUMERIC = re.compile(
    r"(?P<first>[0-9]{1,2})(?P<mark>[./-])(?P<second_>[0-9]{1,2})(?P<again>[./-])"
    rf"(?P<year>[0-9]{{4}}|[0-9]{{2}}){_TIME}"
)
_DAY_FIRST = re.compile(rf"{_DAY}\.?[ -]{_NAME},?[ -]{_YEAR}{_TIME}")
_NAME_FIRST = re.compile(rf"{_NAME} {_DAY},? {_YEAR}{_TIME}")
_NAMED_MONTH = re.compile(f"{_NAME}[ -]{_YEAR}")
# Of months before years, only usual years; 7/1 is no month, and 7.2024 is a number.
_USUAL_YEAR = "(?P<year>(?:19|20)[0-9]{2})"
_MONTH_FIRST = re.compile(f"(?P<month>0?[1-9]|1[0-2])[/-]{_USUAL_YEAR}")
_POINT_MONTH = re.compile(rf"(?P<month>0[1-9]|1[0-2])\.{_USUAL_YEAR}")
# The order of the parts by pattern; that of _NUMERIC is decided by the column.
_ORDERS = {
    _ISO: "year-month-day",
    _ISO_MONTH: "year-month",
    _COMPACT: "year-month-day",
    _DAY_FIRST: "day month year",
    _NAME_FIRST: "month day, year",
    _NAMED_MONTH: "month year",
    _MONTH_FIRST: "month/year",
    _POINT_MONTH: "month.year",
}
MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "jan january januar", "feb february februar", "mar march mär märz mrz", "apr april",
            "may mai", "jun june juni", "jul july juli", "aug august", "sep sept september",
            "oct october okt oktober", "nov november", "dec december dez dezember",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
# All lines at once, and only what NumPy reads in the same way.
_PLAIN = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?\n)*+"
)
# The longest string that is a date.
LONGEST = 48
# Two digits of a year mean 1969 to 2068, as in POSIX.
PIVOT = 69
_SECONDS = 86400


@dataclass(frozen=True)
class DateStrings:
    """Strings as days since 1970-01-01 (UTC if they have a time zone); NaN for those that are none.

    ``order`` is the order of the parts as in "day.month.year", ``open`` says that no value decides
    it, ``short`` that some years have two digits. ``day_first`` is the order of day and month if
    both are numbers; ``compact`` says that 20240301 is a date.
    """

    values: Array
    order: str
    open: bool = False
    short: bool = False
    day_first: bool = True
    compact: bool = False

    @property
    def months(self) -> bool:
        """Whether most strings are months."""
        return "day" not in self.order


def share_of_dates(strings: Sequence[str], counts: Array) -> float:
    """Return the proportion of rows whose string looks like a date."""
    found = np.array([_match(text) is not None for text in strings], bool)
    return float(counts[found].sum() / counts.sum())


def share_of_point_months(strings: Sequence[str], counts: Array) -> float:
    """Return the proportion of rows such as 07.2024; 0 if no month has a zero, as in a number."""
    if not any(text.startswith("0") for text in strings):
        return 0.0
    found = np.array([_POINT_MONTH.fullmatch(text) is not None for text in strings], bool)
    return float(counts[found].sum() / counts.sum())


def read_dates(strings: Sequence[str], counts: Array, *, compact: bool = False) -> DateStrings:
    """Read distinct strings as dates, given the number of rows of each.

    ``compact`` says whether 20240301 is a date too, rather than a number.
    """
    plain = _read_plain(strings)
    if plain is not None:
        return DateStrings(plain, "year-month-day", compact=compact)
    matches = [_match(text, compact=compact) for text in strings]
    day_first, is_open = _day_first(matches, counts)
    parts = np.full((6, len(strings)), np.nan)  # year, month, day, seconds of the day, zone, short
    kinds: dict[str, int] = {}
    for i, match in enumerate(matches):
        if match is not None:
            kind = _fill(parts[:, i], match, day_first)
            kinds[kind] = kinds.get(kind, 0) + int(counts[i])
    values = _days(parts)
    order = max(kinds, key=lambda kind: kinds[kind]) if kinds else "year-month-day"
    return DateStrings(values, order, is_open, bool(np.nansum(parts[5])), day_first, compact)


def date_patterns(*, compact: bool) -> list[re.Pattern[str]]:
    """Return the patterns of dates; a string matches one of them at most."""
    patterns = [_ISO, _NUMERIC, _DAY_FIRST, _NAME_FIRST, _ISO_MONTH, _NAMED_MONTH]
    patterns += [_MONTH_FIRST, _POINT_MONTH]
    return [*patterns, _COMPACT] if compact else patterns


def _read_plain(strings: Sequence[str]) -> Array | None:
    """Read ISO dates without time zone all at once; None if there are others."""
    if not _PLAIN.fullmatch("\n".join([*strings, ""])):
        return None
    try:
        moments = np.array(strings, "datetime64[us]")
    except ValueError:  # no such day
        return None
    return moments.astype(np.int64) / (_SECONDS * 1e6)


def _match(text: str, *, compact: bool = False) -> re.Match[str] | None:
    if len(text) > LONGEST or not text[:1].isalnum():
        return None
    for pattern in date_patterns(compact=compact):
        match = pattern.fullmatch(text)
        if match and _is_date(match.groupdict()):
            return match
    return None


def _is_date(found: dict[str, str]) -> bool:
    """Return whether a date has the same mark twice, and a name that is one of a month."""
    name = found.get("name")
    return found.get("again") in (None, found.get("mark")) and (
        name is None or name.lower() in MONTHS
    )


def _day_first(matches: Sequence[re.Match[str] | None], counts: Array) -> tuple[bool, bool]:
    """Return whether the day comes before the month, and whether no value decides it."""
    days = months = dots = rows = 0
    for match, count in zip(matches, counts.tolist(), strict=True):
        if match is not None and match.re is _NUMERIC:
            days += count * (int(match["first"]) > 12)
            months += count * (int(match["second_"]) > 12)
            dots += count * (match["mark"] != "/")
            rows += count
    if days == months:
        return dots * 2 >= rows, rows > 0 and dots * 2 < rows
    return days > months, False


def _fill(parts: Array, match: re.Match[str], day_first: bool) -> str:
    """Write the parts of a date; return the order in which it has them."""
    found = match.groupdict()
    year = int(found["year"])
    parts[5] = len(found["year"]) == 2
    if parts[5]:
        year += 2000 if year < PIVOT else 1900
    if match.re is _NUMERIC:
        day, month = int(found["first"]), int(found["second_"])
        day, month = (day, month) if day_first else (month, day)
        names = ("day", "month", "year") if day_first else ("month", "day", "year")
        kind = found["mark"].join(names)
    else:
        month = MONTHS[found["name"].lower()] if "name" in found else int(found["month"])
        day = int(found.get("day", 1))
        kind = _ORDERS[match.re]
    parts[:3] = year, month, day
    parts[3], parts[4] = _seconds(found)
    return kind


def _seconds(found: dict[str, str]) -> tuple[float, float]:
    """Return the time of the day, and the offset of its zone, in seconds; NaN if invalid."""
    if not found.get("hour"):
        return 0.0, 0.0
    hour, minute = int(found["hour"]), int(found["minute"])
    second = float((found["second"] or "0").replace(",", "."))
    half = (found["half"] or "")[:1].lower()
    if half:
        if not 1 <= hour <= 12:
            return np.nan, 0.0
        hour = hour % 12 + 12 * (half == "p")
    if hour > 24 or minute > 59 or second >= 61 or (hour == 24 and (minute or second)):
        return np.nan, 0.0
    zone = (found["zone"] or "Z").replace(":", "")
    offset = 0.0
    if zone[0] in "+-":
        offset = float(zone[0] + "1") * (int(zone[1:3]) * 3600 + int(zone[3:5]) * 60)
    return hour * 3600 + minute * 60 + second, offset


def _days(parts: Array) -> Array:
    """Return days since 1970-01-01; NaN where there is no such day."""
    year, month, day, seconds, zone, _ = parts
    valid = (
        (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31) & ~np.isnan(seconds)
    )
    months = np.where(valid, (year - 1970) * 12 + month - 1, 0).astype(np.int64)
    firsts = months.astype("datetime64[M]").astype("datetime64[D]")
    nexts = (months + 1).astype("datetime64[M]").astype("datetime64[D]")
    valid &= day <= (nexts - firsts).astype(np.int64)
    return np.where(valid, firsts.astype(np.int64) + day - 1 + (seconds - zone) / _SECONDS, np.nan)
