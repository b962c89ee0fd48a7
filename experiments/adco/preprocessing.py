"""Which preprocessing comes closest to the printed values of Table 5, with or without class."""

from typing import NamedTuple

import numpy as np

from clusterwise.datasets.toy import Dataset
from experiments.adco.datasets import (
    DATASETS,
    PREPROCESSINGS,
    Key,
    Preprocessing,
    class_codes,
    cluster,
    make_points,
    measure,
)
from experiments.adco.published import TABLE_5, Measures
from experiments.common.experiment import Claim, Line, Table

# Values are printed with two digits.
_ROUNDING = 0.0051
# The printed Jaccard index is a function of the Rand index and adds no information.
_INFORMATIVE = ("adco", "rand", "accuracy", "information")


class Attempt(NamedTuple):
    """A preprocessing, and how far its measures are from the printed ones.

    ``gap`` is the mean difference; ``reached`` means that all agree to the printed digits.
    """

    steps: Preprocessing
    gap: float
    reached: bool


Attempts = dict[Key, list[Attempt]]


def try_preprocessings(data: Dataset, method: str) -> list[Attempt]:
    """Try every preprocessing once, with the class and without."""
    clusters = int(class_codes(data).max()) + 1
    printed = TABLE_5[data.name][method]
    attempts = []
    for steps in PREPROCESSINGS:
        if steps.categories and "nominal" not in data.kinds:
            continue
        for tried in (steps, steps._replace(classes=True)):
            labels = cluster(make_points(data, tried), clusters, method, 0)
            attempts.append(measure_gap(tried, measure(data, [labels]), printed))
    return attempts


def measure_gap(steps: Preprocessing, ours: Measures, printed: Measures) -> Attempt:
    """Return the differences of the informative measures from the printed ones."""
    gaps = [abs(getattr(ours, key) - getattr(printed, key)) for key in _INFORMATIVE]
    return Attempt(steps, float(np.mean(gaps)), max(gaps) < _ROUNDING)


def nearest(attempts: list[Attempt], *, classes: bool) -> Attempt:
    """Return the closest preprocessing with the class, or without."""
    return min((one for one in attempts if one.steps.classes is classes), key=lambda one: one.gap)


def leak_table(attempts: Attempts) -> Table:
    """Return the closest preprocessing without the class and with it."""
    lines = [
        Line((DATASETS[name], method, "included" if classes else "removed"), best.gap, None, title)
        for (name, method), each in attempts.items()
        for classes in (False, True)
        for best in [nearest(each, classes=classes)]
        for title in [best.steps.title]
    ]
    title = "Closest preprocessing to Table 5: mean difference of ADCO, RI, CE and VI"
    return Table(title, ("data set", "by", "class"), lines)


def leak_claim(attempts: Attempts) -> Claim:
    """Check by the lines that can be reproduced whether the class was removed."""
    reproduced = [key for key, each in attempts.items() if any(one.reached for one in each)]
    leaked = [
        key for key in reproduced if all(one.steps.classes for one in attempts[key] if one.reached)
    ]
    why = [
        f"No preprocessing reproduces {len(attempts) - len(reproduced)} of {len(attempts)} lines."
    ]
    if leaked:
        lines = "; ".join(f"{DATASETS[name]} by {method}" for name, method in leaked)
        why.append(f"Reproduced only with the class included: {lines}.")
    return Claim(
        "The class was removed before clustering: every line that can be reproduced to its digits "
        "is reproduced without the class.",
        len(reproduced) - len(leaked),
        len(reproduced),
        " ".join(why),
    )
