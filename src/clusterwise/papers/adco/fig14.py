"""Fig. 14: one alternative of thirteen data sets by CIB, CondEns, COALA and MAXIMUS."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from clusterwise.measures.dq import DQ
from clusterwise.papers.adco.published_alternatives import BEST, NOTHING_NEW, RECORDS
from clusterwise.papers.adco.rivals import (
    KIND_REMARK,
    KINDS,
    OURS,
    PUBLISHED,
    SETS,
    SINGLE,
    Scored,
    find_one,
    load_case,
    mean,
    name_sets,
)
from clusterwise.papers.dunn_forms import (
    ALL_FORMS,
    DUNN_REMARK,
    QUICK_FORMS,
    USUAL_FORM,
    Form,
)
from clusterwise.papers.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from clusterwise.papers.published_000 import DQ_BY_BINNING
from clusterwise.papers.thirteen import THIRTEEN
from clusterwise.progress import track

MAXIMUS = SINGLE[-1]
_OTHERS = SINGLE[:-1]
# By kind, set and method, one for each seed.
Found = dict[tuple[str, str, str], list[Scored]]
Means = dict[str, dict[str, DQ]]


def run(setup: Setup) -> Outcome:
    """Every method of both kinds on every set."""
    forms = ALL_FORMS if setup.full else QUICK_FORMS
    found: Found = {}
    for name in track(SETS, len(SETS), "data sets", setup.progress):
        case = load_case(setup, name)
        for kind in KINDS:
            for method in SINGLE:
                found[kind, name, method] = find_one(case, method, kind, setup.seeds, forms)
    tables = (_table(found), _record_table(found, forms), _similarity_table(found))
    return Outcome(tables, make_claims(found), (KIND_REMARK, DUNN_REMARK))


def average(found: Found, kind: str, form: Form = USUAL_FORM) -> Means:
    """Means over the seeds, by set and method."""
    names = dict.fromkeys(name for _, name, _ in found)
    return {
        name: {
            method: mean([one.scores[form] for one in found[kind, name, method]])
            for method in SINGLE
        }
        for name in names
    }


def _table(found: Found) -> Table:
    lines = []
    for (kind, name, method), some in found.items():
        printed = DQ_BY_BINNING.get(name) if (kind, method) == (PUBLISHED, MAXIMUS) else None
        what = (THIRTEEN[name], kind, method)
        one = mean([each.scores[USUAL_FORM] for each in some])
        lines.append(Line((*what, "dissimilarity"), one.dissimilarity, None, _remark(some)))
        lines.append(Line((*what, "quality"), one.quality))
        width = None if printed is None else printed.width
        lines.append(Line((*what, "DQ"), one.dq, width, "from Table 11" if printed else ""))
    return Table("Fig. 14, means over seeds", ("data set", "kind", "by", "what"), lines)


def _remark(some: list[Scored]) -> str:
    if all(one.scores[USUAL_FORM].quality == 0 for one in some):
        return "one cluster"
    lopsided = sum(one.degenerate for one in some)
    return f"degenerate on {lopsided} of {len(some)}" if lopsided else ""


def _similarity_table(found: Found) -> Table:
    lines = [
        Line((THIRTEEN[name], kind), float(np.mean([one.similarity for one in some])))
        for (kind, name, method), some in found.items()
        if method == MAXIMUS
    ]
    title = "Similarity of the profiles of MAXIMUS to those of the classes, of the least there is"
    return Table(title, ("data set", "kind"), lines)


def count_wins(means: Means, other: str) -> int:
    """On how many sets MAXIMUS has the larger DQ."""
    return sum(each[MAXIMUS].dq > each[other].dq for each in means.values())


def count_best(means: Means, method: str) -> int:
    """On how many sets a method has the largest DQ, alone."""
    return sum(
        all(each[method].dq > each[other].dq for other in SINGLE if other != method)
        for each in means.values()
    )


def _record_table(found: Found, forms: Sequence[Form]) -> Table:
    lines = []
    for kind, form in product(KINDS, forms):
        means = average(found, kind, form)
        for method in SINGLE:
            what = (kind, form.title, f"{method} is best")
            printed = BEST if method == MAXIMUS else None
            lines.append(Line(what, count_best(means, method), printed))
        for other in _OTHERS:
            what = (kind, form.title, f"MAXIMUS is better than {other}")
            lines.append(Line(what, count_wins(means, other), RECORDS[other].wins))
    title = "On how many sets, by DQ and Dunn index"
    return Table(title, ("kind", "distance / width", "what"), lines, 0)


def make_claims(found: Found) -> list[Claim]:
    """What the text says of the figure, on the published methods; of ours in the reasons."""
    means = {kind: average(found, kind) for kind in KINDS}
    return [
        _best_claim(found),
        *(_win_claim(found, other) for other in _OTHERS),
        _second_claim(means),
        _dissimilar_claim(means),
        _worst_claim(means),
        _nothing_new_claim(means),
        _steady_claim(found),
    ]


def list_degenerate(found: Found, method: str) -> list[str]:
    """Sets on which the published method has an answer that nobody would want."""
    return [
        name
        for (kind, name, by), some in found.items()
        if (kind, by) == (PUBLISHED, method) and any(one.degenerate for one in some)
    ]


def _best_claim(found: Found) -> Claim:
    counts = {
        (kind, form): {method: count_best(average(found, kind, form), method) for method in SINGLE}
        for kind, form in product(KINDS, QUICK_FORMS)
    }
    told = [
        f"{kind}, {form.title}: {', '.join(f'{method} {count}' for method, count in each.items())}"
        for (kind, form), each in counts.items()
    ]
    most = counts[PUBLISHED, USUAL_FORM]
    lopsided = list_degenerate(found, "COALA")
    return Claim(
        f"MAXIMUS has the largest DQ on more sets than any other ({BEST} of {len(SETS)}).",
        int(all(most[MAXIMUS] > most[other] for other in _OTHERS)),
        1,
        f"Sets with the largest DQ, {'; '.join(told)}. COALA as published sets a few strays apart "
        f"from the rest on {name_sets(lopsided)}, which the Dunn index rewards. The integer "
        "program of MAXIMUS has many optima, most of which mean no clusters; which of them the "
        "paper's solver returned is not known. The last table shows that better answers are "
        "hardly more like the classes.",
    )


def _win_claim(found: Found, other: str) -> Claim:
    printed = RECORDS[other]
    counts = {
        (kind, form): count_wins(average(found, kind, form), other)
        for kind, form in product(KINDS, QUICK_FORMS)
    }
    total = len(average(found, PUBLISHED))
    told = "; ".join(f"{kind}, {form.title}: {count}" for (kind, form), count in counts.items())
    return Claim(
        f"MAXIMUS has a larger DQ than {other} on most sets ({printed.wins} to {printed.losses}).",
        int(2 * counts[PUBLISHED, USUAL_FORM] > total),
        1,
        f"Of {total} sets, {told}.",
    )


def mean_dqs(means: Means) -> dict[str, float]:
    """The mean DQ over all sets, by method."""
    return {
        method: float(np.mean([each[method].dq for each in means.values()])) for method in SINGLE
    }


def _told(dqs: dict[str, float]) -> str:
    return ", ".join(f"{method} {value:.3f}" for method, value in dqs.items())


def _second_claim(means: dict[str, Means]) -> Claim:
    dqs = {kind: mean_dqs(each) for kind, each in means.items()}
    ranked = sorted(SINGLE, key=lambda method: -dqs[PUBLISHED][method])
    return Claim(
        "MAXIMUS and COALA are the best two by DQ.",
        sum(method in ranked[:2] for method in (MAXIMUS, "COALA")),
        2,
        f"Mean DQ: {_told(dqs[PUBLISHED])}; ours: {_told(dqs[OURS])}.",
    )


def _dissimilar_claim(means: dict[str, Means]) -> Claim:
    worse = {
        kind: [
            each
            for each in some.values()
            if any(each[MAXIMUS].quality < each[other].quality for other in _OTHERS)
        ]
        for kind, some in means.items()
    }
    made_up = {
        kind: sum(
            each[MAXIMUS].dissimilarity > float(np.median([each[m].dissimilarity for m in _OTHERS]))
            for each in some
        )
        for kind, some in worse.items()
    }
    return Claim(
        "Where MAXIMUS has a lower quality than another, it is more dissimilar than most others.",
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
        f"Mean DQ: {_told(dqs)}. With the term that coordinates it CIB has {ours['CIB']:.3f}.",
    )


def _nothing_new_claim(means: dict[str, Means]) -> Claim:
    some = [name for name in NOTHING_NEW if name in means[PUBLISHED]]
    values = {name: means[PUBLISHED][name]["CIB"].dissimilarity for name in some}
    told = ", ".join(f"{THIRTEEN[name]} {value:.2f}" for name, value in values.items())
    return Claim(
        f"CIB finds nothing new on {name_sets(some)} (a dissimilarity of 0).",
        sum(value == 0 for value in values.values()),
        len(values),
        f"Dissimilarities: {told}. CIB maximises what clusters tell beyond the classes, and the "
        "classes themselves tell nothing beyond themselves: they are its worst answer, so a search "
        "that returns them has not searched.",
    )


def _steady_claim(found: Found) -> Claim:
    names = list(dict.fromkeys(name for _, name, _ in found))

    def spread(name: str, method: str) -> float:
        return float(np.std([one.scores[USUAL_FORM].dq for one in found[PUBLISHED, name, method]]))

    spreads = {method: [spread(name, method) for name in names] for method in ("CondEns", MAXIMUS)}
    pairs = list(zip(*spreads.values(), strict=True))
    condens, maximus = (float(np.mean(each)) for each in spreads.values())
    return Claim(
        "CondEns is less steady than MAXIMUS: DQ spreads more over the seeds.",
        sum(first > second for first, second in pairs),
        len(pairs),
        f"The mean standard deviation is {condens:.3f} for CondEns and {maximus:.3f} for MAXIMUS; "
        "both start at random.",
    )


FIG14 = Experiment(
    "000-fig14",
    "One alternative by CIB, CondEns, COALA and MAXIMUS",
    "Fig. 14, p. 38",
    run,
    SETS,
    seeds=2,
)
