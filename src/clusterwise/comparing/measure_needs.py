"""What users need of a measure, in words, and which measure meets each need."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array


class Need(NamedTuple):
    """A need, other words for it, the measure that meets it, and why."""

    name: str
    words: tuple[str, ...]
    measure: str
    why: str


# By Romano et al. (2016), pair counts suit large clusters of similar sizes, and information small
# clusters beside large ones.
NEEDS = (
    Need(
        "unbalanced", ("imbalanced", "uneven sizes", "small clusters"),
        "adjusted_mutual_info_score",
        "small clusters count for more than in measures of pairs of objects",
    ),
    Need(
        "balanced", ("equal sizes", "large clusters"),
        "adjusted_rand_score",
        "with clusters of similar size, pairs of objects give each of them a similar weight",
    ),
    Need(
        "different numbers of clusters", ("nested", "refinement", "resolutions"),
        "wallace_score",
        "one of its two directions is 1 if one clustering refines the other",
    ),
    Need(
        "many clusters", ("few objects per cluster",),
        "adjusted_mutual_info_score",
        "it is adjusted for chance, which grows with the number of clusters",
    ),
    Need(
        "reference", ("ground truth", "truth", "classes", "precision", "recall"),
        "wallace_score",
        "it is the recall of pairs with the reference first, and their precision with it second",
    ),
    Need(
        "objects", ("interpretable", "accuracy", "proportion of objects"),
        "cluster_accuracy_score",
        "it is the proportion of objects in matching clusters",
    ),
    Need(
        "distance", ("metric", "triangle inequality", "map"),
        "variation_of_information",
        "it is a metric, so clusterings can be drawn as points on a map",
    ),
    Need(
        "soft", ("memberships", "probabilities", "fuzzy"),
        "mallows_distance",
        "it compares memberships, and is a metric",
    ),
    Need(
        "different objects", ("no common objects",),
        "adco_score",
        "it compares where clusters are dense, not which objects they have",
    ),
)  # fmt: skip

# A smallest cluster of less than a fifth of the mean size is small.
_SMALL = 0.2
# Numbers of clusters are different from this ratio on.
_DIFFERENT = 1.5
# Clusters of fewer objects on average are many.
_MANY = 10


def parse_needs(text: str | Sequence[str]) -> list[Need]:
    """Return the needs in a text that commas separate, or in several."""
    parts = re.split(r"[,;]| and ", text) if isinstance(text, str) else text
    found = dict.fromkeys(_find_need(part) for part in parts if part.strip())
    return list(found)


def _find_need(text: str) -> Need:
    named = {word: need for need in NEEDS for word in (need.name, *need.words)}
    words = " ".join(text.lower().split())
    if words in named:
        return named[words]
    close = get_close_matches(words, named, n=1, cutoff=0.6)
    known = ", ".join(repr(need.name) for need in NEEDS)
    hint = f"did you mean {close[0]!r}?" if close else f"use some of {known}."
    raise InputError(f"unknown need {text.strip()!r}; {hint}")


def is_unbalanced(sizes: Array) -> bool:
    """Return whether the smallest cluster is small."""
    return bool(sizes.min() < _SMALL * sizes.mean())


def find_needs(sizes: Sequence[Array]) -> list[Need]:
    """Return the needs that the cluster sizes of two clusterings have."""
    names = ["unbalanced" if any(map(is_unbalanced, sizes)) else "balanced"]
    counts = [one.size for one in sizes]
    if max(counts) >= _DIFFERENT * min(counts):
        names.append("different numbers of clusters")
    if any(one.mean() < _MANY for one in sizes):
        names.append("many clusters")
    return [need for need in NEEDS if need.name in names]
