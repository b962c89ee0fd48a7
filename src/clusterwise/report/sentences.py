"""What results say in words, on pages and on terminals."""

from typing import TYPE_CHECKING

from clusterwise._utils.tables import format_count, format_list, format_number, format_percent

if TYPE_CHECKING:
    from clusterwise.consensus.diagnostics import ClusteringAgreement, ObjectAgreement
    from clusterwise.measures.separating_features import SeparatingFeatures

_NAMED = 3
# What a feature must reach for the clusters to be about it, and to be so in part.
_STRONG, _WEAK = 0.5, 0.1
_ALIKE = (
    (0.9, "is nearly the same as"),
    (0.5, "is much like"),
    (0.1, "has something in common with"),
    (-2.0, "is unrelated to"),
)
_SUPPORTED = (
    (0.9, "The consensus is nearly what the clusterings say"),
    (0.5, "The consensus has much of what the clusterings say"),
    (0.1, "The consensus has little of what the clusterings say"),
    (-2.0, "The consensus has hardly anything of what the clusterings say, so do not rely on it"),
)


def say_about(separating: "SeparatingFeatures") -> str:
    """What a clustering is about: features that do at least half as well as the best one."""
    top = separating[0].score
    if top < _WEAK:
        return "is about no single feature"
    good = [one.feature for one in separating if one.score >= max(_WEAK, top / 2)]
    return f"is {'about' if top >= _STRONG else 'partly about'} {format_list(good, _NAMED)}"


def say_alike(score: float) -> str:
    """How alike two clusterings are, by their adjusted Rand index."""
    return next(words for least, words in _ALIKE if score >= least)


def say_supported(agreement: "ClusteringAgreement") -> str:
    """How much of the clusterings is in their consensus."""
    scores, names = agreement.adjusted_rand, agreement.names
    mean, best, worst = float(scores.mean()), int(scores.argmax()), int(scores.argmin())
    words = next(words for least, words in _SUPPORTED if mean >= least)
    if scores[best] > scores[worst]:
        words += f"; {names[best]} is most like it, {names[worst]} is least"
    return f"{words} (mean ARI {format_number(mean)})."


def say_settled(objects: "ObjectAgreement", known: int) -> str:
    """How many objects are as often together with another cluster."""
    ambiguous = objects.n_ambiguous
    if not ambiguous:
        return "Every object is more often together with its own cluster than with any other."
    are, their = ("is", "its") if ambiguous == 1 else ("are", "their")
    return (
        f"{ambiguous} of {format_count(known, 'object')} ({format_percent(ambiguous / known)}) "
        f"{are} never settled: together with another cluster at least as often as with {their} own."
    )


def grouped(count: float) -> str:
    """A count with its thousands set apart."""
    return f"{int(count):,}" if float(count).is_integer() else format_number(count)


def rounded(value: float) -> str:
    """Two decimals; nothing is not below nothing."""
    return f"{round(value, 2) + 0.0:.2f}"
