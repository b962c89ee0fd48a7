"""The settings of the simulation."""

from experiments.drift.columns import COLUMNS, DRIFTS
from experiments.drift.simulation import Setting

WINDOWS = (100, 1000)
_MANY = tuple(list(COLUMNS) * 2)
_NUMERIC = ("normal", "skewed (lognormal)", "heavy tails (Cauchy)", "integer (Poisson)")
_QUICK = ("normal", "binary", "20 categories", "1,000 categories", "unique ids")


def null_settings(*, quick: bool = False) -> list[Setting]:
    """Return settings without drift: every type of column, without clusters, with, and missing."""
    return [
        Setting((name,), window, clusters, missing)
        for name in (_QUICK if quick else COLUMNS)
        for window in (WINDOWS[:1] if quick else WINDOWS)
        for clusters, missing in ((1, False), (5, False), (5, True))
    ]


def other_settings(*, quick: bool = False) -> dict[str, Setting]:
    """Return settings without drift that differ in one respect, by their description."""
    if quick:
        return {}
    return {
        **{
            f"{name}, bins by {method}": Setting((name,), 1000, 5, binning=method)
            for name in _NUMERIC
            for method in ("frequency", "mdl")
        },
        "integer (Poisson), a bin per value": Setting(
            ("integer (Poisson)",), 1000, 5, binning="nominal"
        ),
        f"{len(_MANY)} columns, two of each type": Setting(_MANY, 500, 5),
        **{
            f"{name}, last window of 50": Setting((name,), 1000, 5, last=50)
            for name in ("normal", "20 categories", "1,000 categories")
        },
        **{
            f"{name}, windows of 5,000": Setting((name,), 5000, 5)
            for name in ("normal", "1,000 categories", "10,000 categories")
        },
    }


def drift_settings(*, quick: bool = False) -> list[Setting]:
    """Return settings in which the third window changes."""
    return [
        Setting((name,), window, 1, drift=drift.name)
        for drift in DRIFTS
        for name in drift.columns
        if not quick or name in _QUICK
        for window in (WINDOWS[1:] if quick else WINDOWS)
    ]
