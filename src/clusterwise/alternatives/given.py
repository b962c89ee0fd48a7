"""Given clusterings: those to which alternatives are sought."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import (
    Missing,
    Noise,
    as_hard_clustering,
    encode,
    noise_mask,
)
from clusterwise.inputs.encoding import (
    MISSING_LABEL,
    Array,
    is_sequence_label,
    refuse_masked,
    refuse_sparse,
)
from clusterwise.inputs.features import used_categories

_WORD_BITS = 64
# The label of objects that were left out of the search.
LEFT_OUT = -1
# What a given clustering without a name, and one that was made first, are called.
GIVEN_NAME, MADE_NAME = "the given clustering", "the clustering made first"


@dataclass(frozen=True)
class Given:
    """Given clusterings of n objects: their codes, m × n, and their numbers of clusters.

    ``names`` are the names of the clusters of each, if they are known.
    """

    codes: Array
    sizes: tuple[int, ...]
    names: tuple[list[Any], ...] | None = None

    def with_labels(self, labels: Array) -> "Given":
        """Return these clusterings and one more."""
        codes = np.vstack([self.codes, labels[None, :]])
        return Given(codes, (*self.sizes, int(labels.max()) + 1))

    def take(self, rows: Any) -> "Given":
        """Return the given clusterings of some of the objects, with the same codes."""
        return Given(self.codes[:, rows], self.sizes)

    def without_empty(self) -> "Given":
        """Return the same clusterings without clusters that have no object."""
        if all(
            np.bincount(c, minlength=k).all() for c, k in zip(self.codes, self.sizes, strict=True)
        ):
            return self
        found = [np.unique(codes, return_inverse=True) for codes in self.codes]
        return Given(np.array([codes for _, codes in found]), tuple(len(v) for v, _ in found))

    @cached_property
    def joint(self) -> Array:
        """A code for each combination of clusters that occurs."""
        if len(self.codes) == 1:
            return np.asarray(self.codes[0])
        _, codes = np.unique(self.codes, axis=1, return_inverse=True)
        return codes

    @cached_property
    def indicators(self) -> sparse.csr_array:
        """Cluster memberships as 0 and 1: n × the clusters of all clusterings, in their order."""
        m, n = self.codes.shape
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        columns = (self.codes + starts[:-1, None]).T.ravel()
        row_ends = np.arange(0, columns.size + 1, m)
        shape = (n, int(starts[-1]))
        return sparse.csr_array((np.ones(columns.size), columns, row_ends), shape=shape)

    def masks(self) -> Array:
        """Return the given clusters of each object as bits, n × words of 64 bits."""
        bits = sum(self.sizes)
        masks = np.zeros((self.codes.shape[1], max(1, -(-bits // _WORD_BITS))), np.uint64)
        begin = 0
        for codes, size in zip(self.codes, self.sizes, strict=True):
            words, positions = np.divmod(begin + codes, _WORD_BITS)
            masks[np.arange(codes.size), words] |= np.uint64(1) << positions.astype(np.uint64)
            begin += size
        return masks


def read_given(y: Any, n: int, parameter: str = "y") -> Given:
    """Read one clustering of n objects, or several as columns (n × m).

    ``parameter`` is the name of the caller's parameter, for error messages.

    Raises
    ------
    InputError
        If the number of labels is not n, or a label is missing.
    """
    codes, names = [], []
    for name, column in _label_columns(y, parameter):
        named = used_categories(encode(column, name))
        _require_length(name, named.codes.size, n)
        codes.append(named.codes.astype(np.int64))
        names.append(named.values)
    if not codes:
        raise InputError(f"{parameter} has no columns; pass at least one clustering, or None.")
    return Given(np.array(codes), tuple(map(len, names)), tuple(names))


class GivenLabels(NamedTuple):
    """Given clusterings, and the indices of the objects that they have; None for all."""

    given: Given
    kept: Array | None = None


def read_given_labels(
    given: Any,
    n: int,
    *,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    missing: Missing = "error",
) -> GivenLabels:
    """Read given clusterings of which some objects may be noise or have no label.

    Parameters
    ----------
    given : array-like of shape (n,) or (n, m)
        One clustering, or several as columns.
    n : int
        The number of objects.
    noise : {"cluster", "drop"}
        Noise is a cluster, or objects that are noise in one of the clusterings are left out.
    noise_label : object
        The label of noise.
    missing : {"error", "drop", "label"}
        Missing labels are an error, the objects are left out, or they are a cluster.

    Raises
    ------
    InputError
        If noise would be singletons, labels are missing, or no object is left.
    """
    refuse_singletons(noise)
    if noise == "cluster" and missing == "error":
        return GivenLabels(read_given(given, n, "given"))
    columns, names, left_out = [], [], np.zeros(n, bool)
    for name, column in _label_columns(given, "given"):
        labels = as_hard_clustering(column, name, missing=missing)
        _require_length(name, len(labels), n)
        named = used_categories(labels.codes)
        codes = named.codes.astype(np.int64)
        if labels.missing is not None:
            codes = np.where(labels.missing, -1, codes)
            if missing == "drop":
                left_out |= labels.missing
        if noise == "drop":
            left_out |= noise_mask(labels, noise_label)
        columns.append(codes)
        names.append([*named.values, MISSING_LABEL])
    kept = np.flatnonzero(~left_out)
    if not kept.size:
        raise InputError("no object is left: all given labels are noise or missing; keep them.")
    # Codes of the clusters that are left, with missing labels as the first cluster.
    found = [np.unique(codes[kept], return_inverse=True) for codes in columns]
    left = tuple([own[k] for k in used] for own, (used, _) in zip(names, found, strict=True))
    read = Given(np.array([codes for _, codes in found]), tuple(map(len, left)), left)
    return GivenLabels(read, None if kept.size == n else kept)


def refuse_singletons(noise: Noise) -> None:
    """Raise an error if noise would be singletons."""
    if noise == "singletons":
        raise InputError(
            "noise='singletons' would make every noise object a given cluster; use 'cluster' or "
            "'drop'."
        )


def _require_length(name: str, size: int, n: int) -> None:
    if size != n:
        raise InputError(f"{name} has {size} labels for {n} objects; pass one per object.")


def _label_columns(y: Any, parameter: str) -> Sequence[tuple[str, Any]]:
    """Return the label columns of ``y``, each with a name for error messages."""
    if isinstance(y, list | tuple) and y and is_sequence_label(y[0]):
        refuse_masked(y, parameter)
        y = np.asarray(y, object)
    if len(getattr(y, "shape", ())) != 2:
        return [(parameter, y)]
    refuse_sparse(y, parameter)
    if isinstance(y, np.ndarray):
        return [(f"column {i} of {parameter}", y[:, i]) for i in range(y.shape[1])]
    if hasattr(y, "columns") and not callable(y.columns):
        names = getattr(y, "column_names", list(y.columns))
        return [(f"column {name!r} of {parameter}", y[name]) for name in names]
    values = np.asarray(y)
    return [(f"column {i} of {parameter}", values[:, i]) for i in range(values.shape[1])]
