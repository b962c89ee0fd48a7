"""Score the consensus of each ensemble against the classes, by method and by number of clusters."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from clusterwise.consensus.automatic import choose_method
from clusterwise.consensus.combine import combine
from clusterwise.consensus.locally_weighted.lwgp import LWGP
from clusterwise.consensus.mutual_agreement import measure_mutual_agreement
from clusterwise.consensus.overlaps import count_overlaps
from clusterwise.consensus.spectrum import spectral_angles
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import read_ensemble
from clusterwise.measures.pairs import adjusted_rand_score

AUTO, LARGEST_NMI, SPECTRAL = "auto", "largest NMI", "spectral"
REFINED, LOCAL = "refined-evidence", "lwea"
MEAN = "mean member"
# The methods that "largest NMI" compares: the default until it was replaced.
_COMPARED = (REFINED, "phi", "median")
METHODS = (AUTO, LARGEST_NMI, REFINED, LOCAL, "lwgp", SPECTRAL, "phi", "median", MEAN)
# Rules that were compared: thresholds of the mean confidence and of the median number of clusters
# divided by that of the consensus, and powers of the number.
THRESHOLDS = (0.0, 0.05, 0.1, 0.15, np.inf)
RATIOS = (0.0, 1.2, 1.5, 2.0, 3.0)
POWERS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
TOLD, LIFETIME = "told", "lifetime"


class Outcome(NamedTuple):
    """The adjusted Rand indices with the classes of the consensuses of one ensemble.

    ``confidence`` is that of the clusters, ``median`` the number of clusters of the members, and
    ``is_local`` whether auto, told the number, chooses local weights. ``told`` are by method, with
    the number of classes. ``untold`` are by rule for the number of
    clusters, with the method of "auto"; ``numbers`` are the numbers that the rules choose.
    """

    classes: int
    confidence: float
    median: float
    is_local: bool
    told: Mapping[str, float]
    untold: Mapping[Any, float]
    numbers: Mapping[Any, int]
    has_answer: bool

    def by_thresholds(self, confidence: float, ratio: float) -> float:
        """Return the index of the method that these thresholds choose."""
        local = self.confidence >= confidence and self.median >= ratio * self.classes
        return self.told[LOCAL if local else REFINED]


def score_ensemble(members: Array, true: Array, seed: int) -> Outcome:
    """Combine the members by all methods and rules."""
    count = int(true.max()) + 1
    found = {
        name: combine(members, name, count, random_state=seed)
        for name in (*_COMPARED, LOCAL, "lwgp")
    }
    labels = {name: one.labels for name, one in found.items()}
    labels[SPECTRAL] = combine(members, LWGP(theta=np.inf), count, random_state=seed).labels
    shared = {name: found[name].agreement.normalized_mutual_info.mean() for name in _COMPARED}
    labels[LARGEST_NMI] = labels[max(shared, key=lambda name: round(shared[name], 9))]
    collapsed = read_ensemble(members).collapse()
    weights = np.ones(collapsed.ensemble.m)
    choice = choose_method(collapsed, weights, None)
    method = choose_method(collapsed, weights, count).method
    labels[AUTO] = labels[method]
    told = {name: float(adjusted_rand_score(true, labels[name])) for name in METHODS[:-1]}
    told[MEAN] = float(np.mean([adjusted_rand_score(true, one) for one in members.T]))
    overlaps = count_overlaps(collapsed)
    angles = spectral_angles(overlaps, weights, max(collapsed.ensemble.sizes) + 1)
    numbers: dict[Any, int] = {power: _largest_gap(angles, power) for power in POWERS}
    numbers[LIFETIME] = combine(members, "evidence", random_state=seed).n_clusters
    by_number = {
        number: float(
            adjusted_rand_score(true, combine(members, n_clusters=number, random_state=seed).labels)
        )
        for number in {*numbers.values(), choice.n_clusters or 1}
    }
    untold: dict[Any, float] = {rule: by_number[number] for rule, number in numbers.items()}
    untold[AUTO], numbers[AUTO] = by_number[choice.n_clusters or 1], choice.n_clusters or 1
    untold[TOLD], numbers[TOLD] = told[AUTO], count
    before = combine(members, REFINED, numbers[LIFETIME], random_state=seed).labels
    untold[REFINED] = float(adjusted_rand_score(true, before))
    numbers[REFINED] = numbers[LIFETIME]
    common = measure_mutual_agreement(overlaps).is_common
    median = float(np.median(collapsed.ensemble.sizes))
    local = method == LOCAL
    return Outcome(count, choice.confidence, median, local, told, untold, numbers, common)


def _largest_gap(angles: Array, power: float) -> int:
    """Return the number of clusters by the rule of ``suggest_number`` with another power."""
    numbers = np.arange(2, angles.size)
    gaps = (angles[2:] - angles[1:-1]) / numbers**power
    return int(numbers[np.argmax(np.round(gaps, 6))]) if numbers.size else 1
