"""How often a result says that there is no common answer, and what the consensus is then."""

from typing import NamedTuple

import numpy as np

from clusterwise.consensus.combine import combine
from clusterwise.measures.pairs import adjusted_rand_score

# Proportions of random labels; 1 are independent clusterings.
NOISE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SIZES = ((50, 5, 3), (200, 10, 4), (1000, 20, 5))


class Answer(NamedTuple):
    """Noisy copies of classes: how often there is no answer, and means over the ensembles."""

    n: int
    members: int
    classes: int
    noise: float
    no_answer: float
    mutual: float
    recovered: float


def study_answers(repeats: int) -> list[Answer]:
    """Combine noisy copies of classes of several sizes."""
    found = []
    for n, m, classes in SIZES:
        for noise in NOISE:
            rows = []
            for seed in range(repeats):
                random = np.random.default_rng(seed)
                true = random.integers(0, classes, n)
                wrong = random.random((n, m)) < noise
                members = np.where(wrong, random.integers(0, classes, (n, m)), true[:, None])
                one = combine(members, n_clusters=classes, random_state=seed)
                mutual = one.mutual_agreement
                assert mutual is not None
                recovered = adjusted_rand_score(true, one.labels)
                rows.append((not mutual.is_common, mutual.mean, recovered))
            found.append(Answer(n, m, classes, noise, *np.mean(rows, axis=0).tolist()))
    return found
