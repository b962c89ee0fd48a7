"""Fig. 14: one alternative of thirteen data sets by CIB, CondEns, COALA and MAXIMUS."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from clusterwise._utils.progress import track
from experiments.adco.fig14_claims import (
    MAXIMUS,
    RIVALS,
    Results,
    average,
    count_best,
    count_wins,
    make_claims,
)
from experiments.adco.methods import (
    KIND_REMARK,
    KINDS,
    PUBLISHED,
    SETS,
    SINGLE,
    AlternativeScores,
    find_one,
    mean,
)
from experiments.adco.optima import ALL_ORDERS, ORDERS, find_span, span_table
from experiments.adco.published_alternatives import BEST, RECORDS
from experiments.common.dunn_forms import (
    DUNN_REMARK,
    FORMS,
    QUICK_FORMS,
    USUAL_FORM,
    Form,
)
from experiments.common.experiment import Experiment, Line, Outcome, Setup, Table
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, make_case
from experiments.common.published_maximus import DQ_BY_BINNING


def run(setup: Setup) -> Outcome:
    """Run all methods, published and ours, on all data sets."""
    forms = FORMS if setup.full else QUICK_FORMS
    found: Results = {}
    spans = {}
    for name in track(SETS, len(SETS), "data sets", setup.progress):
        data = setup.load(name)
        case = make_case(data)
        spans[name] = find_span(data, ALL_ORDERS if setup.full else ORDERS)
        for kind in KINDS:
            for method in SINGLE:
                found[kind, name, method] = find_one(case, method, kind, setup.seeds, forms)
    tables = (
        _table(found),
        _record_table(found, forms),
        _similarity_table(found),
        span_table(spans),
    )
    return Outcome(tables, make_claims(found, spans), (KIND_REMARK, DUNN_REMARK))


def _table(found: Results) -> Table:
    lines = []
    for (kind, name, method), some in found.items():
        printed = DQ_BY_BINNING.get(name) if (kind, method) == (PUBLISHED, MAXIMUS) else None
        what = (MAXIMUS_DATASETS[name], kind, method)
        one = mean([each.scores[USUAL_FORM] for each in some])
        lines.append(Line((*what, "dissimilarity"), one.dissimilarity, None, _remark(some)))
        lines.append(Line((*what, "quality"), one.quality))
        width = None if printed is None else printed.width
        lines.append(Line((*what, "DQ"), one.dq, width, "from Table 11" if printed else ""))
    return Table("Fig. 14, means over seeds", ("data set", "kind", "by", "what"), lines)


def _remark(some: list[AlternativeScores]) -> str:
    if all(one.scores[USUAL_FORM].quality == 0 for one in some):
        return "one cluster"
    lopsided = sum(one.degenerate for one in some)
    return f"degenerate on {lopsided} of {len(some)}" if lopsided else ""


def _similarity_table(found: Results) -> Table:
    lines = [
        Line(
            (MAXIMUS_DATASETS[name], kind), float(np.mean([one.similarity or 0.0 for one in some]))
        )
        for (kind, name, method), some in found.items()
        if method == MAXIMUS
    ]
    title = "Similarity of the profiles of MAXIMUS to those of the classes, and the minimum"
    return Table(title, ("data set", "kind"), lines)


def _record_table(found: Results, forms: Sequence[Form]) -> Table:
    lines = []
    for kind, form in product(KINDS, forms):
        means = average(found, kind, form)
        for method in SINGLE:
            what = (kind, form.title, f"{method} is best")
            printed = BEST if method == MAXIMUS else None
            lines.append(Line(what, count_best(means, method), printed))
        for other in RIVALS:
            what = (kind, form.title, f"MAXIMUS is better than {other}")
            lines.append(Line(what, count_wins(means, other), RECORDS[other].wins))
    title = "Number of data sets, by DQ and Dunn index"
    return Table(title, ("kind", "distance / width", "what"), lines, 0)


FIG14 = Experiment(
    "adco-fig14",
    "One alternative by CIB, CondEns, COALA and MAXIMUS",
    "Fig. 14, p. 38",
    run,
    SETS,
    seeds=2,
)
