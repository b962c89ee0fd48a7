"""The page of the study."""

from collections.abc import Iterator, Sequence

import numpy as np

from clusterwise._utils.tables import TextTable
from experiments.evidence.simulation import NoiseOutcome, PlantedOutcome

_INTRODUCTION = """# Are alternatives more than noise?

Written by `{command}`.

`cluster_again` returns an alternative only if it is convincing: if there is evidence for it against
one cluster, and if it is found again. This page shows how often it is wrong."""
_NOISE = """## Noise

There is no alternative in these data: objects are drawn from one distribution, independently of
the given clustering but for its centres and scales. The given clusters are random, intervals of
the first feature, or the only clusters that there are (three normal centres, with a standard
deviation of four times that of the objects), with the same shape or stretched differently. An alarm
is a result that is not empty. The evidence is the largest of all attempts; it is positive for
alternatives that are more than noise."""
_PLANTED = """## Planted alternatives

Data of the study of methods ([alternatives.md](alternatives.md)), with other seeds and with
features scaled, as is the default. The number of clusters is not told. `found` is the proportion of
data sets with a convincing alternative. Of these: the mean adjusted Rand index with the hidden
clustering that is most similar, the proportion with the right number of clusters, the mean adjusted
Rand index of the first alternatives of two seeds, and the proportion in which the second seed finds
one at all."""


def list_sections(
    noise: Sequence[NoiseOutcome], planted: Sequence[PlantedOutcome], command: str
) -> Iterator[str | TextTable]:
    """Yield the text and the tables."""
    yield _INTRODUCTION.format(command=command)
    yield _NOISE
    shapes = list(dict.fromkeys(one.shape for one in noise))
    yield _noise_table("shape", shapes, [one.shape for one in noise], noise)
    givens = list(dict.fromkeys(one.given for one in noise))
    yield _noise_table("given clustering", givens, [one.given for one in noise], noise)
    yield _PLANTED
    yield _planted_table(planted)


def _noise_table(
    title: str, names: Sequence[str], of: Sequence[str], noise: Sequence[NoiseOutcome]
) -> TextTable:
    rows = []
    groups = [
        (name, [one for one, own in zip(noise, of, strict=True) if own == name]) for name in names
    ]
    for name, group in [*groups, ("all", list(noise))]:
        alarms = sum(one.alarm for one in group)
        evidence = [one.evidence for one in group]
        rows.append(
            [
                name,
                str(len(group)),
                str(alarms),
                f"{alarms / len(group):.3f}",
                f"{np.median(evidence):.0f}",
                f"{np.max(evidence):.0f}",
            ]
        )
    header = [title, "data sets", "alarms", "rate", "median evidence", "largest"]
    return TextTable(header, rows, left=frozenset({0}))


def _planted_table(planted: Sequence[PlantedOutcome]) -> TextTable:
    rows = []
    names = list(dict.fromkeys(one.setting for one in planted))
    groups = [(name, [one for one in planted if one.setting == name]) for name in names]
    for name, group in [*groups, ("all", list(planted))]:
        found = [one for one in group if one.ari is not None]
        seeds = [one.seeds for one in found if one.seeds is not None]
        rows.append(
            [
                name,
                str(len(group)),
                f"{len(found) / len(group):.3f}",
                _mean([one.ari for one in found if one.ari is not None]),
                _mean([float(bool(one.number)) for one in found]),
                _mean(seeds),
                f"{len(seeds) / len(found):.3f}" if found else "",
                f"{np.min([one.evidence for one in group]):.0f}",
            ]
        )
    header = [
        "setting", "data sets", "found", "ARI", "right number", "ARI of two seeds",
        "found by both", "least evidence",
    ]  # fmt: skip
    return TextTable(header, rows, left=frozenset({0}))


def _mean(values: Sequence[float]) -> str:
    return f"{np.mean(values):.3f}" if values else ""
