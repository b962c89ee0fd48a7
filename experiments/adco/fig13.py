"""Fig. 13: the time of ADCO against bins, features, clusters and objects."""

from collections.abc import Callable
from functools import partial
from math import log
from time import perf_counter

import numpy as np

from clusterwise._utils.progress import track
from clusterwise.inputs.encoding import Array
from clusterwise.measures.density import adco_score
from clusterwise.measures.information import variation_of_information
from clusterwise.measures.matching import clustering_error
from clusterwise.measures.pairs import pair_jaccard_score, rand_score
from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table

# The seconds of each measure at each size.
Times = dict[str, dict[int, float]]
ADCO, PAIRWISE = "ADCO", "RI, pair by pair"
OTHERS: dict[str, Callable[[Array, Array], float]] = {
    "RI": rand_score,
    "JI": pair_jaccard_score,
    "CE": clustering_error,
    "VI": variation_of_information,
}
_BINS = (1, 10, 100)
_FEATURES = (8, 16, 64)
_CLUSTERS = (2, 10, 100)
_OBJECTS = (10_000, 100_000, 1_000_000)
_FEW_OBJECTS = (8_000, 32_000)
_LOW_SECONDS = 1.0
# Times are noisy, so only large ratios decide.
_LITTLE = 3.0
_SIMILAR = 10.0
_SUBCUBIC = 2.0
_QUADRATIC = 1.5


def run(setup: Setup) -> Outcome:
    """Time the measures, varying one size at a time; the data are rows of diabetes."""
    base = setup.load("diabetes").X.astype(np.float64)
    most = _OBJECTS if setup.full else (*_OBJECTS[:-1], 300_000)
    steps: list[tuple[str, Callable[[], Times]]] = [
        ("bins", partial(_by_bins, base)),
        ("features", partial(_by_features, base)),
        ("clusters", partial(_by_clusters, base)),
        ("objects", partial(_by_objects, base, most)),
    ]
    times = {what: step() for what, step in track(steps, len(steps), "sweeps", setup.progress)}
    lines = [
        Line((what, name, str(size)), 1000 * seconds)
        for what, each in times.items()
        for name, sizes in each.items()
        for size, seconds in sizes.items()
    ]
    keys = ("grows", "measure", "to")
    table = Table("Fig. 13, milliseconds on this machine", keys, lines, 2)
    remarks = ("The figure prints no values. Labels are random; times are the minimum of five.",)
    return Outcome((table,), make_claims(times), remarks)


def _by_bins(base: Array) -> Times:
    a, b = _labels(len(base), 2)
    return {ADCO: {q: _time(partial(adco_score, a, b, base, n_bins=q)) for q in _BINS}}


def _by_features(base: Array) -> Times:
    a, b = _labels(len(base), 2)
    wide = {r: np.tile(base, (1, r // base.shape[1])) for r in _FEATURES}
    return {ADCO: {r: _time(partial(adco_score, a, b, X)) for r, X in wide.items()}}


def _by_clusters(base: Array) -> Times:
    pairs = {k: _labels(len(base), k) for k in _CLUSTERS}
    times = {ADCO: {k: _time(partial(adco_score, a, b, base)) for k, (a, b) in pairs.items()}}
    for name, other in OTHERS.items():
        times[name] = {k: _time(partial(other, *pair)) for k, pair in pairs.items()}
    return times


def _by_objects(base: Array, sizes: tuple[int, ...]) -> Times:
    rng = np.random.default_rng(0)
    pairs = {n: _labels(n, 2) for n in sizes}
    times: Times = {ADCO: {}}
    for n, (a, b) in pairs.items():
        X = base[rng.integers(len(base), size=n)]
        times[ADCO][n] = _time(partial(adco_score, a, b, X))
    for name, other in OTHERS.items():
        times[name] = {n: _time(partial(other, *pair)) for n, pair in pairs.items()}
    few = {n: _labels(n, 2) for n in _FEW_OBJECTS}
    times[PAIRWISE] = {n: _time(partial(rand_by_pairs, *p), 1) for n, p in few.items()}
    return times


def _labels(n: int, clusters: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(n + clusters)
    return rng.integers(clusters, size=n), rng.integers(clusters, size=n)


def rand_by_pairs(a: Array, b: Array) -> float:
    """Return the Rand index by its definition, from every pair of objects."""
    agree = sum(
        int(((a[i] == a[i + 1 :]) == (b[i] == b[i + 1 :])).sum()) for i in range(len(a) - 1)
    )
    return agree / (len(a) * (len(a) - 1) / 2)


def _time(call: Callable[[], float], repeats: int = 5) -> float:
    """Return the minimum of several times, after a first call that compiles."""
    call()
    seconds = []
    for _ in range(repeats):
        began = perf_counter()
        call()
        seconds.append(perf_counter() - began)
    return min(seconds)


def find_exponent(times: dict[int, float]) -> float:
    """Return the exponent with which time grows, from the last two sizes."""
    (small, before), (large, after) = list(times.items())[-2:]
    return log(after / before) / log(large / small)


def make_claims(times: dict[str, Times]) -> list[Claim]:
    """Check the claims on the figure."""
    bins, wide = times["bins"][ADCO], times["features"][ADCO]
    many, objects = times["clusters"], times["objects"]
    growth = {name: each[_CLUSTERS[-1]] / each[_CLUSTERS[0]] for name, each in many.items()}
    similar = [name for name in OTHERS if 1 / _SIMILAR <= growth[name] / growth[ADCO] <= _SIMILAR]
    powers = {name: find_exponent(each) for name, each in objects.items()}
    quadratic = [name for name in OTHERS if powers[name] > _QUADRATIC]
    listed = ", ".join(f"{name} {powers[name]:.1f}" for name in OTHERS)
    factor = bins[_BINS[-1]] / bins[_BINS[1]]
    width = wide[_FEATURES[-1]] / wide[_FEATURES[0]]
    power = find_exponent(many[ADCO])
    return [
        Claim(
            "Ten times as many bins have little effect on the time.",
            int(factor < _LITTLE),
            1,
            f"They take {factor:.1f} times as long.",
        ),
        Claim(
            "Time grows with the number of features, and stays low.",
            int(width > 1 and wide[_FEATURES[-1]] < _LOW_SECONDS),
            1,
            f"Eight times as many features take {width:.1f} times as long.",
        ),
        Claim(
            "The cubic worst case in the number of clusters does not occur.",
            int(power < _SUBCUBIC),
            1,
            f"From {_CLUSTERS[-2]} to {_CLUSTERS[-1]} clusters the time grows with exponent "
            f"{power:.1f}.",
        ),
        Claim(
            "The other measures behave similarly in the number of clusters.",
            len(similar),
            len(OTHERS),
            f"From {_CLUSTERS[0]} to {_CLUSTERS[-1]} clusters: "
            + ", ".join(f"{name} {each:.1f} times" for name, each in growth.items())
            + ".",
        ),
        Claim(
            "The time of ADCO is linear in the number of objects.",
            int(powers[ADCO] < _QUADRATIC),
            1,
            f"It grows with exponent {powers[ADCO]:.1f}.",
        ),
        Claim(
            "The time of the other measures is quadratic in the number of objects.",
            len(quadratic),
            len(OTHERS),
            f"Exponents: {listed}. All four are computed from the contingency table in one pass; "
            f"counting every pair has {powers[PAIRWISE]:.1f}.",
        ),
    ]


FIG13 = Experiment("adco-fig13", "The time of ADCO", "Fig. 13, p. 29", run, ("diabetes",))
