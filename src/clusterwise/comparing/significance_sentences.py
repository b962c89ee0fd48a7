"""The sentences on how precisely agreement is known, and whether it is more than chance."""

from math import isfinite

from clusterwise._utils.tables import format_count, format_score
from clusterwise.comparing.corrections import CORRECTIONS, Correction
from clusterwise.comparing.significance import Significance

UNRELATED = "agree no more than chance"
# The level at which agreement is said to be more than chance.
LEVEL = 0.05
# Clusterings are said to be unrelated if the interval ends below weak agreement.
_WEAK = 0.1
_CAUTION = (
    "Clusterings that were made from the same data nearly always agree more than by chance, so "
    "this does not say that their clusters are real; assess tells whether they are stable."
)


def say_significant_agreement(
    names: tuple[str, str], index: str, words: str, found: Significance
) -> list[str]:
    """Say how much two clusterings agree, with the interval, and what the p-value means.

    ``index`` is the measure and its value, ``words`` are those for the value.
    """
    a, b = names
    if isfinite(found.low):
        index += f", 95% interval {say_range(found.low, found.high)}"
    p = say_p_value(found.p_value)
    if found.p_value > LEVEL:
        if found.high < _WEAK:
            return [f"{a} and {b} are unrelated ({index}; {p}). {_say_chance(found.p_value)}"]
        return [
            f"{a} and {b} {words} ({index}; 0 is chance, 1 is identical).",
            f"That may be chance: {_say_chance(found.p_value, within=True)}",
        ]
    if words == UNRELATED:
        words = "have almost nothing in common"
    return [
        f"{a} and {b} {words} ({index}; 0 is chance, 1 is identical).",
        f"That is more than random clusterings with the same cluster sizes ({p}). {_CAUTION}",
    ]


def say_significant_pairs(found: int, tested: int, correction: Correction) -> list[str]:
    """Say how many pairs agree more than by chance."""
    corrected = f"p-values corrected for {format_count(tested, 'comparison')} by "
    corrected += CORRECTIONS[correction]
    level = f"at the {LEVEL:.0%} level"
    if not found:
        return [f"No pair agrees more than random clusterings {level} ({corrected})."]
    agree = "agrees" if found == 1 else "agree"
    return [
        f"{found} of {format_count(tested, 'comparison')} {agree} more than random clusterings "
        f"{level} ({corrected}). {_CAUTION}"
    ]


def say_p_value(p: float) -> str:
    """Return a p-value as papers write it: "p = 0.61", "p < 0.0001"."""
    if p < 0.0001:
        return "p < 0.0001"
    return f"p = {p:.2f}" if p >= 0.1 else f"p = {p:.2g}"


def _say_chance(p: float, *, within: bool = False) -> str:
    start = "random" if within else "Random"
    return (
        f"{start} clusterings with the same cluster sizes agree at least as much with probability "
        f"{p:.2f}."
    )


def say_range(low: float, high: float) -> str:
    """Return the ends of an interval as people write them: 0.85–0.95, -0.10 to 0.20."""
    between = "–" if low >= 0 else " to "
    return f"{format_score(low)}{between}{format_score(high)}"
