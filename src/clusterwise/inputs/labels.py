"""Read the clustering of objects with features: labels or memberships, weights, noise."""

from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from clusterwise.inputs.clusterings import (
    Clustering,
    IndexMatch,
    LabelOptions,
    Pair,
    SoftClustering,
    align_clusterings,
    as_clustering,
    read_any_pair,
)
from clusterwise.inputs.encoding import Array, Codes, read_only
from clusterwise.inputs.memberships import Memberships


@dataclass(frozen=True)
class Labels:
    """A clustering of ``n`` objects.

    ``kept`` are the objects that are left, see :class:`~clusterwise.inputs.clusterings.Pair`;
    codes and weights are theirs. ``memberships`` replaces the codes if the clustering is soft.
    """

    n: int
    codes: Codes
    weights: Array | None = None
    kept: Array | None = None
    memberships: Memberships | None = field(default=None, repr=False)
    matched: IndexMatch | None = None


def read_labels(labels: Any, **label_options: Unpack[LabelOptions]) -> Labels:
    """Read one clustering, hard or soft, with the label options of every comparison."""
    if isinstance(labels, Labels):
        return labels
    clustering = as_clustering(labels, "labels", missing=label_options.get("missing", "error"))
    pair = align_clusterings(clustering, clustering, **label_options)
    return _as_labels(pair.a, pair)


def read_label_pair(a: Any, b: Any, **label_options: Unpack[LabelOptions]) -> tuple[Labels, Labels]:
    """Read two clusterings of the same objects; objects dropped from one are dropped from both."""
    pair = read_any_pair(a, b, **label_options)
    return _as_labels(pair.a, pair), _as_labels(pair.b, pair)


def _as_labels(
    side: Clustering | SoftClustering, pair: Pair[Clustering | SoftClustering]
) -> Labels:
    if isinstance(side, SoftClustering):
        no_codes = Codes(read_only(np.zeros(len(side), np.uint8)), 0, 1)
        memberships = side.memberships.check()
        return Labels(pair.n, no_codes, pair.weights, pair.kept, memberships, pair.matched)
    return Labels(pair.n, side.codes, pair.weights, pair.kept, matched=pair.matched)
