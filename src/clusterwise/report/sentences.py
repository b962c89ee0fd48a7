"""Sentences about results, for reports and for the command."""

from typing import TYPE_CHECKING

from clusterwise._utils.tables import format_list, format_number

if TYPE_CHECKING:
    from clusterwise.measures.separating_features import SeparatingFeatures

_NAMED = 3
# The score from which the clusters are about a feature, and partly about it.
_STRONG, _WEAK = 0.5, 0.1
_SIMILARITY = (
    (0.9, "is nearly the same as"),
    (0.5, "is similar to"),
    (0.1, "has something in common with"),
    (-2.0, "is unrelated to"),
)


def describe_features(separating: "SeparatingFeatures") -> str:
    """Name the features that separate the clusters at least half as well as the best one."""
    top = separating[0].score
    if top < _WEAK:
        return "is about no single feature"
    good = [one.feature for one in separating if one.score >= max(_WEAK, top / 2)]
    return f"is {'about' if top >= _STRONG else 'partly about'} {format_list(good, _NAMED)}"


def describe_similarity(score: float) -> str:
    """Describe the similarity of two clusterings by their adjusted Rand index."""
    return next(words for least, words in _SIMILARITY if score >= least)


def grouped(count: float) -> str:
    """Return a count with commas between thousands."""
    return f"{int(count):,}" if float(count).is_integer() else format_number(count)


def rounded(value: float) -> str:
    """Return a value with two decimals, and never -0.00."""
    return f"{round(value, 2) + 0.0:.2f}"
