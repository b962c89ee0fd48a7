"""Fig. 15: two alternatives of thirteen data sets by MetaClusterer and MAXIMUS."""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ, harmonic_mean
from clusterwise.measures.internal import dunn_score
from clusterwise.measures.pairs import pair_jaccard_score
from experiments.adco.methods import (
    KIND_REMARK,
    KINDS,
    OURS,
    PUBLISHED,
    SETS,
    SEVERAL,
    find,
    load_case,
    mean,
    name_sets,
)
from experiments.adco.published_alternatives import (
    META_AHEAD,
    META_BOTH,
    META_POOR,
    META_REPEATS,
)
from experiments.common.dunn_forms import DUNN_REMARK, QUICK_FORMS, USUAL_FORM, Form
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, Case

META, MAXIMUS = SEVERAL
_WANTED = 2
_REMARK = (
    "Dissimilarity is the mean over all pairs of the classes and the alternatives, quality the "
    "mean over the alternatives. (Definition 3 as printed counts pairs without the first "
    "clustering twice; its text says the mean.) As published, MetaClusterer returns the best "
    "clustering of each of two groups, since the paper specifies nothing else; ours returns those "
    "of good quality that differ most from the classes and from each other."
)


class Group(NamedTuple):
    """Scores of the alternatives of one seed together, by Dunn index.

    ``new`` is how many of them differ from the classes and from those before.
    """

    scores: Mapping[Form, DQ]
    new: int


# By kind, set and method, one for each seed.
Results = dict[tuple[str, str, str], list[Group]]
Means = dict[str, dict[str, DQ]]


def run(setup: Setup) -> Outcome:
    """Run both methods, published and ours, on all data sets."""
    found: Results = {}
    for name in track(SETS, len(SETS), "data sets", setup.progress):
        case = load_case(setup, name)
        for kind in KINDS:
            for method in SEVERAL:
                found[kind, name, method] = [
                    _find_two(case, method, kind, seed) for seed in range(setup.seeds)
                ]
    remarks = (_REMARK, KIND_REMARK, DUNN_REMARK)
    return Outcome((_table(found),), make_claims(found), remarks)


def _find_two(case: Case, method: str, kind: str, seed: int) -> Group:
    answer = find(case, method, kind, seed, n_alternatives=_WANTED, quality_floor=0.0)
    return judge_group(case.points, case.given, answer.labels)


def judge_group(points: Array, given: Array, alternatives: Array) -> Group:
    """Return overall dissimilarity and quality, and their harmonic mean."""
    everything = [given, *alternatives]
    apart = [
        [1.0 - float(pair_jaccard_score(everything[i], everything[j])) for i in range(j)]
        for j in range(len(everything))
    ]
    different = float(np.mean(np.concatenate(apart)))
    scores = {}
    for form in QUICK_FORMS:
        good = float(np.mean([_judge_quality(points, one, form) for one in alternatives]))
        scores[form] = DQ(different, good, harmonic_mean(different, good))
    return Group(scores, sum(min(each) > 0 for each in apart[1:]))


def _judge_quality(points: Array, labels: Array, form: Form) -> float:
    return dunn_score(points, labels, between=form.between, within=form.within)


def average(found: Results, kind: str, form: Form = USUAL_FORM) -> Means:
    """Return the means over the seeds, by data set and method."""
    names = dict.fromkeys(name for _, name, _ in found)
    return {
        name: {
            method: mean([one.scores[form] for one in found[kind, name, method]])
            for method in SEVERAL
        }
        for name in names
    }


def _table(found: Results) -> Table:
    lines = []
    for (kind, name, method), groups in found.items():
        one = mean([group.scores[USUAL_FORM] for group in groups])
        alone = sum(group.new < _WANTED for group in groups)
        remark = f"not two new ones on {alone} of {len(groups)}" if alone else ""
        what = (MAXIMUS_DATASETS[name], kind, method)
        lines.append(Line((*what, "dissimilarity"), one.dissimilarity, None, remark))
        lines.append(Line((*what, "quality"), one.quality))
        lines.append(Line((*what, "DQ"), one.dq))
    return Table("Fig. 15, means over seeds", ("data set", "kind", "by", "what"), lines)


def list_ahead(means: Means) -> list[str]:
    """Return the data sets on which MAXIMUS has the larger DQ."""
    return [name for name, each in means.items() if each[MAXIMUS].dq > each[META].dq]


def list_both(means: Means) -> list[str]:
    """Return the data sets on which MetaClusterer is better in dissimilarity and quality."""
    return [
        name
        for name, each in means.items()
        if each[META].dissimilarity > each[MAXIMUS].dissimilarity
        and each[META].quality > each[MAXIMUS].quality
    ]


def make_claims(found: Results) -> list[Claim]:
    """Check the claims on the figure for the published methods; ours are in the reasons."""
    means = {kind: average(found, kind) for kind in KINDS}
    names = list(means[PUBLISHED])
    ahead = {kind: list_ahead(each) for kind, each in means.items()}
    both = {kind: list_both(each) for kind, each in means.items()}
    wanted = [name for name in names if name not in META_AHEAD]
    rest = [name for name in names if name not in META_BOTH]
    dqs = {
        kind: {m: float(np.mean([each[m].dq for each in some.values()])) for m in SEVERAL}
        for kind, some in means.items()
    }
    listed = "; ".join(
        f"{kind}: {', '.join(f'{method} {value:.3f}' for method, value in each.items())}"
        for kind, each in dqs.items()
    )
    poor = [name for name in META_POOR if name in names]
    median = float(np.median([each[META].dq for each in means[PUBLISHED].values()]))
    return [
        Claim(
            "MAXIMUS has a larger DQ than MetaClusterer on all data sets except "
            f"{name_sets([*META_AHEAD])}.",
            sum(name in ahead[PUBLISHED] for name in wanted),
            len(wanted),
            f"{_describe_wins(found, wanted)} Mean DQ, {listed}. k-means finds good "
            f"clusterings in any case, while the integer program of MAXIMUS has many optima, "
            "most of which are not meaningful clusterings.",
        ),
        Claim(
            f"MetaClusterer is better in both scores only on {name_sets([*META_BOTH])}.",
            sum(name not in both[PUBLISHED] for name in rest),
            len(rest),
            f"It is better on {name_sets(both[PUBLISHED])}; against ours on "
            f"{name_sets(both[OURS])}.",
        ),
        Claim(
            f"MetaClusterer performs poorly on {name_sets(poor)} (below its median DQ).",
            sum(means[PUBLISHED][name][META].dq < median for name in poor),
            len(poor),
            f"Its median DQ is {median:.2f}; "
            + ", ".join(
                f"{MAXIMUS_DATASETS[name]} {means[PUBLISHED][name][META].dq:.2f}" for name in poor
            )
            + ".",
        ),
        _repeat_claim(found),
    ]


def _describe_wins(found: Results, names: list[str]) -> str:
    parts = []
    for kind, form in product(KINDS, QUICK_FORMS):
        ahead = list_ahead(average(found, kind, form))
        parts.append(f"{kind}, {form.title}: {sum(name in ahead for name in names)}")
    return f"Of {len(names)} sets, {'; '.join(parts)}."


def _repeat_claim(found: Results) -> Claim:
    some = [key for key in found if key[0] == PUBLISHED and key[1] in META_REPEATS]
    repeats = {
        key[1]: sum(group.new < _WANTED for group in found[key]) for key in some if key[2] == META
    }
    listed = ", ".join(f"{MAXIMUS_DATASETS[name]} {count}" for name, count in repeats.items())
    return Claim(
        f"On {name_sets([*META_REPEATS])} MetaClusterer sometimes repeats a clustering.",
        sum(count > 0 for count in repeats.values()),
        len(repeats),
        f"Runs without two new clusterings: {listed}. Ours are the best of each of two groups of a "
        f"hundred clusterings; the paper does not say how it chose two.",
    )


FIG15 = Experiment(
    "adco-fig15",
    "Two alternatives by MetaClusterer and MAXIMUS",
    "Fig. 15, p. 39",
    run,
    SETS,
    seeds=2,
)
