"""In which way of making points the printed values of Table 5 come nearest, class in or out."""

from typing import NamedTuple

import numpy as np

from clusterwise.datasets.toy import Dataset
from experiments.adco.datasets import (
    SIX,
    WAYS,
    Key,
    Way,
    class_codes,
    cluster,
    make_points,
    measure,
)
from experiments.adco.published import TABLE_5, Measured
from experiments.common.experiment import Claim, Line, Table

# Values are printed with two digits.
_ROUNDING = 0.0051
# The printed Jaccard index is another function of the Rand index, and tells nothing new.
_TELLING = ("adco", "rand", "accuracy", "information")


class LabelOptions(NamedTuple):
    """One way of making points, and how far the measures are from the printed ones.

    ``gap`` is the mean difference; ``reached`` says that all are the same to the printed digits.
    """

    way: Way
    gap: float
    reached: bool


Readings = dict[Key, list[LabelOptions]]


def read_ways(data: Dataset, method: str) -> list[LabelOptions]:
    """Try every way once, with the class and without."""
    clusters = int(class_codes(data).max()) + 1
    printed = TABLE_5[data.name][method]
    readings = []
    for way in WAYS:
        if way.names and "nominal" not in data.kinds:
            continue
        for tried in (way, way._replace(classes=True)):
            labels = cluster(make_points(data, tried), clusters, method, 0)
            readings.append(read_way(tried, measure(data, [labels]), printed))
    return readings


def read_way(way: Way, ours: Measured, printed: Measured) -> LabelOptions:
    """How near this way comes, by the measures that tell something."""
    gaps = [abs(getattr(ours, key) - getattr(printed, key)) for key in _TELLING]
    return LabelOptions(way, float(np.mean(gaps)), max(gaps) < _ROUNDING)


def nearest(readings: list[LabelOptions], *, classes: bool) -> LabelOptions:
    """The way that comes nearest, among those with the class, or those without."""
    return min((one for one in readings if one.way.classes is classes), key=lambda one: one.gap)


def leak_table(readings: Readings) -> Table:
    """The nearest way without the class and with it."""
    lines = [
        Line((SIX[name], method, "left in" if classes else "removed"), best.gap, None, title)
        for (name, method), each in readings.items()
        for classes in (False, True)
        for best in [nearest(each, classes=classes)]
        for title in [best.way.title]
    ]
    title = "How near Table 5 can be reached: mean difference of ADCO, RI, CE and VI, best way"
    return Table(title, ("data set", "by", "class"), lines)


def leak_claim(readings: Readings) -> Claim:
    """Whether the class was removed, as far as the printed values tell."""
    leaked = [
        f"{SIX[name]} by {method}"
        for (name, method), each in readings.items()
        if any(one.reached for one in each if one.way.classes)
        and not any(one.reached for one in each if not one.way.classes)
    ]
    why = f"Reproduced only with the class included: {'; '.join(leaked)}." if leaked else ""
    return Claim(
        "The class was removed before clustering: no line of the table is reproduced to its digits "
        "only with the class included.",
        len(readings) - len(leaked),
        len(readings),
        why,
    )
