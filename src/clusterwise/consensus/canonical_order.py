"""An order of the rows, clusters and clusterings of an ensemble that ignores names and positions.

Every method breaks ties, and draws, by the numbers of rows, clusters and clusterings. In this order
equal ensembles have equal numbers, however their objects and clusterings are permuted and their
labels named, and so every method returns equal partitions.
"""

from typing import NamedTuple

import numpy as np

from clusterwise.consensus.overlaps import first_clusters
from clusterwise.inputs.encoding import Array, relabel_by_value
from clusterwise.inputs.ensembles import MISSING, Collapsed
from clusterwise.kernels.canonical_order import (
    mix_colours,
    number_by_appearance,
    refine_colours,
)

# Rounds in which colours are refined before any tie is broken; a few are the rule.
_MAX_ROUNDS = 20
# Labels that may be read to break ties one by one; in larger ensembles positions break the rest.
_MAX_LABELS = 1 << 22


class CanonicalOrder(NamedTuple):
    """An ensemble in canonical order, and the way back to the order in which it was given.

    ``collapsed`` and ``weights`` (of the clusterings) are in canonical order. ``rows`` and
    ``members`` are the given positions of its rows and clusterings; ``clusters`` are the canonical
    positions of the clusters, clustering by clustering, as they were given.
    """

    collapsed: Collapsed
    weights: Array
    rows: Array
    members: Array
    clusters: Array

    def restore_members(self, values: Array) -> Array:
        """Return values of the clusterings in the order in which these were given."""
        given = np.empty_like(values)
        given[self.members] = values
        return given


def order_canonically(collapsed: Collapsed, weights: Array) -> CanonicalOrder:
    """Bring the distinct rows of an ensemble, its clusters and its clusterings into order.

    Rows are ordered by their weights, then by colours that are refined until they tell apart what
    the ensemble tells apart; clusterings likewise; and clusters by their first rows. Rows that the
    ensemble does not tell apart, because exchanging them leaves it as it is, are ordered by their
    first objects: all other rows are then ordered consistently with that choice.
    """
    ensemble, sizes, of = collapsed
    colours = _Colours(collapsed, weights)
    colours.refine()
    colours.break_ties()
    rows = _order(sizes, colours.rows)
    members = _order(weights, colours.members)
    first = first_clusters(ensemble)
    codes = np.empty_like(ensemble.codes)
    clusters = np.full(first[-1], MISSING)
    start = 0
    for i, member in enumerate(members.tolist()):
        ranks = clusters[first[member] : first[member + 1]]
        number_by_appearance(ensemble.codes[member], rows, ranks, codes[i])
        ranks += start
        start += ranks.size
    positions = np.empty_like(rows)
    positions[rows] = np.arange(rows.size)
    ordered = ensemble._replace(
        codes=codes,
        sizes=tuple(ensemble.sizes[i] for i in members),
        names=tuple(ensemble.names[i] for i in members),
        values=(),
    )
    back = Collapsed(ordered, sizes[rows], np.append(positions, MISSING)[of])
    return CanonicalOrder(back, weights[members], rows, members, clusters)


class _Colours:
    """The colours of rows, clusters and clusterings: equal only if nothing tells them apart."""

    def __init__(self, collapsed: Collapsed, weights: Array) -> None:
        ensemble = collapsed.ensemble
        self._codes, self._first = ensemble.codes, first_clusters(ensemble)
        # Only the ratios of weights matter, as if every object or clustering were repeated.
        self.rows = (collapsed.weights // np.gcd.reduce(collapsed.weights)).astype(np.uint64)
        self.members = relabel_by_value(weights).astype(np.uint64)
        self.clusters = np.zeros(self._first[-1], np.uint64)
        self.n_rows = 0  # rows of different colours
        for colours in (self.rows, self.members):
            mix_colours(colours, np.zeros_like(colours))

    def refine(self) -> int:
        """Refine all colours until they tell nothing more apart; return the number of rounds."""
        before = 0
        for n_rounds in range(1, _MAX_ROUNDS + 1):
            self._refine_once()
            self.n_rows = _distinct(self.rows)
            if self.n_rows == self.rows.size:
                self._refine_once()  # all rows are told apart, but not yet all clusterings by them
                return n_rounds + 1
            told_apart = self.n_rows + _distinct(self.clusters) + _distinct(self.members)
            if told_apart == before:
                break
            before = told_apart
        return n_rounds

    def break_ties(self) -> None:
        """Give one of several rows of equal colour another one, and refine, until none is left."""
        left = _MAX_LABELS // self._codes.size
        while left > 0 and self.n_rows < self.rows.size:
            before = self.n_rows
            ordered = np.sort(self.rows)
            tied = np.flatnonzero(self.rows == ordered[1:][ordered[1:] == ordered[:-1]][0])
            self._change(tied[:1])
            left -= self.refine()
            if tied.size > 2 and self.n_rows == before + 1:
                # It told apart nothing but itself, so the others do not depend on each other.
                self._change(tied[1:])
                left -= self.refine()

    def _change(self, rows: Array) -> None:
        """Give these rows colours of their own."""
        colours = self.rows[rows]
        mix_colours(colours, np.arange(1, rows.size + 1, dtype=np.uint64))
        self.rows[rows] = colours

    def _refine_once(self) -> None:
        refine_colours(self._codes, self._first, self.rows, self.clusters, self.members)


def _distinct(colours: Array) -> int:
    """Return the number of distinct colours; of hashes, sorting them counts fastest."""
    ordered = np.sort(colours)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + 1


def _order(weights: Array, colours: Array) -> Array:
    """Return the positions by decreasing weights, then by colours, then as they are."""
    order = np.argsort(colours, kind="stable")
    return order[np.argsort(-weights[order], kind="stable")]
