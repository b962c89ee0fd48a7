"""The distributions of objects over values, p(y|x), as the few entries of each object."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.encoding import Array, read_only
from clusterwise.inputs.features import Features

Choice = Literal["auto", "rows", "bins"]
# Weights with the same decimals are equal up to rounding.
_DECIMALS = 12


class Relation(NamedTuple):
    """The values of each object, as the rows of a sparse matrix.

    Entries ``starts[i]`` to ``starts[i + 1]`` belong to object i. Their ``weights`` add up to
    ``mass`` for every object; they are whole numbers, all 1, if ``counted``.
    """

    starts: Array
    values: Array
    weights: Array
    n_values: int
    mass: int
    counted: bool

    @property
    def n(self) -> int:
        """The number of objects."""
        return self.starts.size - 1

    def rows(self) -> Iterator[bytes]:
        """Return the values and weights of each object."""
        weights = np.round(self.weights, _DECIMALS)
        for first, last in pairwise(self.starts.tolist()):
            yield self.values[first:last].tobytes() + weights[first:last].tobytes()

    def pairs_within(self, groups: Array) -> tuple[Array, Array, Array]:
        """Number the pairs of a group and a value.

        Returns the pair of each entry; the start of each group's pairs, with the end of the last
        one; and the value of each pair. Pairs that no object has are left out where there
        are many, so that there are never more than entries, or than twice the values.
        """
        n_groups = int(groups.max()) + 1
        pairs = np.repeat(groups.astype(np.int64) * self.n_values, np.diff(self.starts))
        pairs += self.values
        starts = np.arange(n_groups + 1) * self.n_values
        if n_groups * self.n_values <= max(pairs.size, 2 * self.n_values):
            value_of = np.tile(np.arange(self.n_values), n_groups)
        else:
            present, pairs = np.unique(pairs, return_inverse=True)
            starts, value_of = np.searchsorted(present, starts), present % self.n_values
        return _narrow(pairs, value_of.size), starts, value_of


def reads_rows(X: Any, choice: Choice) -> bool:
    """Return whether X is taken as rows of frequencies."""
    return choice == "rows" or (choice == "auto" and issparse(X))


def make_relation(
    problem: AlternativeProblem, choice: Choice, binning: Method, n_bins: int
) -> Relation:
    """Return the values of objects: frequencies of rows, or bins of every feature.

    Raises
    ------
    InputError
        If the binning is "mdl", or frequencies are negative.
    """
    if reads_rows(problem.X, choice):
        return _of_rows(problem.X if problem.validated is None else problem.validated)
    if binning == "mdl":
        raise InputError(
            "binning='mdl' cuts where the given clustering changes, which hides all others; use "
            "'width', 'frequency' or 'nominal'."
        )
    return _of_bins(problem.features, Binning(binning, n_bins))


def _of_bins(features: Features, binning: Binning) -> Relation:
    """One bin of each feature."""
    binning.fit(features)
    width = len(features.names)
    values = np.empty((features.n, width), np.int64)
    offsets = binning.offsets
    for r, codes in enumerate(binning.bins(features).codes):
        values[:, r] = codes
        values[:, r] += offsets[r]
    starts = np.arange(features.n + 1) * width
    # A view of a single 1.
    weights = np.broadcast_to(np.ones(1, np.int64), values.size)
    values = _narrow(values.reshape(-1), binning.total)
    return Relation(starts, values, weights, binning.total, width, counted=True)


def _of_rows(table: Any) -> Relation:
    """Rows that add up to 1; an empty one has a value of its own."""
    rows = csr_array(table, copy=True)
    rows.sum_duplicates()
    if rows.nnz and rows.data.min() < 0:
        i = int(np.searchsorted(rows.indptr, np.argmax(rows.data < 0), side="right")) - 1
        raise InputError(
            f"Negative values in data: row {i} of X has one, but relation='rows' reads "
            "frequencies; pass numbers of at least 0, or relation='bins'."
        )
    sums = rows.sum(axis=1)
    rows.data /= np.repeat(np.where(sums > 0, sums, 1.0), np.diff(rows.indptr))
    whole = csr_array(hstack([rows, csr_array((sums == 0)[:, None], dtype=np.float64)]))
    whole.eliminate_zeros()
    width = whole.shape[1]
    return Relation(
        whole.indptr.astype(np.int64), _narrow(whole.indices, width), read_only(whole.data), width,
        mass=1, counted=False,
    )  # fmt: skip


def _narrow(numbers: Array, size: int) -> Array:
    """Return numbers in 32 bits if they fit."""
    return read_only(numbers.astype(np.int32 if size < 2**31 else np.int64, copy=False))
