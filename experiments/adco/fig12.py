"""Fig. 12: ADCO against the number of bins, from 1 to 100."""

from itertools import combinations

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.measures.density import adco_score
from clusterwise.summaries.profile.profile import DensityProfile
from experiments.adco.datasets import DATASETS, METHODS, Key, class_codes, cluster_all
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# A curve for each method: ADCO for each number of bins.
Curves = dict[str, Array]
_MOST = 100
_SHOWN = (1, 2, 5, 10, 20, 50, 100)
# The end of the curve, where it should hardly change.
_TAIL = 20
_FLAT = 0.02
_CROSSING = "glass"
_LIMIT = "limit"


def run(setup: Setup) -> Outcome:
    """Compute the curves of the six data sets; the quick form skips most numbers above twenty."""
    counts = list_bins(setup.full)
    curves: dict[str, Curves] = {}
    limits: dict[str, dict[str, float]] = {}
    for name in track(DATASETS, len(DATASETS), "data sets", setup.progress):
        data = setup.load(name)
        given = class_codes(data)
        binnings = [Binning("width", count).fit(data.X) for count in counts]
        binnings.append(Binning("nominal").fit(data.X))
        givens = [DensityProfile.from_data(data.X, given, binning=each) for each in binnings]
        scores = {
            method: np.mean(
                [
                    [
                        adco_score(one, DensityProfile.from_data(data.X, labels, binning=each))
                        for one, each in zip(givens, binnings, strict=True)
                    ]
                    for labels in cluster_all(setup, data, method)
                ],
                axis=0,
            )
            for method in METHODS
        }
        curves[name] = {method: each[:-1] for method, each in scores.items()}
        limits[name] = {method: float(each[-1]) for method, each in scores.items()}
    remarks = ("The figure prints no values. The limit is one bin per distinct value.",)
    return Outcome((_table(counts, curves, limits),), make_claims(counts, curves, limits), remarks)


def list_bins(full: bool) -> list[int]:
    """Return the numbers of bins: up to 100, or up to 20 and then every fifth."""
    return list(range(1, _MOST + 1)) if full else [*range(1, 20), *range(20, _MOST + 1, 5)]


def _table(
    counts: list[int], curves: dict[str, Curves], limits: dict[str, dict[str, float]]
) -> Table:
    lines = []
    for name, each in curves.items():
        for method, curve in each.items():
            values = [(str(count), float(curve[counts.index(count)])) for count in _SHOWN]
            for count, value in [*values, (_LIMIT, limits[name][method])]:
                lines.append(Line((DATASETS[name], method, count), value))
    return Table("Fig. 12, ADCO by the number of bins", ("data set", "by", "bins"), lines)


def find_crossings(counts: list[int], curves: Curves) -> list[int]:
    """Return the numbers of bins with which two methods are ordered differently than with ten."""
    usual = counts.index(10)
    crossed = np.zeros(len(counts), bool)
    for a, b in combinations(curves.values(), 2):
        gap = a - b
        crossed |= gap * gap[usual] < 0
    return [count for count, cross in zip(counts, crossed, strict=True) if cross]


def make_claims(
    counts: list[int], curves: dict[str, Curves], limits: dict[str, dict[str, float]]
) -> list[Claim]:
    """Check the claims on the figure."""
    tail = [i for i, count in enumerate(counts) if count >= _MOST - _TAIL]
    all_curves = [(name, method) for name in curves for method in curves[name]]
    changes = {key: float(np.ptp(curves[key[0]][key[1]][tail])) for key in all_curves}
    rests = {
        key: abs(float(curves[key[0]][key[1]][-1]) - limits[key[0]][key[1]]) for key in changes
    }
    crossings = {name: find_crossings(counts, each) for name, each in curves.items()}
    kept = [name for name, each in crossings.items() if not each]
    others = [name for name in curves if name != _CROSSING]
    crossed = "; ".join(
        f"{DATASETS[name]} at {_span(each)}" for name, each in crossings.items() if each
    )
    return [
        Claim(
            f"ADCO levels off: from {_MOST - _TAIL} to {_MOST} bins it changes by at most {_FLAT}.",
            sum(change <= _FLAT for change in changes.values()),
            len(changes),
            f"It changes by up to {max(changes.values()):.3f}.",
        ),
        Claim(
            f"With {_MOST} bins it is within {_FLAT} of its limit.",
            sum(rest <= _FLAT for rest in rests.values()),
            len(rests),
            _farther(rests),
        ),
        Claim(
            "On all data sets except the fourth (Glass) the order of the methods is the same for "
            "every number of bins.",
            sum(name in kept for name in others),
            len(others),
            f"It differs from the order with ten bins on: {crossed}." if crossed else "",
        ),
        Claim(
            "On Glass the order changes.",
            int(_CROSSING not in kept),
            1,
            f"In our runs two methods come as close as {find_least_gap(curves[_CROSSING]):.2f}.",
        ),
    ]


def find_least_gap(curves: Curves) -> float:
    """Return the smallest difference between two curves."""
    return min(float(np.abs(a - b).min()) for a, b in combinations(curves.values(), 2))


def _farther(rests: dict[Key, float]) -> str:
    far = "; ".join(
        f"{DATASETS[name]} by {method} {rest:.2f}"
        for (name, method), rest in rests.items()
        if rest > _FLAT
    )
    more = "Features of these data sets have more than a hundred values, which finer bins separate."
    return f"Farther away: {far}. {more}" if far else ""


def _span(counts: list[int]) -> str:
    some = ", ".join(map(str, counts[:4]))
    return f"{some} and {len(counts) - 4} more" if len(counts) > 4 else some


FIG12 = Experiment(
    "adco-fig12", "ADCO against the number of bins", "Fig. 12, p. 28", run, tuple(DATASETS), seeds=3
)
