"""What methods find on planted data and on real sets, and how they compare."""

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

# Means that differ by less are the same.
_SAME = 1e-9
# The single methods that auto is measured by, and all that are run for it.
REFERENCES = (*PEERS, PROJECT)
CONTEST = (AUTO, UNREFINED, *REFERENCES)


class Outcome(NamedTuple):
    """What an answer is worth; ``nmi`` and ``ari`` are with the hidden clustering, if any.

    ``refused`` says that the method could not do anything with the data, which counts as one
    cluster.
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

    ``bayes`` is the NMI of who knows how the data were made.
    """

    setting: Setting
    outcomes: dict[str, list[Outcome]]
    bayes: list[float]

    def values(self, method: str, what: str) -> Array:
        """One number of each outcome."""
        return np.array([getattr(one, what) for one in self.outcomes[method]])

    def mean(self, method: str, what: str) -> float:
        """Its mean."""
        return float(self.values(method, what).mean())


class Comparison(NamedTuple):
    """The mean NMI of auto beside that of the best reference.

    ``unrefined`` is that of auto without its last steps, ``bayes`` that of who knows how the data
    were made; ``error`` is the standard error of the paired difference.
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
        """How much more auto has."""
        return self.auto - self.other

    @property
    def as_good(self) -> bool:
        """Whether auto is at least as good."""
        return self.difference >= -_SAME

    def within(self, errors: float) -> bool:
        """Whether it is, but for so many standard errors."""
        return self.difference >= -errors * self.error - _SAME


def run_setting(setting: Setting, methods: Mapping[str, Method], seeds: int) -> Row:
    """Every method on several sets of one setting; BLAS gets one thread."""
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
    """Every method once on one of the papers' sets; BLAS gets one thread."""
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
    """One answer, and what it is worth."""
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
    """The portfolio beside the best reference that was run; None if none was."""
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
    """Those of all rows on which a reference was run."""
    return [found for row in rows if (found := compare(row))]


def standard_error(values: Sequence[float] | Array) -> float:
    """Of the mean of values; 0 if there is only one."""
    count = len(values)
    return float(np.std(values, ddof=1) / np.sqrt(count)) if count > 1 else 0.0
