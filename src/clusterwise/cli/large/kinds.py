"""A consensus of kinds of objects, each of which counts as often as it occurs."""

import numpy as np

from clusterwise.cli.combine import Method
from clusterwise.consensus.base import read_weights
from clusterwise.consensus.choosing import shared
from clusterwise.consensus.combining import Combined, combine
from clusterwise.consensus.diagnostics import (
    ClusteringAgreement,
    ObjectAgreement,
    read_consensus,
)
from clusterwise.consensus.together import Together
from clusterwise.encoding import Array
from clusterwise.ensembles import MISSING, Collapsed, Ensemble
from clusterwise.errors import InputError
from clusterwise.measures.information import normalized_mutual_info_score
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.summaries.contingency import Contingency

# What the library tries, too, if it may choose.
TRIED: tuple[Method, ...] = ("refined-evidence", "phi", "median")
# A share of the weights that may be rounding.
_ROUNDING = 1e-9


class CountedEnsemble(Ensemble):
    """An ensemble of objects that all differ, and how many there are of each."""

    counts: Array

    @classmethod
    def of(cls, ensemble: Ensemble, counts: Array) -> "CountedEnsemble":
        """Objects of an ensemble, so many of each."""
        made = cls(*ensemble)
        made.counts = counts
        return made

    def collapse(self) -> Collapsed:
        """They differ already, but for labels that are read as one, such as null and NaN."""
        few, _, of = Ensemble(*self).collapse()
        weights = np.bincount(of, self.counts, few.n).astype(np.int64)
        return Collapsed(few, weights, of)


def combine_kinds(
    ensemble: CountedEnsemble, method: Method, clusters: int | None, seed: int
) -> Combined:
    """The consensus of all objects, by the rules of the library."""
    if method != "auto":
        found = combine(ensemble, method, clusters, random_state=seed)
        found.agreement = _agreement(found.labels, ensemble)
        return found
    results: list[Combined] = []
    for name in TRIED:
        try:
            count = results[0].n_clusters if results else clusters
            results.append(combine_kinds(ensemble, name, count, seed))
        except InputError:
            if not results:
                raise
    same = read_weights(None, ensemble.m)
    tried = {one.method: shared(one.agreement, same) for one in results}
    best = max(results, key=lambda one: tried[one.method])
    best.tried = tried
    return best


def _agreement(labels: Array, ensemble: CountedEnsemble) -> ClusteringAgreement:
    """How alike each clustering and the consensus are, on all objects."""
    codes = read_consensus(labels, ensemble).codes
    counts = ensemble.counts
    known, scores = np.empty(ensemble.m), np.empty((2, ensemble.m))
    for i, one in enumerate(ensemble.codes):
        both = (one != MISSING) & (codes != MISSING)
        known[i] = counts[both].sum() / counts.sum()
        table = Contingency.from_labels(codes[both], one[both], sample_weight=counts[both])
        scores[:, i] = adjusted_rand_score(table), normalized_mutual_info_score(table)
    return ClusteringAgreement(ensemble, known, scores)


class KindAgreement(ObjectAgreement):
    """How settled kinds of objects are; ``counts`` says how many there are of each."""

    def __init__(
        self, labels: Array, own: Array, other: Array, nearest: Array, counts: Array
    ) -> None:
        super().__init__(labels, own, other, nearest)
        self.counts = counts

    @property
    def unsettled(self) -> Array:
        """As many as there are objects that are not settled; which ones is not told."""
        count = int(self.counts[self.margin <= 0].sum())
        return np.broadcast_to(np.int64(-1), (count,))  # which takes no memory


def objects_of_kinds(labels: Array, ensemble: CountedEnsemble) -> KindAgreement:
    """How often an object of each kind is together with its own cluster, and with another."""
    codes, everyone, values = read_consensus(labels, ensemble)
    weights = read_weights(None, ensemble.m)
    counted_in = Together.of(ensemble, weights, codes, ensemble.counts)
    rounding = _ROUNDING * weights.sum()
    own, other = np.full(ensemble.n, np.nan), np.full(ensemble.n, np.nan)
    nearest = everyone.copy()
    own_weight = (ensemble.codes != MISSING).T @ weights
    for some, together, known in counted_in.blocks(ensemble.codes):
        here = np.flatnonzero(codes[some] >= 0)
        mine, at = codes[some][here], here + some.start
        # An object is not compared with itself, but with others of its kind.
        together[here, mine] -= own_weight[at]
        known[here, mine] -= own_weight[at]
        share = np.divide(together, known, out=np.full_like(known, np.nan), where=known > rounding)
        own[at] = np.clip(share[here, mine], 0.0, 1.0)
        share[here, mine] = -1.0
        share[np.isnan(share)] = -1.0
        best = share[here].argmax(axis=1)
        found = share[here, best]
        other[at] = np.maximum(found, 0.0)
        nearest[at] = np.where(found >= 0, best, mine)
    alone = np.isnan(own) & ~np.isnan(other)
    own[alone] = 1.0 - other[alone]
    return KindAgreement(values[everyone], own, other, values[nearest], ensemble.counts)
