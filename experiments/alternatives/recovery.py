"""Run methods on planted and real data, and score and compare their results."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise._utils.errors import InputError
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from clusterwise.measures.dq import dq_parts
from clusterwise.measures.information import normalized_mutual_info_score
from clusterwise.measures.pairs import adjusted_rand_score
from experiments.alternatives.bayes import score_bayes
from experiments.alternatives.methods import AUTO, PROJECT, UNREFINED, Method, Task, suits
from experiments.alternatives.peers import PEERS
from experiments.alternatives.settings import Setting
from experiments.common.maximus_datasets import Case

# Means that differ by less are equal.
_SAME = 1e-9
# The single methods that auto is compared with, and all methods of that comparison.
REFERENCES = (*PEERS, PROJECT)
CONTEST = (AUTO, UNREFINED, *REFERENCES)


class Outcome(NamedTuple):
    """Scores of a result; ``nmi`` and ``ari`` are with the hidden clustering, if any.

    ``refused`` means that the method raised an error, which counts as a single cluster.
    """

    dissimilarity: float
    quality: float
    dq: float
    seconds: float
    refused: bool = False
    nmi: float = 0.0
    ari: float = 0.0


class Row(NamedTuple):
    """The outcomes of each method on one setting, one per seed.

    ``bayes`` is the NMI of the Bayes classifier.
    """

    setting: Setting
    outcomes: dict[str, list[Outcome]]
    bayes: list[float]

    def values(self, method: str, what: str) -> Array:
        """Return one field of each outcome."""
        return np.array([getattr(one, what) for one in self.outcomes[method]])

    def mean(self, method: str, what: str) -> float:
        """Return the mean of a field."""
        return float(self.values(method, what).mean())


class Comparison(NamedTuple):
    """The mean NMI of auto and of the best reference.

    ``unrefined`` is that of auto without refinement, ``bayes`` that of the Bayes classifier;
    ``error`` is the standard error of the paired difference.
    """

    title: str
    best: str
    unrefined: float
    auto: float
    other: float
    bayes: float
    error: float

    @property
    def difference(self) -> float:
        """The NMI of auto minus that of the reference."""
        return self.auto - self.other

    @property
    def as_good(self) -> bool:
        """Whether auto is at least as good."""
        return self.difference >= -_SAME

    def within(self, errors: float) -> bool:
        """Return whether auto is at least as good up to this number of standard errors."""
        return self.difference >= -errors * self.error - _SAME


def run_setting(setting: Setting, methods: Mapping[str, Method], seeds: int) -> Row:
    """Run every method on several data sets of one setting, with one BLAS thread."""
    names = [name for name in methods if suits(name, categorical=setting.categorical)]
    outcomes: dict[str, list[Outcome]] = {name: [] for name in names}
    bayes = [score_bayes(setting, seed) for seed in range(seeds)]
    with threadpool_limits(1):
        for seed in range(seeds):
            planted = setting.draw(seed)
            points = read_points(planted.X).points
            given, hidden = planted.labels[:, 0], planted.labels[:, 1:]
            task = Task(planted.X, points, given, setting.clusterings, seed, setting.categorical)
            for name in names:
                outcomes[name].append(run_method(methods[name], task, hidden))
    return Row(setting, outcomes, bayes)


def run_case(case: Case, methods: Mapping[str, Method]) -> dict[str, Outcome]:
    """Run every method once on one of the papers' data sets, with one BLAS thread."""
    categorical = not case.numbers
    counts = (case.clusters, case.clusters)
    task = Task(case.features, case.points, case.given, counts, 0, categorical)
    with threadpool_limits(1):
        return {
            name: run_method(method, task)
            for name, method in methods.items()
            if suits(name, categorical=categorical)
        }


def run_method(method: Method, task: Task, hidden: Array | None = None) -> Outcome:
    """Run one method and score its result."""
    began = perf_counter()
    refused = False
    try:
        labels = method(task)
    except InputError:
        labels, refused = np.zeros(task.given.size, np.int64), True
    seconds = perf_counter() - began
    parts = dq_parts(
        task.points, task.given, labels, dissimilarity="jaccard", quality="dunn_centroids"
    )
    outcome = Outcome(parts.dissimilarity, parts.quality, parts.dq, seconds, refused)
    if hidden is None:
        return outcome
    nmi, ari = max(
        (normalized_mutual_info_score(true, labels), adjusted_rand_score(true, labels))
        for true in hidden.T
    )
    return outcome._replace(nmi=float(nmi), ari=float(ari))


def compare(row: Row) -> Comparison | None:
    """Compare the portfolio with the best reference that was run; None if none was."""
    known = [name for name in REFERENCES if name in row.outcomes]
    if not known:
        return None
    best = max(known, key=lambda name: row.mean(name, "nmi"))
    differences = row.values(AUTO, "nmi") - row.values(best, "nmi")
    return Comparison(
        row.setting.title,
        best,
        row.mean(UNREFINED, "nmi"),
        row.mean(AUTO, "nmi"),
        row.mean(best, "nmi"),
        float(np.mean(row.bayes)),
        standard_error(differences),
    )


def compare_all(rows: Sequence[Row]) -> list[Comparison]:
    """Return the comparisons of all rows on which a reference was run."""
    return [found for row in rows if (found := compare(row))]


def standard_error(values: Sequence[float] | Array) -> float:
    """Return the standard error of the mean; 0 for a single value."""
    count = len(values)
    return float(np.std(values, ddof=1) / np.sqrt(count)) if count > 1 else 0.0
