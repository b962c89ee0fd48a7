"""Sentences about alternatives, for their summary, the command and the report."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_number,
    format_percent,
    format_score,
    list_sizes,
)
from clusterwise.alternatives.about import About, SingleFeature
from clusterwise.inputs.binning.edge_text import format_edges

# The numbers of features that a sentence names, of features and clusterings in a table, and of
# alternatives that are described.
_FEATURES_NAMED = 3
_FEATURES_SHOWN = 5
_CLUSTERINGS_SHOWN = 6
_ALTERNATIVES_DESCRIBED = 6
# The scores from which features explain a clustering, and partly explain it.
_STRONG, _WEAK = 0.5, 0.1
# The adjusted Rand index, as it is printed, from which the words apply.
_SIMILARITY = (
    (0.9, "nearly the same as"),
    (0.5, "similar to"),
    (0.1, "partly similar to"),
    (-2.0, "unrelated to"),
)
# A cluster with a larger proportion of the objects than this gets a sentence.
_LARGE = 0.8
# Alternatives whose DQ is within this of the largest are about as good; of these, the one with the
# largest evidence comes first.
NEAR_DQ = 0.05
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


# How features were scaled: numeric ones to unit variance, not at all, or to unit variance beside
# one-hot encoded categories.
Scaling = Literal["standard", "none", "mixed"]
_SCALED = {
    "standard": "Features were scaled to unit variance.",
    "none": "Features were not scaled.",
    "mixed": "Numeric features were scaled to unit variance, and categories one-hot encoded.",
}


class GivenFacts(NamedTuple):
    """A given clustering: its name, and what it is about, if the features are known."""

    name: str
    about: About | None = None


class AlternativeFacts(NamedTuple):
    """An alternative: what the sentences are made of.

    ``rand`` are the adjusted Rand indices with the given clusterings; ``evidence`` is None if it
    was not refined, ``requested`` the number of clusters that was asked for, if it is known.
    """

    name: str
    sizes: tuple[int, ...]
    degenerate: bool
    dq: float
    rand: Sequence[float]
    about: About | None = None
    evidence: float | None = None
    requested: int | None = None


def describe_alternatives(
    found: Sequence[AlternativeFacts], given: Sequence[GivenFacts]
) -> list[str]:
    """Describe alternatives, the recommended one first, and the given clusterings."""
    names = format_list([one.name for one in given])
    if not found:
        return [f"No alternative to {names} was found."]
    first = found[0]
    if len(found) > 1:
        why = say_why_first(found)
        start = (
            f"Found {_in_words(len(found))} alternatives to {names}; the first is recommended"
            f"{f', {why}' if why else ''}."
        )
        described = found[:_ALTERNATIVES_DESCRIBED]
        parts = [start, *(s for one in described for s in _describe_named(one, given))]
        if len(described) < len(found):
            parts.append(f"The scores of all {len(found)} are in the table.")
    elif first.degenerate:
        sizes = list_sizes(first.sizes)
        parts = [
            f"Found one alternative, but it is degenerate: nearly all objects are in one cluster "
            f"({sizes})."
        ]
    else:
        parts = [f"Found one alternative with {_clusters(first)}.", *_details(first, given)]
    return [*parts, *(f"{_start(one.name)} {say_about(one.about)}." for one in given if one.about)]


def say_about(about: About) -> str:
    """Name the features that separate the clusters: "is about a, b and c"."""
    return f"is {_about(about)}"


def say_similarity(score: float) -> str:
    """Return the adjusted Rand index of two clusterings in words, and in brackets as a number."""
    if score == 1.0:
        return "identical to"
    printed = round(score, 2)
    return next(words for least, words in _SIMILARITY if printed >= least)


def say_scaling(scaling: Scaling | None) -> list[str]:
    """Return a sentence about the scaling of features; none where units do not matter."""
    return [] if scaling is None else [_SCALED[scaling]]


def say_why_first(found: Sequence[AlternativeFacts]) -> str:
    """Return why the first alternative comes first if another one has a larger DQ, else ""."""
    first = found[0]
    others = [one for one in found if format_number(one.dq) != format_number(first.dq)]
    better = [one for one in others if one.dq > first.dq]
    if not better:
        return ""
    best = max(better, key=lambda one: one.dq)
    own, largest = format_number(first.dq), format_number(best.dq)
    dqs = f"its DQ ({own}) is below that of {best.name} ({largest})"
    if not first.degenerate and all(one.degenerate for one in better):
        are = (
            "that one is degenerate"
            if len(better) == 1
            else "those with a larger DQ are degenerate"
        )
        return f"although {dqs}: {are}"
    near = [one for one in found if one.dq >= best.dq - NEAR_DQ]
    known = [one.evidence for one in near if one.evidence is not None]
    if first in near and first.evidence is not None and first.evidence >= max(known):
        return (
            f"although {dqs}: of those within {NEAR_DQ:g} of the largest DQ, it fits the data best "
            "(largest evidence of the mixture model)"
        )
    return ""


def tabulate_features(clusterings: Sequence[tuple[str, About]]) -> TextTable:
    """Return the features that separate the clusters of each clustering best, side by side."""
    shown = clusterings[:_CLUSTERINGS_SHOWN]
    rows = []
    for rank in range(min(_FEATURES_SHOWN, len(shown[0][1].separating))):
        best = [about.separating[rank] for _, about in shown]
        rows.append([text for one in best for text in (one.feature, f"{one.score:.2f}")])
    header = [text for name, _ in shown for text in (name, "score")]
    title = "Features that separate the clusters best, with scores from 0 (chance) to 1"
    if len(shown) < len(clusterings):
        title += f" (the first {len(shown)} of {len(clusterings)} clusterings)"
    return TextTable(header, rows, title, left=frozenset(range(0, len(header), 2)))


def _describe_named(one: AlternativeFacts, given: Sequence[GivenFacts]) -> Iterator[str]:
    if one.degenerate:
        sizes = list_sizes(one.sizes)
        yield f"{one.name} is degenerate: nearly all objects are in one cluster ({sizes})."
        return
    yield f"{one.name} has {_clusters(one)}."
    yield from _details(one, given)


def _details(one: AlternativeFacts, given: Sequence[GivenFacts]) -> Iterator[str]:
    """Describe an alternative that the sentence before has named."""
    similar = [
        f"{say_similarity(score)} {old.name} (adjusted Rand {format_score(score)})"
        for old, score in zip(given, one.rand, strict=True)
    ]
    if one.about is not None and not one.about.single:
        similar.append(_about(one.about))
    yield f"It is {format_list(similar, len(similar))}."
    if one.about is not None and one.about.single:
        yield from _describe_single(one.about.single, len(one.sizes))
    if _largest(one) > _LARGE:
        yield f"One cluster contains {format_percent(_largest(one))} of the objects."
    if _has_too_few(one):
        yield f"It has fewer clusters than the {one.requested} asked for."


def has_uneven_sizes(one: AlternativeFacts) -> bool:
    """Return whether a sentence says that one cluster is large, or that clusters are missing."""
    return not one.degenerate and (_largest(one) > _LARGE or _has_too_few(one))


def _largest(one: AlternativeFacts) -> float:
    return one.sizes[0] / sum(one.sizes)


def _has_too_few(one: AlternativeFacts) -> bool:
    return one.requested is not None and len(one.sizes) < one.requested


def _describe_single(single: Sequence[SingleFeature], n_clusters: int) -> Iterator[str]:
    if len(single) > 1:
        names = format_list([_quoted(one.feature) for one in single], _FEATURES_NAMED)
        yield f"Each of the features {names} alone gives the same clusters."
        return
    (one,) = single
    count = _in_words(n_clusters)
    if not one.ranges:
        how = f"itself: its {count} clusters are the {count} values"
    else:
        ranges = format_list(_say_ranges(one), _FEATURES_NAMED)
        how = f"cut into {count} intervals: {ranges}"
    yield f"It is the feature {_quoted(one.feature)} {how}."
    yield "If that is not news, leave the feature out."


def _say_ranges(one: SingleFeature) -> list[str]:
    texts = format_edges(np.array(one.ranges).ravel(), date=one.date)
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return [low if low == high else f"{low} to {high}" for low, high in pairs]


def _about(about: About) -> str:
    """Name the features that separate the clusters at least half as well as the best one."""
    top = about.separating[0].score
    if top < _WEAK:
        return "about no single feature"
    good = [one.feature for one in about.separating if one.score >= max(_WEAK, top / 2)]
    return f"{'' if top >= _STRONG else 'partly '}about {format_list(good, _FEATURES_NAMED)}"


def _clusters(one: AlternativeFacts) -> str:
    return f"{format_count(len(one.sizes), 'cluster')} ({list_sizes(one.sizes)})"


def _in_words(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _start(name: str) -> str:
    """Return a name at the start of a sentence."""
    return f"T{name[1:]}" if name.startswith("the ") else name
