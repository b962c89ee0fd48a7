"""Bin edges as people write them."""

from collections.abc import Callable
from decimal import Decimal
from math import floor, log10

import numpy as np

from clusterwise.inputs.encoding import Array

# Rounding changes an edge by at most half of this proportion of its narrower bin.
_PRECISION = 0.02
# Digits of an edge without a neighbour, as in a constant feature.
_DIGITS = 4
# A float has no more digits than this.
_MOST_DIGITS = 20
# Powers of ten that are written out; others are in scientific notation.
_WRITTEN_OUT = range(-5, 15)
# Days, minutes, seconds and microseconds: their lengths in days, and the characters of an ISO date.
_MONTH_DAYS = 31.0
_DATE_UNITS = ((1.0, 10), (1 / 1440, 16), (1 / 86400, 19), (1 / 86400e6, 26))


def format_edges(edges: Array, *, date: bool = False) -> list[str]:
    """Format edges with thousands separators, and no more digits than tell them apart.

    Rounding changes no edge by more than one percent of the narrower of its two bins. Days since
    1970-01-01 (``date``) are written as ISO dates: with times where bins are short, as months where
    the shortest bin has several years.

    >>> format_edges(np.array([0.0, 1 / 3, 2 / 3, 1.0]))
    ['0', '0.333', '0.667', '1']
    >>> format_edges(np.array([2020.1, 2020.12, 2020.14]))
    ['2020.1', '2020.12', '2020.14']
    >>> format_edges(np.array([812.4, 12_034.5, 27_213.25, 2_214_532.0]))
    ['800', '12,000', '27,200', '2,210,000']
    >>> format_edges(np.array([19723.0, 19753.5, 19784.0]), date=True)
    ['2024-01-01', '2024-02-01', '2024-03-02']
    """
    if date:
        return _format_dates(edges)
    # Half of the widths, which do not overflow.
    halves = np.concatenate([[np.inf], np.diff(edges / 2), [np.inf]])
    narrower = np.minimum(halves[:-1], halves[1:])
    texts = [_format_edge(*pair) for pair in zip(edges.tolist(), narrower.tolist(), strict=True)]
    # Numbers of four digits, such as years, need no separator.
    if any(len(_whole_part(text)) > 4 for text in texts):
        return [_group(text) for text in texts]
    return texts


def _format_dates(days: Array) -> list[str]:
    """Format days since 1970-01-01, all in the same unit."""
    known = days[np.isfinite(days)]
    widths = np.diff(known)
    narrowest = float(widths[widths > 0].min()) if (widths > 0).any() else 0.0
    allowed = _PRECISION * narrowest  # twice the error of rounding
    if allowed >= _MONTH_DAYS:
        return [_format_date(day, _nearest_month, 7) for day in days.tolist()]
    if known.size and not (known[[0, -1]] % 1).any() and (not narrowest or narrowest >= 1):
        # The values are whole days, so the first day of a bin is the one at or after its edge.
        return [_format_date(day, np.ceil, 10) for day in days.tolist()]
    length, shown = next((one for one in _DATE_UNITS if one[0] <= allowed), _DATE_UNITS[-1])
    return [
        _format_date(day, lambda one: np.rint(one / length) * length, shown)
        for day in days.tolist()
    ]


def _nearest_month(day: float) -> float:
    """Return the first day of a month that is nearest to a day."""
    month = np.datetime64(floor(day), "D").astype("datetime64[M]")
    firsts = [float((month + step).astype("datetime64[D]").astype(np.int64)) for step in (0, 1)]
    return min(firsts, key=lambda first: abs(first - day))


def _format_date(day: float, rounded: Callable[[float], float], shown: int) -> str:
    """Format a day since 1970-01-01 by the first characters of its ISO date and time."""
    if not np.isfinite(day):
        return f"{day:g}"
    moment = np.datetime64(round(rounded(day) * 86_400e6), "us")
    return str(moment)[:shown].replace("T", " ")


def _format_edge(edge: float, half_width: float) -> str:
    """Format an edge of a bin of twice this width."""
    if not np.isfinite(edge):
        return f"{edge:g}"
    magnitude = floor(log10(abs(edge))) if edge else 0
    if 0 < half_width < np.inf:
        last = floor(log10(half_width) + log10(2 * _PRECISION))
    else:
        last = min(0, magnitude - _DIGITS + 1)
    rounded = Decimal(repr(edge)).quantize(Decimal(1).scaleb(max(last, magnitude - _MOST_DIGITS)))
    if not rounded:
        return "0"
    if rounded.adjusted() not in _WRITTEN_OUT:
        digits = max(rounded.adjusted() - last, 0)
        mantissa, _, power = f"{rounded:.{digits}e}".partition("e")
        return f"{_strip(mantissa)}e{power}"
    return _strip(f"{rounded:f}")


def _strip(text: str) -> str:
    """Leave out zeros at the end of a decimal fraction."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _whole_part(text: str) -> str:
    """Return the digits before the point; none in scientific notation."""
    return "" if "e" in text else text.partition(".")[0].lstrip("-")


def _group(text: str) -> str:
    """Write thousands separators."""
    if not _whole_part(text):
        return text
    whole, point, fraction = text.partition(".")
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}{point}{fraction}"
