"""Bin edges as people write them."""

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


def format_edges(edges: Array) -> list[str]:
    """Format edges with thousands separators, and no more digits than tell them apart.

    Rounding changes no edge by more than one percent of the narrower of its two bins.

    >>> format_edges(np.array([0.0, 1 / 3, 2 / 3, 1.0]))
    ['0', '0.333', '0.667', '1']
    >>> format_edges(np.array([2020.1, 2020.12, 2020.14]))
    ['2020.1', '2020.12', '2020.14']
    >>> format_edges(np.array([812.4, 12_034.5, 27_213.25, 2_214_532.0]))
    ['800', '12,000', '27,200', '2,210,000']
    """
    # Half of the widths, which do not overflow.
    halves = np.concatenate([[np.inf], np.diff(edges / 2), [np.inf]])
    narrower = np.minimum(halves[:-1], halves[1:])
    texts = [_format_edge(*pair) for pair in zip(edges.tolist(), narrower.tolist(), strict=True)]
    # Numbers of four digits, such as years, need no separator.
    if any(len(_whole_part(text)) > 4 for text in texts):
        return [_group(text) for text in texts]
    return texts


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
