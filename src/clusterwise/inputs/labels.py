"""Read the clustering of objects with features: labels or memberships, weights, noise."""

from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import (
    LabelOptions,
    SoftClustering,
    align_clusterings,
    as_clustering,
)
from clusterwise.inputs.encoding import Array, Codes, read_only
from clusterwise.inputs.memberships import Memberships


@dataclass(frozen=True)
class Labels:
    """A clustering of ``n`` objects.

    ``kept`` are the objects that are left if noise or missing labels were dropped; codes and
    weights are theirs. ``memberships`` replaces the codes if the clustering is soft.
    """

    n: int
    codes: Codes
    weights: Array | None = None
    kept: Array | None = None
    memberships: Memberships | None = field(default=None, repr=False)


def read_labels(labels: Any, **label_options: Unpack[LabelOptions]) -> Labels:
    """Read one clustering, hard or soft, with the label options of every comparison."""
    if isinstance(labels, Labels):
        return labels
    missing = label_options.get("missing", "error")
    clustering = as_clustering(labels, "labels", missing=missing)
    pair = align_clusterings(clustering, clustering, **label_options)
    if isinstance(pair.a, SoftClustering):
        memberships = pair.a.memberships.check()
        no_codes = Codes(read_only(np.zeros(len(pair.a), np.uint8)), 0, 1)
        return Labels(len(clustering), no_codes, pair.weights, pair.kept, memberships)
    return Labels(len(clustering), pair.a.codes, pair.weights, pair.kept)


def read_label_pair(a: Any, b: Any, **label_options: Unpack[LabelOptions]) -> tuple[Labels, Labels]:
    """Read two clusterings of the same objects; objects dropped from one are dropped from both."""
    first, second = read_labels(a, **label_options), read_labels(b, **label_options)
    if first.n != second.n:
        raise InputError(
            f"a and b have inconsistent numbers of samples: [{first.n}, {second.n}]; pass labels "
            "of the same objects."
        )
    if first.kept is None and second.kept is None:
        return first, second
    all_objects = np.arange(first.n)
    kept = [all_objects if one.kept is None else one.kept for one in (first, second)]
    common = np.intersect1d(kept[0], kept[1], assume_unique=True)
    return _restrict(first, kept[0], common), _restrict(second, kept[1], common)


def _restrict(labels: Labels, kept: Array, common: Array) -> Labels:
    positions = np.searchsorted(kept, common)
    codes = replace(labels.codes, values=read_only(labels.codes.values[positions]))
    weights = None if labels.weights is None else read_only(labels.weights[positions])
    memberships = labels.memberships
    if memberships is not None:
        memberships = memberships.take(positions)
    return Labels(labels.n, codes, weights, common, memberships)
