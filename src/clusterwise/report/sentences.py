"""Sentences about results, for reports and for the command."""

from collections.abc import Iterable

from clusterwise._utils.tables import format_list, format_number
from clusterwise.alternatives.results import Sizes, list_sizes
from clusterwise.measures.separating_features import SeparatingFeatures

_NAMED = 3
# The scores from which features explain a clustering, and partly explain it.
_STRONG, _WEAK = 0.5, 0.1
_SIMILARITY = (
    (0.9, "is nearly the same as"),
    (0.5, "is similar to"),
    (0.1, "has something in common with"),
    (-2.0, "is unrelated to"),
)


def describe_alternative(
    name: str,
    sizes: Sizes,
    separating: SeparatingFeatures | None,
    given: Iterable[tuple[str, SeparatingFeatures | None, float]],
) -> str:
    """Describe the features of an alternative, and its similarity to each given clustering.

    ``given`` has the name, the separating features and the adjusted Rand index of each.
    """
    if sizes.degenerate:
        shown = list_sizes(sizes.sizes)
        return f"{name} is degenerate: nearly all objects are in one cluster ({shown})."
    parts = []
    for given_name, explaining, score in given:
        similar = next(words for least, words in _SIMILARITY if score >= least)
        which = "" if explaining is None else f", which {_describe_features(explaining)}"
        parts.append(f"it {similar} {given_name}{which}")
    start = f"{name}:" if separating is None else f"{name} {_describe_features(separating)};"
    return f"{start} {', and '.join(parts)}."


def _describe_features(separating: SeparatingFeatures) -> str:
    """Name the features that separate the clusters at least half as well as the best one."""
    top = separating[0].score
    if top < _WEAK:
        return "is about no single feature"
    good = [one.feature for one in separating if one.score >= max(_WEAK, top / 2)]
    return f"is {'' if top >= _STRONG else 'partly '}about {format_list(good, _NAMED)}"


def grouped(count: float) -> str:
    """Return a count with commas between thousands."""
    return f"{int(count):,}" if float(count).is_integer() else format_number(count)


def rounded(value: float) -> str:
    """Return a value with two decimals, and never -0.00."""
    return f"{round(value, 2) + 0.0:.2f}"
