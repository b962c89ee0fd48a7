"""Fig. 6: COALACat, CIB and naive k-means on two categorical data sets."""

from typing import NamedTuple

from clusterwise._utils.progress import track
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.points import read_points
from clusterwise.measures.dq import DQ, dq_parts
from experiments.adco.datasets import class_codes
from experiments.coala.methods import (
    COORDINATED,
    FIRST,
    METHOD_REMARK,
    NAIVE,
    PLAIN,
    RIVALS,
    Answers,
    find_answers,
    mean_dq,
    score_lines,
    size_remark,
)
from experiments.coala.published import CATEGORICAL
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

CLASSES = "classes"
_REMARK = (
    "Quality is the proportion of the features' entropy that the clusters explain. The paper "
    "converts entropy to quality by a bound that it does not give; if one method has both the "
    "larger dissimilarity and the smaller entropy, no bound can reverse the order of their DQ."
)


class DatasetResults(NamedTuple):
    """A data set: the results and scores of each method."""

    answers: Answers
    scores: dict[str, DQ]


Results = dict[str, DatasetResults]


def run(setup: Setup) -> Outcome:
    """Run all methods on both data sets."""
    found: Results = {}
    for name in track(CATEGORICAL, len(CATEGORICAL), "data sets", setup.progress):
        found[name] = judge_set(setup.load(name), setup.seeds)
    lines: list[Line] = []
    for name, judged in found.items():
        quality = judged.scores[CLASSES].quality
        lines.append(Line((name, CLASSES, "quality"), quality, None, "the given clustering"))
        for method, each in judged.answers.items():
            remark = size_remark(each)
            title = method.replace("COALA", "COALACat")
            lines.extend(score_lines((name, title), judged.scores[method], None, remark))
    table = Table("Fig. 6, means over seeds", ("data set", "by", "what"), lines)
    return Outcome((table,), make_claims(found), (_REMARK, METHOD_REMARK))


def judge_set(data: Dataset, seeds: int) -> DatasetResults:
    """Run all methods on one data set; k-means gets one-hot encoded features."""
    given = class_codes(data)
    points = read_points(data.X).points
    answers = find_answers(data.X, points, given, range(seeds), categorical=True)
    scores = {
        method: mean_dq(dq_parts(data.X, *answer, quality="entropy") for answer in each)
        for method, each in answers.items()
    }
    return DatasetResults(
        answers, scores | {CLASSES: dq_parts(data.X, given, given, quality="entropy")}
    )


def make_claims(found: Results) -> list[Claim]:
    """Check the claims on the figure: COALACat is better than the other methods."""
    claims = [_beats(found, rival) for rival in RIVALS]
    finer = [
        name
        for name, one in found.items()
        if one.scores[PLAIN].quality > one.scores[CLASSES].quality
    ]
    claims.append(
        Claim("COALACat's clusterings have a larger quality than the classes.",
              len(finer), len(found))
    )  # fmt: skip
    return claims


def _beats(found: Results, rival: str) -> Claim:
    ahead, reasons = 0, []
    for name, one in found.items():
        mine, other = one.scores[PLAIN], one.scores[rival]
        if mine.dq > other.dq:
            ahead += 1
            continue
        both = other.dissimilarity >= mine.dissimilarity and other.quality >= mine.quality
        reasons.append(
            f"{name}: {other.dissimilarity:.2f} and {other.quality:.2f} to COALACat's "
            f"{mine.dissimilarity:.2f} and {mine.quality:.2f}"
            + (", no worse in either, so no bound helps" if both else "")
        )
    titles = {COORDINATED: "CIB", FIRST: "CIB of 2003", NAIVE: "the naive method"}
    why = f"Dissimilarity and quality on {'; on '.join(reasons)}." if reasons else ""
    return Claim(f"COALACat has a larger DQ than {titles[rival]}.", ahead, len(found), why)


FIG6 = Experiment(
    "coala-fig6",
    "COALACat, CIB and naive k-means on categorical data",
    "Fig. 6, section 5.3",
    run,
    tuple(CATEGORICAL),
    seeds=5,
)
