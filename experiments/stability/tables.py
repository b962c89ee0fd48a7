"""The page of the study."""

from collections.abc import Iterator, Sequence

import numpy as np

from clusterwise._utils.tables import TextTable
from experiments.stability.simulation import (
    NULL_SETS,
    RESAMPLES,
    STARTS,
    NoiseOutcome,
    PlantedOutcome,
)

_INTRODUCTION = """# Are clusters stable beyond chance?

Written by `{command}`.

`assess` calls a clustering stable if it is more stable under resampling than data without clusters:
one Gaussian cluster with the same covariance, and one cluster with the unimodal distributions and
the rank correlations of the features. K-means ({starts} starts) with {resamples} bootstrap
resamples and {null_sets} data sets of each null model, of which none may be as stable."""
_NOISE = """## Noise

There are no clusters in these data. An alarm is a number of clusters that is stable beyond both
null models; the level of a single one is 0.05. `beyond Gaussian` and `beyond unimodal` are the
proportions that exceed one of them: a Gaussian cluster alone is not enough for features with bounds
or skewed ones, which k-means cuts in the same way each time."""
_PLANTED = """## Planted clusters

Normal clusters of unit variance; the distance is the root mean squared one of their centres, so
that some of them overlap. `stable` is the proportion of data sets in which the planted number is
stable beyond chance, `suggested` that in which it is also the number whose adjusted Rand index
exceeds the null model's most, of 2 to 7. Of the planted number: the proportion of clusters that are
stable (mean Jaccard index of at least 0.75), the mean adjusted Rand index of k-means with the
planted clusters, with the resamples, and that of the null model. Where k-means does not recover the
planted clusters, they should not be stable either."""


def list_sections(
    noise: Sequence[NoiseOutcome], planted: Sequence[PlantedOutcome], command: str
) -> Iterator[str | TextTable]:
    """Yield the text and the tables."""
    yield _INTRODUCTION.format(
        command=command, starts=STARTS, resamples=RESAMPLES, null_sets=NULL_SETS
    )
    yield _NOISE
    yield _noise_table("shape", [one.shape for one in noise], noise)
    yield _noise_table("clusters", [str(one.n_clusters) for one in noise], noise)
    yield _PLANTED
    yield _planted_table(planted)


def _noise_table(title: str, of: Sequence[str], noise: Sequence[NoiseOutcome]) -> TextTable:
    groups = {
        name: [one for one, own in zip(noise, of, strict=True) if own == name]
        for name in dict.fromkeys(of)
    }
    nulls = list(noise[0].beyond)
    rows = []
    for name, group in [*groups.items(), ("all", list(noise))]:
        alarms = sum(one.alarm for one in group)
        beyond = [f"{np.mean([one.beyond[null] for one in group]):.3f}" for null in nulls]
        rows.append(
            [
                name,
                str(len(group)),
                str(alarms),
                f"{alarms / len(group):.3f}",
                *beyond,
                f"{np.mean([one.ari for one in group]):.3f}",
            ]
        )
    header = [title, "tests", "alarms", "rate", *(f"beyond {one}" for one in nulls), "mean ARI"]
    return TextTable([one.replace("gaussian", "Gaussian") for one in header], rows)


def _planted_table(planted: Sequence[PlantedOutcome]) -> TextTable:
    names = list(dict.fromkeys(one.setting for one in planted))
    groups = [(name, [one for one in planted if one.setting == name]) for name in names]
    rows = [
        [name, str(len(group)), *(f"{value:.3f}" for value in _means(group))]
        for name, group in [*groups, ("all", list(planted))]
    ]
    header = [
        "setting", "data sets", "stable", "suggested", "stable clusters", "ARI with planted",
        "ARI with resamples", "null ARI",
    ]  # fmt: skip
    return TextTable(header, rows)


def _means(group: Sequence[PlantedOutcome]) -> list[float]:
    return [
        float(np.mean([one[i] for one in group])) for i in range(1, len(PlantedOutcome._fields))
    ]
