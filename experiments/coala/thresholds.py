"""Fig. 7: what COALA's threshold does to quality and dissimilarity."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.tradeoff import tradeoff_curve
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from experiments.adco.datasets import Way, class_codes, make_points
from experiments.coala.published import CURVES, OMEGA, REAL
from experiments.coala.real import USUAL_WAY, WAYS
from experiments.common.dunn_forms import DUNN_REMARK, FORMS, USUAL_FORM, Form, judge_by_form
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# A rank correlation beyond this is a trend.
_TREND = 0.5
# More than 1: every merge is the nearest one.
_PLAIN = 2.0
_STEPS, _FULL_STEPS = 10, 50


class Curve(NamedTuple):
    """Scores for every threshold, whether the answer is degenerate, and plain linkage."""

    omegas: tuple[float, ...]
    scores: tuple[DQ, ...]
    degenerate: tuple[bool, ...]
    plain: DQ

    def values(self, what: str) -> Array:
        """One of the scores along the curve."""
        return np.array([getattr(one, what) for one in self.scores])


# By way of making points, form of Dunn's index, and set.
Curves = dict[tuple[Way, Form, str], Curve]


def run(setup: Setup) -> Outcome:
    """The curves of all sets, as points are usually made and as they are."""
    omegas = list_omegas(full=setup.full)
    curves: Curves = {}
    tasks = [(way, name) for way in WAYS for name in CURVES]
    for way, name in track(tasks, len(tasks), "data sets", setup.progress):
        for form, curve in draw(setup.load(name), way, omegas).items():
            curves[way, form, name] = curve
    usual = {name: curves[USUAL_WAY, USUAL_FORM, name] for name in CURVES}
    tables = (_table(usual), _readings(curves))
    return Outcome(tables, make_claims(usual), (DUNN_REMARK,))


def list_omegas(*, full: bool) -> list[float]:
    """Thresholds in steps of 0.1, or of 0.02 in full."""
    steps = _FULL_STEPS if full else _STEPS
    return [step / steps for step in range(steps + 1)]


def draw(data: Dataset, way: Way, omegas: Sequence[float]) -> dict[Form, Curve]:
    """The curve of one set, by every form of Dunn's index."""
    points, given = make_points(data, way), class_codes(data)
    found = tradeoff_curve(points, given, omegas, quality="dunn_centroids", progress=False)
    plain = COALA(omega=_PLAIN, progress=False).fit(points, given).labels_
    return {
        form: Curve(
            tuple(omegas),
            tuple(judge_by_form(points, given, labels, form) for labels in found.labels),
            tuple(found.degenerate.tolist()),
            judge_by_form(points, given, plain, form),
        )
        for form in FORMS
    }


def _table(curves: dict[str, Curve]) -> Table:
    lines = []
    for name, curve in curves.items():
        for omega, scores, lopsided in zip(
            curve.omegas, curve.scores, curve.degenerate, strict=True
        ):
            remark = "degenerate" if lopsided else ""
            what = (REAL[name], f"{omega:g}")
            lines.append(Line((*what, "quality"), scores.quality, None, remark))
            lines.append(Line((*what, "dissimilarity"), scores.dissimilarity))
            lines.append(Line((*what, "DQ"), scores.dq))
    return Table("Fig. 7", ("data set", "omega", "what"), lines)


def _readings(curves: Curves) -> Table:
    lines = []
    for way in WAYS:
        whats = [("quality", form) for form in FORMS] + [("dissimilarity", USUAL_FORM)]
        for what, form in whats:
            some = [curves[way, form, name] for name in CURVES]
            title = form.title if what == "quality" else ""
            count = sum(trend(curve, what) for curve in some)
            lines.append(Line((way.title, what, title), count, len(some)))
    title = "Sets whose quality rises and whose dissimilarity falls with omega, by other readings"
    return Table(title, ("points", "what", "distance / width"), lines, 0)


def correlate(first: Sequence[float] | Array, second: Sequence[float] | Array) -> float:
    """The rank correlation; 0 if one of them never changes."""
    from scipy.stats import rankdata

    ranks = rankdata(first), rankdata(second)
    if any(np.ptp(each) == 0 for each in ranks):
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def trend(curve: Curve, what: str) -> bool:
    """Whether quality rises, or dissimilarity falls, with omega."""
    sign = 1.0 if what == "quality" else -1.0
    return sign * correlate(curve.omegas, curve.values(what)) > _TREND


def make_claims(curves: dict[str, Curve]) -> list[Claim]:
    """What the text says of the figure, on these curves."""
    count = len(curves)
    inverse = {
        name: correlate(curve.values("quality"), curve.values("dissimilarity"))
        for name, curve in curves.items()
    }
    best = {name: find_best(curve) for name, curve in curves.items()}
    uneven = [
        name for name, curve in curves.items() if (np.diff(curve.values("quality")) < 0).any()
    ]
    turned = [
        name for name, curve in curves.items() if curve.scores[0].quality > curve.plain.quality
    ]
    return [
        _trend_claim(curves, "quality", "Quality rises with omega."),
        _trend_claim(curves, "dissimilarity", "Dissimilarity falls with omega."),
        Claim(
            "Quality falls where dissimilarity rises.",
            sum(value < -_TREND for value in inverse.values()),
            count,
            f"Rank correlations: {_list(inverse)}. Dissimilarity hardly changes with few and large "
            f"clusters: {_ranges(curves)}.",
        ),
        Claim(
            f"A threshold of {OMEGA} is best (has the largest DQ).",
            sum(OMEGA in omegas for omegas in best.values()),
            count,
            "The largest DQ is at "
            + "; ".join(
                f"{', '.join(f'{omega:g}' for omega in omegas)} on {REAL[name]} "
                f"({max(curves[name].values('dq')):.2f}, at {OMEGA} {at(curves[name], OMEGA):.2f})"
                for name, omegas in best.items()
            )
            + ".",
        ),
        Claim("The increase of quality is not monotonic.", len(uneven), count),
        Claim(
            "Algorithm 2 as printed has a larger quality at omega 1 than at 0, as in Fig. 7(a).",
            len(turned),
            count,
            "Its branches are swapped: as printed, 0 is plain average linkage, and 1 takes every "
            "available dissimilar merge. Quality is then "
            + "; ".join(
                f"{curve.plain.quality:.2f} at 0 and {curve.scores[0].quality:.2f} at 1 on "
                f"{REAL[name]}"
                for name, curve in curves.items()
            )
            + ". The text is correct, and is what we run.",
        ),
    ]


def _trend_claim(curves: dict[str, Curve], what: str, sentence: str) -> Claim:
    values = {name: correlate(curve.omegas, curve.values(what)) for name, curve in curves.items()}
    return Claim(
        sentence,
        sum(trend(curve, what) for curve in curves.values()),
        len(curves),
        f"Rank correlations: {_list(values)}.",
    )


def find_best(curve: Curve) -> list[float]:
    """The thresholds with the largest DQ."""
    dq = curve.values("dq")
    return [omega for omega, value in zip(curve.omegas, dq, strict=True) if value == dq.max()]


def at(curve: Curve, omega: float) -> float:
    """DQ at the threshold that is nearest to this one."""
    nearest = int(np.argmin(np.abs(np.array(curve.omegas) - omega)))
    return curve.scores[nearest].dq


def _list(values: dict[str, float]) -> str:
    return ", ".join(f"{REAL[name]} {value:.2f}" for name, value in values.items())


def _ranges(curves: dict[str, Curve]) -> str:
    return ", ".join(
        f"{REAL[name]} {values.min():.2f} to {values.max():.2f}"
        for name, curve in curves.items()
        for values in [curve.values("dissimilarity")]
    )


FIG7 = Experiment(
    "coala-fig7",
    "COALA's threshold: quality against dissimilarity",
    "Fig. 7, section 5.4",
    run,
    CURVES,
)
