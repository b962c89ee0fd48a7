"""Read strings as numbers: decimal points or commas, thousands, currencies and percent signs.

A column has one decimal mark, which all its values decide together. Where they leave it open, as
"1.234" does, a mark that is followed by three digits in every value separates thousands if the
other values are integers below 1,000, which need no separator; otherwise the point is decimal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clusterwise.inputs.encoding import Array

Mark = Literal[".", ","]

_SPACES = " \u00a0\u2007\u2009\u202f"
_QUOTES = "'’"
_UNIT = r"(?:(?:US|CA|AU|[AC])?\$|[€£¥₹₩₽₺]|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|INR|CNY)"
_SPACE = rf"[{_SPACES}]?"
_SIGN = r"[+\-−]?"
_ONE_SIGN = r"(?![+\-−][^0-9\n]*[+\-−])"
# Leading zeros, or more digits than a float distinguishes, mean a code such as a postcode.
_CODE = r"[+-]?(?:0[0-9]+|[0-9]{19,})"
_CODES = re.compile(f"^{_CODE}$", re.MULTILINE)
_NOT_PLAIN = re.compile(r"[^0-9+\-.eE\n]")
_THOUSANDS = re.compile(r"\D*[1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\1[0-9]{3})*\D*")
_INTEGER = re.compile(r"[^0-9.,]*[0-9]+[^0-9.,]*")
_LARGE = re.compile(r"[0-9]{4}")
# Characters within numbers that are left out.
SEPARATORS = _SPACES + _QUOTES
_KEPT = {**dict.fromkeys(map(ord, SEPARATORS)), ord("−"): "-"}


def _unsigned(mark: str, grouped: str) -> str:
    grouped = f"[1-9][0-9]{{0,2}}(?:{grouped})"
    decimals = f"(?:(?:{grouped}|[0-9]+)(?:[{mark}][0-9]*)?|[{mark}][0-9]+)"
    return f"(?:{decimals}(?:[eE][+-]?[0-9]+)?|inf(?:inity)?)"


def _pattern(mark: str, group: str) -> re.Pattern[str]:
    """Return the pattern of a number with this decimal mark."""
    grouped = f"(?P<group>[{group}{_SPACES}{_QUOTES}])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
    return re.compile(
        rf"(?P<open>\()?{_ONE_SIGN}(?P<sign>{_SIGN}){_SPACE}(?P<before>{_UNIT})?{_SPACE}"
        rf"(?P<digits>{_SIGN}{_unsigned(mark, grouped)}){_SPACE}"
        rf"(?P<after>{_UNIT}|%)?(?(open)\))",
        re.IGNORECASE,
    )


def bare_pattern(mark: Mark) -> str:
    """Return the pattern of such a number, but for brackets, as DuckDB reads it.

    It has neither look-around nor back references.
    """
    group = "," if mark == "." else "."
    grouped = "|".join(f"(?:{one}[0-9]{{3}})+" for one in (f"[{group}]", *_SPACES, *_QUOTES))
    number = _unsigned(mark, grouped)
    return (
        f"(?:{_SIGN}{_SPACE}{_UNIT}?{_SPACE}{number}|{_SPACE}{_UNIT}?{_SPACE}{_SIGN}{number})"
        f"{_SPACE}(?:{_UNIT}|%)?"
    )


def _lines_pattern(mark: Mark) -> re.Pattern[str]:
    """Return the pattern of many such numbers, each on a line, which is faster than one by one."""
    return re.compile(rf"(?:{bare_pattern(mark)}\n)*+", re.IGNORECASE)


_PATTERNS: dict[Mark, re.Pattern[str]] = {".": _pattern(".", ","), ",": _pattern(",", ".")}
_LINES: dict[Mark, re.Pattern[str]] = {".": _lines_pattern("."), ",": _lines_pattern(",")}
UNITS = re.compile(rf"{_UNIT}|%", re.IGNORECASE)


@dataclass(frozen=True)
class NumberStrings:
    """Strings as numbers: NaN for those that are none.

    ``mark`` is the decimal mark, ``open`` says that no value decides it, and ``example`` is a
    value that shows it. ``units`` are the currencies and the percent sign, ``codes`` the number of
    rows with leading zeros or very many digits, which are read as numbers but mean codes.
    """

    values: Array
    mark: Mark = "."
    open: bool = False
    units: tuple[str, ...] = ()
    codes: int = 0
    example: int | None = None

    @property
    def dressed(self) -> bool:
        """Whether some values are not written as Python writes numbers."""
        return self.example is not None


def share_of_numbers(strings: Sequence[str], counts: Array) -> float:
    """Return the proportion of rows whose string is a number, with either decimal mark."""
    found = [any(p.fullmatch(text) for p in _PATTERNS.values()) for text in strings]
    return float(counts[np.array(found, bool)].sum() / counts.sum())


def read_numbers(strings: Sequence[str], counts: Array) -> NumberStrings:
    """Read distinct strings as numbers, given the number of rows of each."""
    joined = "\n".join(strings)
    if not _NOT_PLAIN.search(joined):
        plain = _read_plain(strings, joined, counts)
        if plain is not None:
            return plain
    uniform = _read_uniform(strings, joined, counts)
    if uniform is not None:
        return uniform
    matches = [_PATTERNS["."].fullmatch(text) for text in strings]
    mark: Mark = "."
    undecided = thousands = False
    if "," in joined or "." in joined:
        commas = [_PATTERNS[","].fullmatch(text) for text in strings]
        difference = _rows(commas, counts) - _rows(matches, counts)
        undecided = _is_open(strings, matches, commas)
        thousands = undecided and _separates_thousands(strings)
        if difference > 0 or (thousands and "," not in joined):
            matches, mark = commas, ","
    values = np.array([np.nan if match is None else _number(match, mark) for match in matches])
    units = _units(matches)
    dressed = mark == "," or units or undecided or any(m and m["group"] for m in matches)
    return NumberStrings(
        values,
        mark,
        undecided and not thousands,
        units,
        _count_codes(strings, counts),
        _example(matches, mark) if dressed else None,
    )


def _read_plain(strings: Sequence[str], joined: str, counts: Array) -> NumberStrings | None:
    """Read strings all at once, because a column may have millions; None if one is no number."""
    try:
        values = np.array(list(map(float, strings)), np.float64)
    except ValueError:
        return None
    codes = _count_codes(strings, counts) if _CODES.search(joined) else 0
    if "." not in joined or not _all_open(strings):
        return NumberStrings(values, codes=codes)
    example = next(i for i, text in enumerate(strings) if "." in text)
    if _separates_thousands(strings):
        values = np.array([float(text.replace(".", "")) for text in strings])
        return NumberStrings(values, ",", codes=codes, example=example)
    return NumberStrings(values, ".", True, codes=codes, example=example)


def _read_uniform(strings: Sequence[str], joined: str, counts: Array) -> NumberStrings | None:
    """Read numbers that all have the same decimal mark; None if there are others, or it is open."""
    lines = f"{joined}\n"
    fits: list[Mark] = [mark for mark, pattern in _LINES.items() if pattern.fullmatch(lines)]
    if len(fits) != 1:
        return None
    (mark,) = fits
    units = tuple(dict.fromkeys(UNITS.findall(joined)))
    bare = UNITS.sub("", joined).translate(_KEPT)
    bare = bare.replace(",", "") if mark == "." else bare.replace(".", "").replace(",", ".")
    values = np.array(list(map(float, bare.split("\n"))))
    plain = mark == "." and not units and len(bare) == len(joined)
    some = range(min(len(strings), 100))
    example = None if plain else max(some, key=lambda i: len(strings[i]))
    return NumberStrings(values, mark, False, units, _count_codes(strings, counts), example)


def _all_open(strings: Sequence[str]) -> bool:
    return all("." not in text or _THOUSANDS.fullmatch(text) for text in strings)


def _is_open(
    strings: Sequence[str],
    points: Sequence[re.Match[str] | None],
    commas: Sequence[re.Match[str] | None],
) -> bool:
    """Return whether no value with a mark decides which one is decimal."""
    marked = [i for i, text in enumerate(strings) if "." in text or "," in text]
    numbers = [i for i in marked if points[i] or commas[i]]
    return bool(numbers) and all(
        points[i] and commas[i] and _THOUSANDS.fullmatch(strings[i]) for i in numbers
    )


def _separates_thousands(strings: Sequence[str]) -> bool:
    """Return whether there are numbers without a mark, all of them below 1,000."""
    without = [text for text in strings if _INTEGER.fullmatch(text)]
    return bool(without) and not any(_LARGE.search(text) for text in without)


def _rows(matches: Sequence[re.Match[str] | None], counts: Array) -> int:
    return int(counts[np.array([match is not None for match in matches], bool)].sum())


def _number(match: re.Match[str], mark: Mark) -> float:
    digits = match["digits"].translate(_KEPT)
    digits = digits.replace(",", "") if mark == "." else digits.replace(".", "").replace(",", ".")
    negative = (match["open"] is not None) != (match["sign"] in ("-", "−"))
    return -float(digits) if negative else float(digits)


def _units(matches: Sequence[re.Match[str] | None]) -> tuple[str, ...]:
    found = {match["before"] or match["after"]: None for match in matches if match}
    return tuple(unit for unit in found if unit)


def _example(matches: Sequence[re.Match[str] | None], mark: Mark) -> int | None:
    """Return the index of the value that shows most: the longest of the first with a mark."""
    numbers = [(i, match) for i, match in enumerate(matches) if match]
    shown = [i for i, match in numbers if mark in match["digits"] or match["group"]]
    shown = shown or [i for i, match in numbers if match["before"] or match["after"]]
    return max(shown[:100], key=lambda i: len(matches[i][0])) if shown else None  # type: ignore[index]


def _count_codes(strings: Sequence[str], counts: Array) -> int:
    code = re.compile(_CODE)
    found = np.fromiter((code.fullmatch(text) is not None for text in strings), bool, len(strings))
    return int(counts[found].sum())
