"""Table 3 and its examples: differences that ADCO detects and membership measures do not."""

from collections.abc import Callable
from math import log

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.inputs.encoding import Array
from clusterwise.measures.density import adco_score
from clusterwise.measures.information import variation_of_information
from clusterwise.measures.matching import cluster_accuracy_score
from clusterwise.measures.pairs import pair_jaccard_score, rand_score
from experiments.adco import worked_examples
from experiments.adco.published import RAND_IN_THE_TEXT, TABLE_3, Measures
from experiments.adco.shapes import (
    PLANS,
    Example,
    centroid_shift,
    make_example,
    model_shift,
    prediction_shift,
    spread_shift,
)
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

NAMES = {
    "adco": "ADCO",
    "rand": "RI",
    "jaccard": "JI",
    "accuracy": "CE, as accuracy",
    "information": "VI",
}
# The figures whose sizes follow from Table 3.
_SIZED = ("Fig. 1", "Fig. 5 (d)-(f)")
_ROUNDING = 0.0051
_UNPUBLISHED = (
    "The points of Figs. 1 and 5 are not published. Ours are drawn for every seed, with cluster "
    "sizes that give the printed Rand index and accuracy. Their layout was chosen among about "
    "forty to show what the paper says about ADCO, so the count on it is no evidence for the "
    "claim; the count for evenly spread clusters is fairer, although their distance was chosen too."
)


Layouts = dict[str, dict[str, list[bool]]]


def run(setup: Setup) -> Outcome:
    """Reconstruct the figures for every seed, and check the claims on them."""
    drawn = {
        name: [make_example(plan, seed) for seed in range(setup.seeds)]
        for name, plan in track(PLANS.items(), len(PLANS), "figures", setup.progress)
    }
    even = {
        name: [make_example(plan._replace(packed=None), seed) for seed in range(setup.seeds)]
        for name, plan in PLANS.items()
    }
    found = {
        name: {
            which: [_measure(one, getattr(one, which)) for one in examples]
            for which in ("near", "far")
        }
        for name, examples in drawn.items()
    }
    layouts = {"as reconstructed": _right(drawn), "evenly spread": _right(even)}
    claims = [
        *_table_claims(found, layouts),
        *_shape_claims(drawn),
        *_print_claims(found),
        *worked_examples.make_claims(),
    ]
    return Outcome(
        (_table(found), _layout_table(layouts), worked_examples.make_table()),
        claims,
        (_UNPUBLISHED,),
    )


def _right(drawn: dict[str, list[Example]]) -> dict[str, list[bool]]:
    """Return, for every draw, whether ADCO rates the near move as more similar."""
    return {
        name: [
            adco_score(one.given, one.near, one.points) > adco_score(one.given, one.far, one.points)
            for one in examples
        ]
        for name, examples in drawn.items()
    }


def _layout_table(layouts: Layouts) -> Table:
    lines = [
        Line((layout, name), float(np.mean(right)))
        for layout, figures in layouts.items()
        for name, right in figures.items()
    ]
    title = "Proportion of draws in which the near move is more similar by ADCO"
    return Table(title, ("clusters", "figure"), lines, 2)


def _measure(example: Example, labels: Array) -> Measures:
    given = example.given
    return Measures(
        adco_score(given, labels, example.points),
        float(rand_score(given, labels)),
        float(pair_jaccard_score(given, labels)),
        float(cluster_accuracy_score(given, labels)),
        float(variation_of_information(given, labels)),
    )


Results = dict[str, dict[str, list[Measures]]]


def _table(found: Results) -> Table:
    lines = []
    for name, sides in found.items():
        n = len(PLANS[name].centres) * PLANS[name].size
        for which, each in sides.items():
            ours = Measures(*np.mean(each, axis=0).tolist())
            printed = TABLE_3[name][which]
            for key, title in NAMES.items():
                remark = _remark(name, key, ours, printed, n)
                values = getattr(ours, key), getattr(printed, key)
                lines.append(Line((name, which, title), *values, remark))
    return Table("Table 3, near and far moves against the given clustering", _KEYS, lines)


_KEYS = ("figure", "moved", "measure")


def _remark(name: str, key: str, ours: Measures, printed: Measures, n: int) -> str:
    if key == "jaccard" and printed.jaccard > printed.rand:
        return f"above RI, which cannot be; 1/(2 - RI) is {1 / (2 - printed.rand):.2f}"
    if name not in _SIZED and key in ("jaccard", "information"):
        return "sizes unknown"
    if key == "information" and abs(ours.information - printed.information) > _ROUNDING:
        return f"VI / log n is {ours.information / log(n):.2f}"
    if key == "rand" and name == "Fig. 1":
        return f"{RAND_IN_THE_TEXT} in Section 1.1"
    return ""


def _table_claims(found: Results, layouts: Layouts) -> list[Claim]:
    same = [
        all(
            abs(getattr(near, key) - getattr(far, key)) < 1e-12
            for near, far in zip(sides["near"], sides["far"], strict=True)
        )
        for sides in found.values()
        for key in NAMES
        if key != "adco"
    ]
    whys = {
        "as reconstructed": f"The layout was chosen to show this. {_BINS}",
        "evenly spread": _BINS,
    }
    return [
        *(
            Claim(
                "ADCO rates the clustering in which near objects moved as more similar to the "
                "given one than the clustering in which distant objects moved (clusters "
                f"{layout}).",
                sum(map(sum, figures.values())),
                sum(map(len, figures.values())),
                whys[layout],
            )
            for layout, figures in layouts.items()
        ),
        Claim(
            "The Rand and Jaccard indices, the clustering error and the variation of information "
            "are the same for both.",
            sum(same),
            len(same),
        ),
    ]


_BINS = (
    "ADCO counts common bins, not distances: moving objects lowers it by their overlap with the "
    "bins of the cluster they leave and raises it by their overlap with the cluster they join."
)


def _shape_claims(drawn: dict[str, list[Example]]) -> list[Claim]:
    shifts = {
        "Centroids": centroid_shift,
        "Shapes (covariance matrices)": spread_shift,
        "Models of the clusters (normal distributions, at unseen points)": model_shift,
        "Models of the clusters (nearest centroid, at unseen points)": prediction_shift,
    }
    return [_shift_claim(what, shift, drawn) for what, shift in shifts.items()]


def _shift_claim(
    what: str, shift: Callable[[Example, Array], float], drawn: dict[str, list[Example]]
) -> Claim:
    less = {
        name: [shift(one, one.near) < shift(one, one.far) for one in examples]
        for name, examples in drawn.items()
    }
    holds, of = sum(map(sum, less.values())), sum(map(len, less.values()))
    counts = ", ".join(f"{name} {sum(each)} of {len(each)}" for name, each in less.items())
    why = f"On our points: {counts}. The paper specifies neither model nor test."
    return Claim(f"{what} change less if near objects move.", holds, of, "" if holds == of else why)


def _print_claims(found: Results) -> list[Claim]:
    rand = found["Fig. 1"]["near"][0].rand
    printed = [sides["near"] for sides in TABLE_3.values()]
    informed = {
        name: found[name]["near"][0].information - TABLE_3[name]["near"].information
        for name in _SIZED
    }
    return [
        Claim(
            f"The Rand index of both comparisons in Fig. 1 is {RAND_IN_THE_TEXT} (Section 1.1).",
            int(abs(rand - RAND_IN_THE_TEXT) < _ROUNDING),
            1,
            f"Table 3 prints {TABLE_3['Fig. 1']['near'].rand} for the same comparison; "
            f"three clusters of ten objects with five objects moved give {rand:.2f}, and the "
            f"printed "
            "Jaccard index and error.",
        ),
        Claim(
            "The column Jaccard of Table 3 contains the Jaccard index.",
            sum(one.jaccard <= one.rand for one in printed),
            len(printed),
            "The Jaccard index never exceeds the Rand index; where it does, 1/(2 - RI) is printed, "
            "as in Table 5.",
        ),
        Claim(
            "The column VI of Table 3 contains the variation of information.",
            sum(abs(gap) < _ROUNDING for gap in informed.values()),
            len(informed),
            "For Fig. 1 it is divided by the logarithm of the number of objects, for "
            "Fig. 5 (d)-(f) it is not. (Fig. 5 (a)-(c) cannot be decided.)",
        ),
    ]


STRUCTURE = Experiment(
    "adco-structure",
    "Clusterings that differ in the same number of objects",
    "Table 3, p. 16",
    run,
    seeds=30,
)
