"""Sentences about alternatives, for their summary, the command and the report."""

from collections.abc import Iterator, Mapping, Sequence
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
# An alternative that was found again in a smaller proportion of the searches is unstable.
STABLE = 0.8
# The number of clusters is clear if the ICL of all others is lower by this: a factor of 150.
_CLEAR_NUMBER = 5.0
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
    is not known, ``requested`` the number of clusters that was asked for, if one was;
    ``found_again`` and ``permutations`` say in how many searches of how many it was found again,
    and than how many permuted data sets of how many it is better. ``crossed`` are the numbers of
    clusters of two clusterings that say the same.
    """

    name: str
    sizes: tuple[int, ...]
    degenerate: bool
    dq: float
    rand: Sequence[float]
    about: About | None = None
    evidence: float | None = None
    requested: int | None = None
    stability: float | None = None
    found_again: tuple[int, int] | None = None
    icl: Mapping[int, float] | None = None
    permutations: tuple[int, int] | None = None
    crossed: tuple[int, int] | None = None


def describe_alternatives(
    found: Sequence[AlternativeFacts],
    given: Sequence[GivenFacts],
    attempts: Sequence[AlternativeFacts] = (),
) -> list[str]:
    """Describe alternatives, the recommended one first, and the given clusterings.

    If there are none, the first of the unconvincing attempts is described.
    """
    names = format_list([one.name for one in given])
    about_given = [f"{_start(one.name)} {say_about(one.about)}." for one in given if one.about]
    if not found and not attempts:
        return [f"No alternative to {names} was found."]
    if not found:
        return [
            f"No convincing alternative to {names}.",
            *_describe_attempt(attempts[0]),
            *about_given,
        ]
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
    return [*parts, *about_given]


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


def say_sample(size: int, n: int) -> list[str]:
    """Return a sentence about the sample that was searched; none if it was all objects."""
    if size == n:
        return []
    return [
        f"Searched in a sample of {size:,} of {n:,} objects: scores are those of the sample, sizes "
        "those of all objects."
    ]


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
    known = [one.evidence for one in found if one.evidence is not None]
    if first.evidence is not None and first.evidence >= max(known):
        return f"although {dqs}: there is more evidence for it"
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
    yield from _say_number(one)
    yield from _say_crossed(one)
    yield from _say_evidence(one)
    yield from _say_stability(one)


def _describe_attempt(one: AlternativeFacts) -> Iterator[str]:
    """Describe the best attempt, if none is convincing."""
    yield f"The best attempt has {_clusters(one)} and a DQ of {format_number(one.dq)}."
    if one.about is not None and one.about.single:
        yield from _describe_single(one.about.single, len(one.sizes))
    yield from _say_evidence(one)
    yield from _say_stability(one)


def _say_number(one: AlternativeFacts) -> Iterator[str]:
    """Say how clear the number of clusters is, if it was chosen."""
    counts, here = one.icl or {}, len(one.sizes)
    others = {count: value for count, value in counts.items() if count != here}
    if here not in counts or not others:
        return
    near = [count for count, value in others.items() if counts[here] - value < _CLEAR_NUMBER]
    if near:
        are = "would be" if len(near) == 1 else "would each be"
        yield (
            f"The number of clusters is not clear: {format_list([str(n) for n in near])} {are} "
            "about as good."
        )
        return
    at_least = " or more" if len(others) > 1 else ""
    yield (
        f"The number of clusters is clear: with {_list_or([str(n) for n in others])} clusters, the "
        f"ICL is lower by {counts[here] - max(others.values()):.0f}{at_least}."
    )


def _list_or(counts: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(counts[:-1]), counts[-1])))


def _say_crossed(one: AlternativeFacts) -> Iterator[str]:
    if one.crossed is not None:
        first, second = map(_in_words, sorted(one.crossed))
        counts = f"{first} clusters each" if first == second else f"{first} and {second} clusters"
        yield (
            f"The clusters lie on a grid: two clusterings with {counts} say the same. Ask for "
            "two alternatives to get them."
        )


def _say_evidence(one: AlternativeFacts) -> Iterator[str]:
    if one.evidence is None:
        return
    if one.evidence > 0:
        yield f"It is more than noise (log evidence {say_log(one.evidence)})."
    else:
        yield (
            "It may be noise: one cluster without further structure explains the data better (log "
            f"evidence {say_log(one.evidence)})."
        )
    if one.permutations is not None:
        better, total = one.permutations
        yield f"There is more evidence than in {better} of {total} permuted data sets."


def _say_stability(one: AlternativeFacts) -> Iterator[str]:
    if one.found_again is None or one.stability is None:
        return
    found, repeats = one.found_again
    again = f"found again in {say_found_again(one.found_again)} searches"
    if found < STABLE * repeats:
        yield f"It is unstable: {again} (mean adjusted Rand {format_score(one.stability)})."
    else:
        yield f"It was {again}."


def say_log(evidence: float | None) -> str:
    """Return a log evidence as it is printed; empty if it is not known."""
    if evidence is None:
        return ""
    return f"{evidence:.0f}" if abs(evidence) >= 1 else f"{evidence:.1f}"


def say_found_again(found_again: tuple[int, int] | None) -> str:
    """Return in how many searches an alternative was found again; empty if there were none."""
    return "" if found_again is None else f"{found_again[0]} of {found_again[1]}"


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
