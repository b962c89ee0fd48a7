"""The effect of ties among the optima of MAXIMUS's integer program."""

from typing import NamedTuple

import numpy as np

from clusterwise.datasets.toy import Dataset
from experiments.adco.methods import PUBLISHED, find
from experiments.common.dunn_forms import judge_by_form
from experiments.common.experiment import Line, Table
from experiments.common.maximus_datasets import MAXIMUS_DATASETS, make_case

# Orders of the features; many more in full.
ORDERS, ALL_ORDERS = 4, 20
_MATTERS = 0.05


class Span(NamedTuple):
    """The smallest and the largest DQ over several orders of the features."""

    least: float
    largest: float

    @property
    def width(self) -> float:
        """The difference of both."""
        return self.largest - self.least


def shuffle(data: Dataset, seed: int) -> Dataset:
    """Return the data set with its features in another order; the original one for 0."""
    if not seed:
        return data
    order = np.random.default_rng(seed).permutation(len(data.kinds))
    return data._replace(
        X=data.X[:, order],
        feature_names=tuple(data.feature_names[i] for i in order),
        kinds=tuple(data.kinds[i] for i in order),
    )


def find_span(data: Dataset, orders: int) -> Span:
    """Run MAXIMUS as published with the features in several orders."""
    dqs = []
    for seed in range(orders):
        case = make_case(shuffle(data, seed))
        labels = find(case, "MAXIMUS", PUBLISHED, 0).labels[0]
        dqs.append(judge_by_form(case.points, case.given, labels).dq)
    return Span(min(dqs), max(dqs))


def span_table(spans: dict[str, Span]) -> Table:
    """Return the smallest and the largest DQ of each data set."""
    lines = [
        Line((MAXIMUS_DATASETS[name], what), getattr(span, what))
        for name, span in spans.items()
        for what in Span._fields
    ]
    title = "DQ of MAXIMUS as published, with the features in several orders"
    return Table(title, ("data set", "DQ"), lines)


def describe_spans(spans: dict[str, Span]) -> str:
    """State on how many data sets the order matters, and on which one most."""
    if not spans:
        return ""
    moved = [name for name, span in spans.items() if span.width > _MATTERS]
    most = max(spans, key=lambda name: spans[name].width)
    least, largest = spans[most]
    return (
        "If the columns of a data set are reordered, which does not change the problem, DQ "
        f"differs by more than {_MATTERS} on {len(moved)} of {len(spans)} sets, most on "
        f"{MAXIMUS_DATASETS[most]} ({least:.2f} to {largest:.2f})."
    )
