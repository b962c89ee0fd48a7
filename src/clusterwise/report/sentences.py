"""Sentences about results, for reports and for the command."""

from typing import TYPE_CHECKING

from clusterwise._utils.tables import format_count, format_list, format_number, format_percent

if TYPE_CHECKING:
    from clusterwise.consensus.diagnostics import ClusteringAgreement, ObjectAgreement
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
_SUPPORT = (
    (0.9, "The clusterings agree closely with the consensus"),
    (0.5, "The clusterings agree moderately with the consensus"),
    (0.1, "The clusterings agree poorly with the consensus"),
    (-2.0, "The clusterings hardly agree with the consensus, so do not rely on it"),
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


def describe_support(agreement: "ClusteringAgreement") -> str:
    """Say how well the clusterings agree with their consensus."""
    scores, names = agreement.adjusted_rand, agreement.names
    mean, best, worst = float(scores.mean()), int(scores.argmax()), int(scores.argmin())
    words = next(words for least, words in _SUPPORT if mean >= least)
    if scores[best] > scores[worst]:
        words += f"; {names[best]} is most similar to it, {names[worst]} least"
    return f"{words} (mean ARI {format_number(mean)})."


def describe_ambiguous(objects: "ObjectAgreement", known: int) -> str:
    """Say how many objects are grouped with another cluster as often as with their own."""
    ambiguous = objects.n_ambiguous
    if not ambiguous:
        return "Every object is grouped with its own cluster more often than with any other."
    are, their = ("is", "its") if ambiguous == 1 else ("are", "their")
    return (
        f"{ambiguous} of {format_count(known, 'object')} ({format_percent(ambiguous / known)}) "
        f"{are} ambiguous: grouped with another cluster at least as often as with {their} own."
    )


def grouped(count: float) -> str:
    """Return a count with commas between thousands."""
    return f"{int(count):,}" if float(count).is_integer() else format_number(count)


def rounded(value: float) -> str:
    """Return a value with two decimals, and never -0.00."""
    return f"{round(value, 2) + 0.0:.2f}"
