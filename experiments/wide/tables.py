"""The page of the study."""

from collections.abc import Iterator, Sequence

import numpy as np

from clusterwise._utils.tables import TextTable
from experiments.wide.data import SETTINGS
from experiments.wide.recovery import WideOutcome

_INTRODUCTION = """# Alternatives in wide and correlated data

Written by `{command}`.

Generated data with two clusterings, one of which is given: pictures of 24 × 24 pixels of persons in
poses under changing light; log counts of 1,000 genes; unit vectors of 384 coordinates, as models of
texts have; and fewer features, each of which is a little of a few factors of large variance. In all
of them, much of the variance is neither of the clusterings. Features are not scaled, since they
have one unit.

Values are the mean normalised mutual information with the hidden clustering. All methods but one
are told its number of clusters. `auto` is `cluster_again` as it is called by default; `whiten` and
`project and k-means` are `OrthogonalAlternative`, which `auto` also runs with 10, 20 and 50
components of the rest that are scaled to unit variance. `found` is the proportion of data sets in
which the alternative with the chosen number of clusters is convincing, `number` its mean number of
clusters."""


def list_sections(outcomes: Sequence[WideOutcome], command: str) -> Iterator[str | TextTable]:
    """Yield the text and the table."""
    yield _INTRODUCTION.format(command=command)
    methods = list(outcomes[0].nmi)
    rows = []
    for setting in SETTINGS:
        group = [one for one in outcomes if one.setting == setting.name]
        if group:
            counts = [str(setting.given), str(setting.hidden)]
            number = f"{np.mean([one.number for one in group]):.1f}"
            rows.append([setting.name, *counts, *_values(group, methods), number])
    rows.append(["mean", "", "", *_values(outcomes, methods), ""])
    header = ["data", "given", "hidden", *methods, "found", "number"]
    yield TextTable(header, rows, left=frozenset({0}))


def _values(group: Sequence[WideOutcome], methods: Sequence[str]) -> list[str]:
    means = [np.mean([one.nmi[method] for one in group]) for method in methods]
    return [f"{value:.3f}" for value in (*means, np.mean([one.found for one in group]))]
