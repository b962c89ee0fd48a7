"""Fig. 7: the effect of COALA's threshold on quality and dissimilarity."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.tradeoff import tradeoff_curve
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ
from experiments.adco.datasets import Preprocessing, class_codes, make_points
from experiments.coala.published import CURVES, OMEGA, REAL
from experiments.coala.real import DEFAULT_PREPROCESSING, PREPROCESSINGS
from experiments.common.dunn_forms import DUNN_REMARK, FORMS, USUAL_FORM, Form, judge_by_form
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# A rank correlation beyond this is a trend.
_TREND = 0.5
# Above 1 every merge is the nearest one.
_PLAIN = 2.0
_STEPS, _FULL_STEPS = 10, 50


class Curve(NamedTuple):
    """Scores for every threshold, whether the result is degenerate, and plain linkage."""

    omegas: tuple[float, ...]
    scores: tuple[DQ, ...]
    degenerate: tuple[bool, ...]
    plain: DQ

    def values(self, what: str) -> Array:
        """Return one of the scores along the curve."""
        return np.array([getattr(one, what) for one in self.scores])


# By preprocessing, Dunn index, and data set.
Curves = dict[tuple[Preprocessing, Form, str], Curve]


def run(setup: Setup) -> Outcome:
    """Compute the curves of all data sets, with and without scaling."""
    omegas = list_omegas(full=setup.full)
    curves: Curves = {}
    tasks = [(steps, name) for steps in PREPROCESSINGS for name in CURVES]
    for steps, name in track(tasks, len(tasks), "data sets", setup.progress):
        for form, curve in draw(setup.load(name), steps, omegas).items():
            curves[steps, form, name] = curve
    usual = {name: curves[DEFAULT_PREPROCESSING, USUAL_FORM, name] for name in CURVES}
    tables = (_table(usual), _trend_table(curves))
    return Outcome(tables, make_claims(usual), (DUNN_REMARK,))


def list_omegas(*, full: bool) -> list[float]:
    """Return thresholds in steps of 0.1, or of 0.02 in full."""
    steps = _FULL_STEPS if full else _STEPS
    return [step / steps for step in range(steps + 1)]


def draw(data: Dataset, steps: Preprocessing, omegas: Sequence[float]) -> dict[Form, Curve]:
    """Return the curve of one data set, by every Dunn index."""
    points, given = make_points(data, steps), class_codes(data)
    found = tradeoff_curve(
        points, given, omegas, scale=False, quality="dunn_centroids", progress=False
    )
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
        for omega, scores, degenerate in zip(
            curve.omegas, curve.scores, curve.degenerate, strict=True
        ):
            remark = "degenerate" if degenerate else ""
            what = (REAL[name], f"{omega:g}")
            lines.append(Line((*what, "quality"), scores.quality, None, remark))
            lines.append(Line((*what, "dissimilarity"), scores.dissimilarity))
            lines.append(Line((*what, "DQ"), scores.dq))
    return Table("Fig. 7", ("data set", "omega", "what"), lines)


def _trend_table(curves: Curves) -> Table:
    lines = []
    for steps in PREPROCESSINGS:
        whats = [("quality", form) for form in FORMS] + [("dissimilarity", USUAL_FORM)]
        for what, form in whats:
            some = [curves[steps, form, name] for name in CURVES]
            title = form.title if what == "quality" else ""
            count = sum(trend(curve, what) for curve in some)
            lines.append(Line((steps.title, what, title), count, len(some)))
    title = "Number of data sets whose quality rises, or dissimilarity falls, with omega"
    return Table(title, ("points", "what", "distance / width"), lines, 0)


def correlate(first: Sequence[float] | Array, second: Sequence[float] | Array) -> float:
    """Return the rank correlation; 0 if one of the arrays is constant."""
    from scipy.stats import rankdata

    ranks = rankdata(first), rankdata(second)
    if any(np.ptp(each) == 0 for each in ranks):
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def trend(curve: Curve, what: str) -> bool:
    """Check whether quality rises, or dissimilarity falls, with omega."""
    sign = 1.0 if what == "quality" else -1.0
    return sign * correlate(curve.omegas, curve.values(what)) > _TREND


def make_claims(curves: dict[str, Curve]) -> list[Claim]:
    """Check the claims on the figure with these curves."""
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
    """Return the thresholds with the largest DQ."""
    dq = curve.values("dq")
    return [omega for omega, value in zip(curve.omegas, dq, strict=True) if value == dq.max()]


def at(curve: Curve, omega: float) -> float:
    """Return the DQ at the threshold nearest to this one."""
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
