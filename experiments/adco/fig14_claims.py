"""The claims on Fig. 14, checked with our values."""

from itertools import product

import numpy as np

from clusterwise.measures.dq import DQ
from experiments.adco.methods import (
    KINDS,
    OURS,
    PUBLISHED,
    SETS,
    SINGLE,
    AlternativeScores,
    mean,
    name_sets,
)
from experiments.adco.optima import Span, describe_spans
from experiments.adco.published_alternatives import BEST, NOTHING_NEW, RECORDS
from experiments.common.dunn_forms import QUICK_FORMS, USUAL_FORM, Form
from experiments.common.experiment import Claim
from experiments.common.maximus_datasets import MAXIMUS_DATASETS

MAXIMUS = SINGLE[-1]
RIVALS = SINGLE[:-1]
# By kind, set and method, one for each seed.
Results = dict[tuple[str, str, str], list[AlternativeScores]]
Means = dict[str, dict[str, DQ]]


def average(found: Results, kind: str, form: Form = USUAL_FORM) -> Means:
    """Return the means over the seeds, by data set and method."""
    names = dict.fromkeys(name for _, name, _ in found)
    return {
        name: {
            method: mean([one.scores[form] for one in found[kind, name, method]])
            for method in SINGLE
        }
        for name in names
    }


def count_wins(means: Means, other: str) -> int:
    """Return on how many data sets MAXIMUS has the larger DQ."""
    return sum(each[MAXIMUS].dq > each[other].dq for each in means.values())


def list_best(means: Means, method: str) -> list[str]:
    """Return the data sets on which a method alone has the largest DQ."""
    return [
        name
        for name, each in means.items()
        if all(each[method].dq > each[other].dq for other in SINGLE if other != method)
    ]


def count_best(means: Means, method: str) -> int:
    """Return on how many data sets a method alone has the largest DQ."""
    return len(list_best(means, method))


def make_claims(found: Results, spans: dict[str, Span]) -> list[Claim]:
    """Check the claims for the published methods; ours are in the reasons."""
    means = {kind: average(found, kind) for kind in KINDS}
    return [
        _best_claim(found, spans),
        *(_win_claim(found, other) for other in RIVALS),
        _second_claim(means),
        _dissimilar_claim(means),
        _worst_claim(means),
        _nothing_new_claim(means),
        _steady_claim(found),
    ]


def list_degenerate(found: Results, method: str) -> list[str]:
    """Return the data sets on which the published method has a degenerate result."""
    return [
        name
        for (kind, name, by), some in found.items()
        if (kind, by) == (PUBLISHED, method) and any(one.degenerate for one in some)
    ]


def _best_claim(found: Results, spans: dict[str, Span]) -> Claim:
    counts = {
        (kind, form): {method: count_best(average(found, kind, form), method) for method in SINGLE}
        for kind, form in product(KINDS, QUICK_FORMS)
    }
    listed = [
        f"{kind}, {form.title}: {', '.join(f'{method} {count}' for method, count in each.items())}"
        for (kind, form), each in counts.items()
    ]
    most = counts[PUBLISHED, USUAL_FORM]
    lopsided = list_degenerate(found, "COALA")
    best = list_best(average(found, PUBLISHED), "COALA")
    rewarded = sum(name in lopsided for name in best)
    return Claim(
        f"MAXIMUS has the largest DQ on more data sets than any other method ({BEST} of "
        f"{len(SETS)}).",
        int(all(most[MAXIMUS] > most[other] for other in RIVALS)),
        1,
        f"Number of data sets with the largest DQ, {'; '.join(listed)}. COALA as published "
        f"separates a few outliers from the rest on {name_sets(lopsided)}, among them "
        f"{rewarded} of the {len(best)} data sets on which it is best: the Dunn index rewards "
        "this. The integer program of MAXIMUS has many optima, most of which are not meaningful "
        f"clusterings; which one the paper's solver returned is unknown. {describe_spans(spans)} "
        f"{_compare_kinds(found)}",
    )


def _compare_kinds(found: Results) -> str:
    """State on how many data sets our MAXIMUS is better than the published one."""
    means = {kind: average(found, kind) for kind in KINDS}
    better = [name for name in means[OURS] if means[OURS][name][MAXIMUS].dq
              > means[PUBLISHED][name][MAXIMUS].dq]  # fmt: skip
    similar = {
        (kind, name): float(np.mean([one.similarity or 0.0 for one in found[kind, name, MAXIMUS]]))
        for kind in KINDS
        for name in better
    }
    free = [name for name in better if similar[OURS, name] <= similar[PUBLISHED, name]]
    return (
        f"Our MAXIMUS has a larger DQ than the published one on {len(better)} of "
        f"{len(means[OURS])} sets, "
        f"on {len(free)} of them with profiles that are no more similar to those of the classes."
    )


def _win_claim(found: Results, other: str) -> Claim:
    printed = RECORDS[other]
    counts = {
        (kind, form): count_wins(average(found, kind, form), other)
        for kind, form in product(KINDS, QUICK_FORMS)
    }
    total = len(average(found, PUBLISHED))
    listed = "; ".join(f"{kind}, {form.title}: {count}" for (kind, form), count in counts.items())
    return Claim(
        f"MAXIMUS has a larger DQ than {other} on most data sets ({printed.wins} to "
        f"{printed.losses}).",
        int(2 * counts[PUBLISHED, USUAL_FORM] > total),
        1,
        f"Of {total} sets, {listed}.",
    )


def mean_dqs(means: Means) -> dict[str, float]:
    """Return the mean DQ over all data sets, by method."""
    return {
        method: float(np.mean([each[method].dq for each in means.values()])) for method in SINGLE
    }


def _describe_values(dqs: dict[str, float]) -> str:
    return ", ".join(f"{method} {value:.3f}" for method, value in dqs.items())


def _second_claim(means: dict[str, Means]) -> Claim:
    dqs = {kind: mean_dqs(each) for kind, each in means.items()}
    ranked = sorted(SINGLE, key=lambda method: -dqs[PUBLISHED][method])
    return Claim(
        "MAXIMUS and COALA are the best two by DQ.",
        sum(method in ranked[:2] for method in (MAXIMUS, "COALA")),
        2,
        f"Mean DQ: {_describe_values(dqs[PUBLISHED])}; ours: {_describe_values(dqs[OURS])}.",
    )


def _dissimilar_claim(means: dict[str, Means]) -> Claim:
    worse = {
        kind: [
            each
            for each in some.values()
            if any(each[MAXIMUS].quality < each[other].quality for other in RIVALS)
        ]
        for kind, some in means.items()
    }
    made_up = {
        kind: sum(
            each[MAXIMUS].dissimilarity > float(np.median([each[m].dissimilarity for m in RIVALS]))
            for each in some
        )
        for kind, some in worse.items()
    }
    return Claim(
        "Where MAXIMUS has a lower quality than another method, it is more dissimilar than most "
        "others.",
        made_up[PUBLISHED],
        len(worse[PUBLISHED]),
        f"Ours on {made_up[OURS]} of {len(worse[OURS])}.",
    )


def _worst_claim(means: dict[str, Means]) -> Claim:
    dqs = mean_dqs(means[PUBLISHED])
    ours = mean_dqs(means[OURS])
    return Claim(
        "CIB is the worst by DQ.",
        int(min(dqs, key=lambda method: dqs[method]) == "CIB"),
        1,
        f"Mean DQ: {_describe_values(dqs)}. With the coordination term CIB has {ours['CIB']:.3f}.",
    )


def _nothing_new_claim(means: dict[str, Means]) -> Claim:
    some = [name for name in NOTHING_NEW if name in means[PUBLISHED]]
    values = {name: means[PUBLISHED][name]["CIB"].dissimilarity for name in some}
    listed = ", ".join(f"{MAXIMUS_DATASETS[name]} {value:.2f}" for name, value in values.items())
    return Claim(
        f"CIB finds nothing new on {name_sets(some)} (dissimilarity 0).",
        sum(value == 0 for value in values.values()),
        len(values),
        f"Dissimilarities: {listed}. CIB maximises the information that clusters have beyond the "
        f"classes; the classes themselves have none, so they are its worst solution, and a search "
        f"that returns them has not searched.",
    )


def _steady_claim(found: Results) -> Claim:
    names = list(dict.fromkeys(name for _, name, _ in found))

    def spread(name: str, method: str) -> float:
        return float(np.std([one.scores[USUAL_FORM].dq for one in found[PUBLISHED, name, method]]))

    spreads = {method: [spread(name, method) for name in names] for method in ("CondEns", MAXIMUS)}
    pairs = list(zip(*spreads.values(), strict=True))
    condens, maximus = (float(np.mean(each)) for each in spreads.values())
    return Claim(
        "CondEns is less stable than MAXIMUS: its DQ varies more over the seeds.",
        sum(first > second for first, second in pairs),
        len(pairs),
        f"The mean standard deviation is {condens:.3f} for CondEns and {maximus:.3f} for MAXIMUS; "
        f"both start at random.",
    )
