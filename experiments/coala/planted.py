"""Fig. 4: data sets with two planted clusterings, one given and one to be found."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.alternatives.cib.cib import CIB
from clusterwise.datasets.planted import Planted, make_coala_set
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from clusterwise.measures.information import mutual_info_score
from clusterwise.measures.matching import cluster_accuracy_score
from experiments.coala.methods import (
    COORDINATED,
    FEW_BINS,
    FIRST,
    METHOD_REMARK,
    NAIVE,
    PLAIN,
    Answer,
    find_answers,
    find_with_few_bins,
    mean_dq,
    score_lines,
)
from experiments.coala.published import NAIVE_DISSIMILARITY, NAIVE_FINDS, PLANTED
from experiments.common.dunn_forms import DUNN_REMARK, judge_by_form
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# The accuracy from which a clustering counts as found except for a few objects.
_NEARLY = 0.95
_CIB_STARTS = 100
# Objectives that differ by less are equal.
_TOLERANCE = 1e-9
_METHODS = (PLAIN, COORDINATED, FEW_BINS, FIRST, NAIVE)
_SETS_REMARK = (
    "Neither the points nor their number are published; the data sets are generated from the "
    "description in the text (make_coala_set: 2, 3, 2 and 4 clusters in 2, 4, 6 and 6 dimensions)."
)


class Trial(NamedTuple):
    """Result of a method on one data set: its accuracy and its scores.

    ``beaten`` means that the hidden clustering is not optimal by the method's own objective; it is
    checked where CIB misses it.
    """

    right: float
    scores: DQ
    beaten: bool = False


# By data set and method, one for each seed.
Trials = dict[tuple[str, str], list[Trial]]


def run(setup: Setup) -> Outcome:
    """Run all methods on all four data sets, drawn once for each seed."""
    trials: Trials = {(name, method): [] for name in PLANTED for method in _METHODS}
    tasks = [(name, seed) for name in PLANTED for seed in range(setup.seeds)]
    for name, seed in track(tasks, len(tasks), "planted sets", setup.progress):
        data = make_coala_set(name, seed)
        for method, answer in _answer(data, seed).items():
            trial = _judge(data, answer)
            if method == COORDINATED and trial.right < _NEARLY:
                given, hidden = data.labels.T
                trial = trial._replace(beaten=is_beaten(data.X, given, hidden, seed))
            trials[name, method].append(trial)
    lines = [line for key, some in trials.items() for line in _lines(*key, some)]
    table = Table("Fig. 4, means over draws", ("set", "by", "what"), lines)
    remarks = (_SETS_REMARK, METHOD_REMARK, DUNN_REMARK)
    return Outcome((table,), make_claims(trials), remarks)


def _answer(data: Planted, seed: int) -> dict[str, Answer]:
    given = data.labels[:, 0]
    found = find_answers(data.X, data.X, given, [seed])
    kept = {name: answers[0] for name, answers in found.items() if name in _METHODS}
    return kept | {FEW_BINS: find_with_few_bins(data.X, given, seed)}


def _judge(data: Planted, answer: Answer) -> Trial:
    return Trial(
        share_right(data.labels, answer), judge_by_form(data.X, answer.given, answer.labels)
    )


def share_right(planted: Array, answer: Answer) -> float:
    """Return the accuracy of the worse of the two clusterings.

    Either may stand for either of those planted.
    """
    pair = answer.given, answer.labels
    return max(
        min(float(cluster_accuracy_score(true, one)) for true, one in zip(order, pair, strict=True))
        for order in (planted.T, planted.T[::-1])
    )


def _lines(name: str, method: str, some: list[Trial]) -> Iterator[Line]:
    right = sum(one.right for one in some) / len(some)
    found = method == PLAIN or (method == NAIVE and NAIVE_FINDS[name])
    whole = sum(one.right == 1 for one in some)
    remark = f"exactly on {whole} of {len(some)}"
    yield Line((name, method, "objects right"), right, 1.0 if found else None, remark)
    printed = NAIVE_DISSIMILARITY.get(name) if method == NAIVE else None
    known = {} if printed is None else {"dissimilarity": printed}
    yield from score_lines((name, method), mean_dq(one.scores for one in some), known)


def make_claims(trials: Trials) -> list[Claim]:
    """Check the claims on the figure with these trials."""

    def rights(method: str, *names: str) -> list[float]:
        return [one.right for name in names for one in trials[name, method]]

    coala, cib = rights(PLAIN, *PLANTED), rights(COORDINATED, *PLANTED)
    few, first = rights(FEW_BINS, *PLANTED), rights(FIRST, *PLANTED)
    lucky = [name for name in PLANTED if NAIVE_FINDS[name]]
    rest = [name for name in PLANTED if not NAIVE_FINDS[name]]
    finds, misses = rights(NAIVE, *lucky), rights(NAIVE, *rest)
    twice = [name for name in PLANTED if name in NAIVE_DISSIMILARITY]
    gaps = [one.scores.dissimilarity for name in twice for one in trials[name, NAIVE]]
    beaten = sum(one.beaten for name in PLANTED for one in trials[name, COORDINATED])
    where = ", ".join(
        f"{name} {count}" for name in PLANTED if (count := _missed(trials[name, COORDINATED]))
    )
    return [
        Claim("COALA finds the hidden clustering exactly.", sum(one == 1 for one in coala),
              len(coala)),
        Claim(
            "CIB finds it except for a few objects (at most 5 %).",
            sum(one >= _NEARLY for one in cib),
            len(cib),
            f"Missed on {where or 'no set'}. Where it is missed, other clusterings have a larger "
            f"CIB objective than the hidden one on {beaten}: ten bins split a group. With five "
            f"bins it is found on {sum(one >= _NEARLY for one in few)}. CIB of 2003 finds "
            f"it on {sum(one >= _NEARLY for one in first)}: its labels within each given cluster "
            f"are arbitrary.",
        ),
        Claim(
            "COALA is at least as accurate as CIB.",
            sum(a >= b for a, b in zip(coala, cib, strict=True)),
            len(coala),
        ),
        Claim(
            f"The naive method finds both clusterings on {' and '.join(lucky)}.",
            sum(one == 1 for one in finds),
            len(finds),
            "This depends on the starts: each run of k-means ends in one of several clusterings, "
            "and three runs need not contain both planted ones.",
        ),
        Claim(
            f"The naive method does not find both on {' and '.join(rest)}.",
            sum(one < 1 for one in misses),
            len(misses),
        ),
        Claim(
            f"On {' and '.join(twice)} it finds the same clustering twice.",
            sum(gap == 0 for gap in gaps),
            len(gaps),
            "The best pair of three runs is the same clustering only if all three are. With more "
            f"clusters k-means has more local optima: the least dissimilarity was {min(gaps):.2f}.",
        ),
    ]  # fmt: skip


def _missed(some: list[Trial]) -> int:
    return sum(one.right < _NEARLY for one in some)


FIG4 = Experiment(
    "coala-fig4",
    "COALA, CIB and naive k-means on planted data sets A to D",
    "Fig. 4, section 5.1",
    run,
    seeds=5,
)


def cib_objective(X: Array, given: Array, labels: Array) -> float:
    """Return CIB's objective, I(C;Y|Z) + I(C;Y) in nats, with ten equal-width bins per feature."""
    codes = Binning().fit(X).bins(X).codes
    inside = [given == cluster for cluster in np.unique(given)]
    parts = [
        mutual_info_score(labels, values)
        + sum(mine.mean() * mutual_info_score(labels[mine], values[mine]) for mine in inside)
        for values in codes
    ]
    return float(np.mean(parts))


def is_beaten(X: Array, given: Array, labels: Array, seed: int) -> bool:
    """Return whether CIB, from many starts, finds a clustering with a larger objective."""
    model = CIB(n_init=_CIB_STARTS, random_state=seed, progress=False).fit(X, given)
    return bool(model.objective_ > cib_objective(X, given, labels) + _TOLERANCE)
