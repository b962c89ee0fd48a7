"""Hard labellings compared with the truth by VI, Rand and CSS."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import variation_of_information
from clusterwise.measures.pairs import rand_score
from clusterwise.measures.transport import css_distance
from experiments.common.experiment import Line, Table

MEASURES = ("VI", "Rand", "CSS/100")
_UNKNOWN = (None,) * len(MEASURES)


class LabellingScores(NamedTuple):
    """A labelling against the truth: VI divided by log K + log J, Rand, and CSS/100."""

    vi: float
    rand: float
    css: float


Found = Mapping[str, Sequence[LabellingScores]]


def judge_labels(truth: Any, labels: Any, points: Array) -> LabellingScores:
    """Return all three measures; noise is a cluster."""
    return LabellingScores(
        variation_of_information(truth, labels, normalized="clusters"),
        rand_score(truth, labels),
        css_distance(truth, labels, points) / 100,
    )


def by_name(runs: Sequence[Mapping[str, LabellingScores]]) -> dict[str, list[LabellingScores]]:
    """Return the labellings of all seeds."""
    return {name: [run[name] for run in runs] for name in runs[0]}


def means(some: Sequence[LabellingScores]) -> LabellingScores:
    """Return the mean of each measure over the seeds."""
    return LabellingScores(*(float(value) for value in np.mean(some, axis=0)))


def table_of(
    title: str,
    found: Found,
    printed: Mapping[str, tuple[float, ...]],
    remarks: Mapping[tuple[str, str], str],
) -> Table:
    """Return means over seeds next to the printed values, if any."""
    lines = [
        Line((name, measure), ours, published, remarks.get((name, measure), ""))
        for name, some in found.items()
        for measure, ours, published in zip(
            MEASURES, means(some), printed.get(name, _UNKNOWN), strict=True
        )
    ]
    return Table(title, ("labelling", "measure"), lines)
