"""Cluster copies of data, and data of null models, as often as the assessment needs."""

from collections.abc import Mapping, Sequence
from threading import Condition
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np

from clusterwise._utils.random import draw_seed
from clusterwise._utils.threads import one_openmp_thread, run_all
from clusterwise.consensus.stability import co_association_curve
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.ensembles import MISSING, Ensemble
from clusterwise.stability.clusterers import NOISE, Clusterer, Clusters
from clusterwise.stability.null_models import Draw, Null
from clusterwise.stability.recovery import NOT_DRAWN, measure_agreement
from clusterwise.stability.resamples import Resampler, take_some

# The copies of each data set of a null model, by the number of objects from which on it applies.
# The more, the less noise there is in its mean adjusted Rand index, and the less often it is as
# stable as the data by luck. With few objects noise is larger, and copies are cheap.
_NULL_COPIES = {10_000: 2, 2_000: 5, 0: 10}
# Seconds to wait for fits that run when others are interrupted.
_PATIENCE = 10.0
# Pairs of objects of which PAC is computed, of all copies and of few.
_PAIRS, _FEW_PAIRS = 50_000, 5_000


class Reference(NamedTuple):
    """A clustering of the data, and the clusterer of their copies."""

    codes: Array
    clusterer: Clusterer


class NullRuns(NamedTuple):
    """The mean adjusted Rand index and PAC of each data set of a null model."""

    aris: Array
    pacs: Array


class Runs(NamedTuple):
    """What was found again of one clustering.

    ``copies`` (m × n) are the clusters of the copies, ``aris`` their adjusted Rand indices with the
    clustering. ``pac`` is that of all copies, ``few_pac`` the mean of groups of as many copies as
    the null models have.
    """

    copies: Array
    aris: Array
    pac: float
    few_pac: float
    nulls: Mapping[Null, NullRuns]


class Plan(NamedTuple):
    """How many copies, of which sort, and the null models."""

    resampler: Resampler
    n_resamples: int
    draws: Mapping[Null, Draw]
    n_null: int


def repeat_clustering(
    points: Array,
    references: Sequence[Reference],
    plan: Plan,
    random: np.random.RandomState,
    progress: bool | None,
) -> list[Runs]:
    """Cluster the copies for each clustering of the data; all get the same copies.

    The copies are clustered in parallel, each by one thread and from its own seed, so that the
    results do not depend on the number of threads.
    """
    n, m, sets = len(points), plan.n_resamples, plan.n_null
    nulls = list(plan.draws)
    null_copies = next(count for least, count in _NULL_COPIES.items() if n >= least)
    seeds = [draw_seed(random) for _ in range(m + len(nulls) * sets)]
    dtype = np.int16 if n < 2**15 else np.int32
    copies = np.full((len(references), m, n), NOT_DRAWN, dtype)
    null_aris, null_pacs = (np.empty((len(references), len(nulls), sets)) for _ in range(2))

    def cluster_copy(i: int, random: np.random.RandomState) -> None:
        drawn = plan.resampler.draw(points, random)
        for j, one in enumerate(references):
            found = fits.run(one.clusterer, drawn.points, draw_seed(random))
            copies[j, i, drawn.objects] = found.codes

    def cluster_null(which: int, i: int, random: np.random.RandomState) -> None:
        drawn = plan.draws[nulls[which]](random)
        drawn = drawn[take_some(np.arange(n), plan.resampler.most_objects, random)]
        samples = [plan.resampler.draw(drawn, random) for _ in range(null_copies)]
        for j, one in enumerate(references):
            whole = fits.run(one.clusterer, drawn, draw_seed(random)).codes
            labels = np.full((null_copies, len(drawn)), NOT_DRAWN)
            for k, sample in enumerate(samples):
                found = fits.run(one.clusterer, sample.points, draw_seed(random))
                labels[k, sample.objects] = found.codes
            null_aris[j, which, i] = np.mean(_agreements(whole, labels))
            null_pacs[j, which, i] = _pac(labels, _FEW_PAIRS)

    def work(task: int) -> None:
        random = np.random.RandomState(seeds[task])
        with one_openmp_thread():
            if task < m:
                cluster_copy(task, random)
            else:
                cluster_null(*divmod(task - m, sets), random)

    # What the clusterer warns of, it has said of the data themselves. All threads share the filters
    # of warnings, which scikit-learn changes in each: what passes them is recorded, not shown.
    with catch_warnings(record=True), _Fits() as fits:
        simplefilter("ignore")
        run_all(work, len(seeds), "clustering copies", progress)
    return [
        Runs(
            copies[j],
            np.array(_agreements(one.codes, copies[j])),
            _pac(copies[j], _PAIRS),
            _mean_pac(copies[j], null_copies),
            {
                name: NullRuns(null_aris[j, which], null_pacs[j, which])
                for which, name in enumerate(nulls)
            },
        )
        for j, one in enumerate(references)
    ]


class _Fits:
    """Fits of clusterers in several threads, of which none is left running after Ctrl-C.

    A process that ends while a clusterer runs in another thread may crash. After an error no
    further fit begins, and those that run are waited for, some seconds at most.
    """

    def __init__(self) -> None:
        self._running = 0
        self._stopped = False
        self._changed = Condition()

    def __enter__(self) -> "_Fits":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._changed:
            self._stopped = True
            if kind is not None:
                self._changed.wait_for(lambda: not self._running, _PATIENCE)

    def run(self, clusterer: Clusterer, points: Array, seed: int) -> Clusters:
        """Fit a clusterer, unless the fits have been stopped."""
        with self._changed:
            if self._stopped:
                raise InterruptedError("the fits have been stopped")
            self._running += 1
        try:
            return clusterer.cluster(points, seed)
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()


def _agreements(codes: Array, copies: Array) -> list[float]:
    found = []
    for labels in copies:
        drawn = labels != NOT_DRAWN
        found.append(measure_agreement(codes[drawn], labels[drawn]))
    return found


def _mean_pac(copies: Array, size: int) -> float:
    """Return the mean PAC of groups of ``size`` copies."""
    groups = range(0, max(len(copies) - size, 0) + 1, size)
    return float(np.mean([_pac(copies[i : i + size], _FEW_PAIRS) for i in groups]))


def _pac(copies: Array, n_pairs: int) -> float:
    """Return the proportion of ambiguous pairs; a noise object is with no other."""
    codes = copies.astype(np.int32)
    sizes = codes.max(axis=1) + 1
    for labels, size in zip(codes, sizes, strict=True):
        noise = np.flatnonzero(labels == NOISE)
        labels[labels == NOT_DRAWN] = MISSING
        labels[noise] = size + np.arange(noise.size)
    ensemble = Ensemble(codes, tuple(sizes.tolist()), ("",) * len(codes))
    return co_association_curve(ensemble, n_pairs=n_pairs, random_state=0).pac
