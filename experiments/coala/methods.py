"""The methods that the COALA paper compares, and the scores of their results."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise.alternatives.cib.cib import CIB
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.coala.coalacat import COALACat
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.alternatives.naive import NaiveAlternative
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from experiments.coala.published import NAIVE_RUNS, OMEGA
from experiments.common.experiment import Line

PLAIN, GUARDED = "COALA", "COALA, guarded"
COORDINATED, FIRST, FEW_BINS = "CIB", "CIB of 2003", "CIB, 5 bins"
NAIVE = "naive"
# The methods that the paper compares COALA with. It does not say which variant of CIB it used.
RIVALS = (COORDINATED, FIRST, NAIVE)
_FEW_BINS = 5
METHOD_REMARK = (
    "CIB of 2003 does not coordinate its labels across the given clusters and has one start; CIB "
    "adds the authors' later coordination term and keeps the best of ten starts. Guarded is COALA "
    "with clusters of at least 5 % of the objects, or a quarter of the average cluster. The naive "
    "method does not use the classes: its result is compared with its own other run."
)


class Answer(NamedTuple):
    """Labels, and the clustering to which they are an alternative."""

    given: Array
    labels: Array

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of its clusters, largest first."""
        return describe_sizes(self.labels).sizes

    @property
    def degenerate(self) -> bool:
        """Whether the result is degenerate."""
        return describe_sizes(self.labels).degenerate


Answers = dict[str, list[Answer]]


def find_answers(
    X: Any, points: Array, given: Array, seeds: Sequence[int], *, categorical: bool = False
) -> Answers:
    """Return the results of all methods, one for each seed; COALA is deterministic.

    ``X`` is what CIB and COALACat see, ``points`` what COALA and k-means see.
    """
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", UserWarning)
        guard = guard_size(given.size, int(given.max()) + 1)
        model, objects = (COALACat, X) if categorical else (COALA, points)
        labels = {
            PLAIN: [model(omega=OMEGA, progress=False).fit(objects, given).labels_],
            GUARDED: [
                model(omega=OMEGA, min_cluster_size=guard, progress=False)
                .fit(objects, given)
                .labels_
            ],
            COORDINATED: [_run_cib(X, given, seed) for seed in seeds],
            FIRST: [_run_cib(X, given, seed, gamma=0.0, n_init=1) for seed in seeds],
        }
        found = {name: [Answer(given, one) for one in each] for name, each in labels.items()}
        found[NAIVE] = [_run_naive(points, given, seed) for seed in seeds]
    return found


def find_with_few_bins(X: Any, given: Array, seed: int) -> Answer:
    """Run CIB with five bins per feature instead of ten."""
    return Answer(given, _run_cib(X, given, seed, n_bins=_FEW_BINS))


def _run_cib(X: Any, given: Array, seed: int, **options: Any) -> Array:
    return CIB(random_state=seed, progress=False, **options).fit(X, given).labels_


def _run_naive(points: Array, given: Array, seed: int) -> Answer:
    """Run k-means several times; the better one of the chosen pair counts as given."""
    model = NaiveAlternative(
        int(given.max()) + 1, n_runs=NAIVE_RUNS, quality="dunn_centroids", random_state=seed
    ).fit(points)
    return Answer(model.given_[0], model.labels_)


def mean_dq(scores: Iterable[DQ]) -> DQ:
    """Return the mean of each score."""
    return DQ(*(float(value) for value in np.mean(list(scores), axis=0)))


def score_lines(
    what: tuple[str, ...],
    scores: DQ,
    published: Mapping[str, float] | None = None,
    remark: str = "",
) -> Iterator[Line]:
    """Return a line for each of the three scores, the remark on the first one."""
    for name, value in zip(("dissimilarity", "quality", "DQ"), scores, strict=True):
        yield Line((*what, name), value, (published or {}).get(name), remark)
        remark = ""


def size_remark(answers: Sequence[Answer]) -> str:
    """Describe the cluster sizes of the first result, and whether it is degenerate."""
    first = answers[0]
    sizes = "/".join(map(str, first.sizes))
    return f"sizes {sizes}{', degenerate' if first.degenerate else ''}"


def best_of(scores: Mapping[str, DQ], method: str, what: str = "dq") -> bool:
    """Return whether a method has a larger score than all others."""
    mine = getattr(scores[method], what)
    return all(mine > getattr(scores[rival], what) for rival in RIVALS)
