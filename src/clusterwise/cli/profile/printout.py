"""The printout of ``profile``: the dense bins of each cluster."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.tables import TextTable, format_number, format_percent
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import Printout, json_text, write, write_printout
from clusterwise.comparing.compare_profiles import ProfileComparison, compare_profiles
from clusterwise.comparing.matches import MatchBy
from clusterwise.inputs.encoding import name_list
from clusterwise.summaries.profile.profile import DensityProfile

_HEADER = ("cluster", "feature", "bin", "count")


class DenseRegion(NamedTuple):
    """A bin in which a cluster is denser than all objects are."""

    feature: str
    bin: str
    share_of_cluster: float
    share_of_all: float
    lift: float


class ClusterRegions(NamedTuple):
    """A cluster, its size, and its dense bins, the most distinctive first."""

    cluster: Any
    objects: int | float
    share_of_all: float
    regions: list[DenseRegion]


def print_profile(profile: DensityProfile, name: str, top: int, writing: OutputOptions) -> None:
    """Print one profile."""
    if writing.output_format == "csv":
        text = csv_text(_HEADER, _long_rows(profile), excel_safe=writing.excel_safe)
        write(text, writing.output)
    elif writing.output_format == "json":
        write(json_text(_as_dict(profile, name, top)), writing.output)
    else:
        table = _table(dense_regions(profile, top), name)
        write_printout(Printout([table]), writing.output_format, writing.output)


def compare_pairs(
    profiles: dict[str, DensityProfile], match: MatchBy, noise_label: Any
) -> list[ProfileComparison]:
    """Compare every two profiles."""
    return [
        compare_profiles(
            profiles[a], profiles[b], names=(a, b), match=match, noise_label=noise_label
        )
        for a, b in combinations(profiles, 2)
    ]


def print_profiles(
    profiles: dict[str, DensityProfile],
    found: list[ProfileComparison],
    name: str,
    top: int,
    writing: OutputOptions,
) -> None:
    """Print the profiles of several files, and their similarity."""
    if writing.output_format == "csv":
        rows = ((file, *row) for file, one in profiles.items() for row in _long_rows(one))
        text = csv_text(("file", *_HEADER), rows, excel_safe=writing.excel_safe)
        write(text, writing.output)
    elif writing.output_format == "json":
        files = [{"file": file, **_as_dict(one, name, top)} for file, one in profiles.items()]
        pairs = [
            {"a": one.names[0], "b": one.names[1], "adco_score": one.adco, "summary": one.summary()}
            for one in found
        ]
        write(json_text({"files": files, "adco_score": pairs}), writing.output)
    else:
        tables = [
            replace(
                _table(dense_regions(one, top), name),
                title=f"{file}: {format_number(one.n)} objects",
            )
            for file, one in profiles.items()
        ]
        sentences = [f"{' and '.join(one.names)}: {one.summary()}" for one in found]
        write_printout(Printout(tables, sentences), writing.output_format, writing.output)


def dense_regions(profile: DensityProfile, top: int) -> list[ClusterRegions]:
    """Return the most distinctive bin of each of the ``top`` most distinctive features.

    Bins are ranked by p · log(lift), where p is the proportion of the cluster in the bin: the
    bin's part of the Kullback-Leibler divergence between the cluster and all objects. Lift alone
    would favour bins with very few objects.
    """
    binning, n = profile.binning, profile.sizes.sum()
    bin_names = binning.bin_names()
    of_all = profile.counts.sum(axis=0) / n
    clusters = []
    for name, size, counts in zip(
        name_list(profile.names), profile.sizes.tolist(), profile.counts, strict=True
    ):
        of_cluster = counts / (size or 1)
        denser = of_cluster > of_all
        lift = np.ones(of_all.size)
        np.divide(of_cluster, of_all, out=lift, where=denser)
        divergence = of_cluster * np.log(lift)
        best = [
            begin + int(divergence[begin:end].argmax())
            for begin, end in pairwise(binning.offsets.tolist())
        ]
        best = sorted((i for i in best if denser[i]), key=lambda i: -divergence[i])[:top]
        regions = [
            DenseRegion(feature, which, float(of_cluster[i]), float(of_all[i]), float(lift[i]))
            for i in best
            for feature, which in [bin_names[i]]
        ]
        clusters.append(ClusterRegions(name, size, float(size / n), regions))
    return clusters


def _as_dict(profile: DensityProfile, name: str, top: int) -> dict[str, Any]:
    clusters = [
        {**one._asdict(), "regions": [region._asdict() for region in one.regions]}
        for one in dense_regions(profile, top)
    ]
    rows = [dict(zip(_HEADER, row, strict=True)) for row in _long_rows(profile)]
    return {"labels": name, "objects": profile.n, "clusters": clusters, "profile": rows}


def _table(clusters: list[ClusterRegions], name: str) -> TextTable:
    """Return a table with a row per bin; the first row of a cluster has its name and size."""
    rows = []
    for one in clusters:
        head = [str(one.cluster), format_number(one.objects), format_percent(one.share_of_all)]
        if not one.regions:
            rows.append([*head, "no bin is denser than overall", "", "", "", ""])
        for region in one.regions:
            percentages = map(format_percent, (region.share_of_cluster, region.share_of_all))
            rows.append([*head, region.feature, region.bin, *percentages, f"{region.lift:.2f}x"])
            head = ["", "", ""]
    header = [name, "objects", "percent", "dense in", "bin", "in cluster", "overall", "lift"]
    return TextTable(header, rows, left=frozenset({0, 3, 4}))


def _long_rows(profile: DensityProfile) -> Iterator[tuple[Any, str, str, int | float]]:
    bin_names = profile.binning.bin_names()
    for cluster, counts in zip(name_list(profile.names), profile.counts.tolist(), strict=True):
        for (feature, which), count in zip(bin_names, counts, strict=True):
            yield cluster, feature, which, count
