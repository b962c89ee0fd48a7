"""Fig. 5: COALA, CIB and naive k-means on four data sets whose classes are given."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from experiments.adco.datasets import Preprocessing, class_codes, make_points
from experiments.coala.methods import (
    GUARDED,
    METHOD_REMARK,
    NAIVE,
    PLAIN,
    RIVALS,
    Answers,
    best_of,
    find_answers,
    mean_dq,
    score_lines,
    size_remark,
)
from experiments.coala.published import NAIVE_DISSIMILARITY, REAL
from experiments.common.dunn_forms import DUNN_REMARK, FORMS, USUAL_FORM, Form, judge_by_form
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

DEFAULT_PREPROCESSING = Preprocessing("standardised", categories=False)
PREPROCESSINGS = (DEFAULT_PREPROCESSING, Preprocessing("unscaled", categories=False))
CLASSES = "classes"
_TIES = (
    "Many distances of ESL are equal, since its features are four small integers; after "
    "standardisation, rounding decides between tied merges."
)
# Dissimilarities within this range are stable.
_STABLE = 0.1


class DatasetResults(NamedTuple):
    """A data set with one preprocessing: the results, and their scores by Dunn index.

    ``naive`` has the naive method's dissimilarities, one for each seed.
    """

    answers: Answers
    scores: dict[Form, dict[str, DQ]]
    naive: list[float]


# By preprocessing and data set.
Results = dict[tuple[Preprocessing, str], DatasetResults]


def run(setup: Setup) -> Outcome:
    """Run all methods on all data sets, with two preprocessings and all Dunn indices."""
    found: Results = {}
    tasks = [(steps, name) for steps in PREPROCESSINGS for name in REAL]
    for steps, name in track(tasks, len(tasks), "data sets", setup.progress):
        found[steps, name] = judge_set(setup.load(name), steps, setup.seeds)
    tables = (_table(found), _win_table(found))
    return Outcome(tables, make_claims(found), (METHOD_REMARK, DUNN_REMARK, _TIES))


def judge_set(data: Dataset, steps: Preprocessing, seeds: int) -> DatasetResults:
    """Run all methods on one data set."""
    points, given = make_points(data, steps), class_codes(data)
    answers = find_answers(points, points, given, range(seeds))
    scores = {form: _judge(points, given, answers, form) for form in FORMS}
    naive = [judge_by_form(points, *answer).dissimilarity for answer in answers[NAIVE]]
    return DatasetResults(answers, scores, naive)


def _judge(points: Array, given: Array, answers: Answers, form: Form) -> dict[str, DQ]:
    scores = {
        method: mean_dq(judge_by_form(points, *answer, form) for answer in each)
        for method, each in answers.items()
    }
    return scores | {CLASSES: judge_by_form(points, given, given, form)}


def _table(found: Results) -> Table:
    lines = [line for name in REAL for line in _lines(name, found[DEFAULT_PREPROCESSING, name])]
    return Table("Fig. 5, means over seeds", ("data set", "by", "what"), lines)


def _lines(name: str, judged: DatasetResults) -> Iterator[Line]:
    scores = judged.scores[USUAL_FORM]
    quality = scores[CLASSES].quality
    yield Line((REAL[name], CLASSES, "quality"), quality, None, "the given clustering")
    for method, each in judged.answers.items():
        printed = NAIVE_DISSIMILARITY.get(name) if method == NAIVE else None
        known = {} if printed is None else {"dissimilarity": printed}
        yield from score_lines((REAL[name], method), scores[method], known, size_remark(each))


def _win_table(found: Results) -> Table:
    lines = [
        Line((steps.title, form.title, method), sum(wins), len(REAL) if method == PLAIN else None)
        for steps in PREPROCESSINGS
        for form in FORMS
        for method in (PLAIN, GUARDED)
        for wins in [[best_of(found[steps, name].scores[form], method) for name in REAL]]
    ]
    title = "Number of data sets on which COALA has the largest DQ, by preprocessing and Dunn index"
    return Table(title, ("points", "distance / width", "by"), lines, 0)


def make_claims(found: Results) -> list[Claim]:
    """Check the claims on the figure with these values."""
    usual = {name: found[DEFAULT_PREPROCESSING, name] for name in REAL}
    scores = {name: one.scores[USUAL_FORM] for name, one in usual.items()}
    wins = {m: [n for n in REAL if best_of(scores[n], m)] for m in (PLAIN, GUARDED)}
    finest = [name for name in REAL if best_of(scores[name], PLAIN, "quality")]
    better = {
        m: [n for n in REAL if scores[n][m].quality > scores[n][CLASSES].quality]
        for m in (PLAIN, GUARDED)
    }
    degenerate = [name for name, one in usual.items() if one.answers[PLAIN][0].degenerate]
    unstable = [name for name, one in usual.items() if np.ptp(one.naive) > _STABLE]
    twice = usual["ionosphere"].naive
    return [
        Claim(
            "COALA has a larger DQ than CIB and the naive method on every data set.",
            len(wins[PLAIN]),
            len(REAL),
            f"With the minimum cluster size on {len(wins[GUARDED])} of {len(REAL)}. Its result is "
            f"degenerate on {_list(degenerate)}, where its DQ is due to a few outliers; the second "
            f"table has other kinds of preprocessing.",
        ),
        Claim(
            "COALA's clusterings have a larger quality than those of the other methods.",
            len(finest),
            len(REAL),
            _unless(finest, "Not on {}."),
        ),
        Claim(
            "COALA's dissimilarity is relatively high (at least the median of the other methods).",
            sum(_is_high(scores[name]) for name in REAL),
            len(REAL),
            _dissimilarities(scores),
        ),
        Claim(
            "COALA's clusterings have a larger quality than the classes on all data sets.",
            len(better[PLAIN]),
            len(REAL),
            f"Guarded on {len(better[GUARDED])} of {len(REAL)}.",
        ),
        Claim(
            "The naive method finds the same clustering twice on ionosphere.",
            sum(value == 0 for value in twice),
            len(twice),
            f"Over the seeds its dissimilarity ranges from {min(twice):.2f} to {max(twice):.2f}.",
        ),
        Claim(
            "The naive method is unstable: its dissimilarity changes from run to run.",
            len(unstable),
            len(REAL),
            _unless(unstable, "Stable (within 0.1) on {}."),
        ),
        _vehicle_claim(usual["vehicle"]),
    ]


def _is_high(scores: dict[str, DQ]) -> bool:
    rivals = [scores[rival].dissimilarity for rival in RIVALS]
    return bool(scores[PLAIN].dissimilarity >= np.median(rivals))


def _dissimilarities(scores: dict[str, dict[str, DQ]]) -> str:
    parts = [
        f"{REAL[name]} {each[PLAIN].dissimilarity:.2f} (others "
        f"{', '.join(f'{each[rival].dissimilarity:.2f}' for rival in RIVALS)})"
        for name, each in scores.items()
    ]
    return f"{'; '.join(parts)}."


def _vehicle_claim(vehicle: DatasetResults) -> Claim:
    answer = vehicle.answers[PLAIN][0]
    least = guard_size(answer.labels.size, len(answer.sizes))
    sizes = ", ".join(map(str, answer.sizes))
    return Claim(
        f"Vehicle: COALA's clusters are groups of vehicles (at least {least:.0f} in each).",
        sum(size >= least for size in answer.sizes),
        len(answer.sizes),
        f"Its clusters have {sizes} vehicles: average linkage separates outliers.",
    )


def _list(names: list[str]) -> str:
    return ", ".join(REAL[name] for name in names) or "none"


def _unless(names: list[str], text: str) -> str:
    left = [name for name in REAL if name not in names]
    return text.format(_list(left)) if left else ""


FIG5 = Experiment(
    "coala-fig5",
    "COALA, CIB and naive k-means on four data sets",
    "Fig. 5, section 5.2",
    run,
    tuple(REAL),
    seeds=5,
)
