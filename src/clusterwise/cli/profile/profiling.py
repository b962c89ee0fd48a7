"""Profiles of files in memory, and what ``profile`` prints."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TextTable, format_number, format_percent
from clusterwise.cli.formats import csv_text, json_text
from clusterwise.cli.output import Format, write, write_table
from clusterwise.cli.story import Story
from clusterwise.cli.tables.features import FeatureTable
from clusterwise.cli.tables.files import HowToRead
from clusterwise.cli.tables.joining import file_titles
from clusterwise.cli.tables.loading import Compared, Wanted, load_one
from clusterwise.inputs.binning.binning import Method
from clusterwise.inputs.encoding import name_list
from clusterwise.measures.density import adco_score
from clusterwise.summaries.profile.profile import DensityProfile

_HEADER = ("cluster", "feature", "bin", "count")


def profile_files(
    files: Sequence[str], how: HowToRead, labels: str, wanted: Wanted, method: Method, n_bins: int
) -> dict[str, DensityProfile]:
    """The profile of the clustering, by its name."""
    read = load_one(files, how, labels, wanted)
    ((name, clustering),) = read.clusterings.items()
    assert read.features is not None
    binning = read.features.fit_bins(method, n_bins, clustering)
    found = DensityProfile.from_data(
        read.features.values, clustering, binning=binning, **read.label_options
    )
    return {name: found}


def profile_apart(
    files: Sequence[str], how: HowToRead, labels: str, wanted: Wanted, method: Method, n_bins: int
) -> dict[str, DensityProfile]:
    """The profiles of files that hold different objects, with the same bins, by their titles."""
    if method == "mdl":
        raise InputError(
            "--binning mdl takes its cuts from one clustering, but there are several with --apart; "
            "use --binning width or --binning frequency."
        )
    parts: list[Compared] = []
    for file in files:
        parts.append(load_one([file], how, labels, wanted))
        assert parts[0].features is not None
        wanted = replace(wanted, features=parts[0].features.names)
    tables = [part.features for part in parts if part.features is not None]
    together = FeatureTable(tables[0].names, np.concatenate([one.values for one in tables]))
    binning = together.fit_bins(method, n_bins, next(iter(parts[0].clusterings.values())))
    found = {}
    for title, part, table in zip(file_titles(files), parts, tables, strict=True):
        (clustering,) = part.clusterings.values()
        found[title] = DensityProfile.from_data(
            table.values, clustering, binning=binning, **part.label_options
        )
    return found


class Region(NamedTuple):
    """A bin in which a cluster is denser than all objects are."""

    feature: str
    bin: str
    share_of_cluster: float
    share_of_all: float
    lift: float


class Dense(NamedTuple):
    """A cluster, its size, and where it is dense, the most telling region first."""

    cluster: Any
    objects: int | float
    share_of_all: float
    regions: list[Region]


def write_profile(
    found: DensityProfile, name: str, top: int, output_format: Format, output: str | None
) -> None:
    """One profile, in the format asked for."""
    if output_format == "csv":
        write(csv_text(_HEADER, _long_rows(found)), output)
    elif output_format == "json":
        write(json_text(_as_dict(found, name, top)), output)
    else:
        grid = _grid(dense_regions(found, top), name)
        if output_format == "markdown":
            write(grid.markdown(), output)
        else:
            write_table(grid, output, grid.text())


def write_apart(
    found: dict[str, DensityProfile],
    name: str,
    top: int,
    output_format: Format,
    output: str | None,
) -> None:
    """The profiles of several files, and how alike they are."""
    scores = [(a, b, adco_score(found[a], found[b])) for a, b in combinations(found, 2)]
    if output_format == "csv":
        rows = ((file, *row) for file, one in found.items() for row in _long_rows(one))
        write(csv_text(("file", *_HEADER), rows), output)
    elif output_format == "json":
        files = [{"file": file, **_as_dict(one, name, top)} for file, one in found.items()]
        pairs = [{"a": a, "b": b, "adco_score": score} for a, b, score in scores]
        write(json_text({"files": files, "adco_score": pairs}), output)
    else:
        grids = [
            replace(
                _grid(dense_regions(one, top), name),
                title=f"{file}: {format_number(one.n)} objects",
            )
            for file, one in found.items()
        ]
        story = Story(grids, [f"{a} and {b}: adco_score {score:.4f}." for a, b, score in scores])
        if output_format == "markdown":
            write(story.markdown(), output)
        else:
            write_table(story, output)


def _as_dict(found: DensityProfile, name: str, top: int) -> dict[str, Any]:
    clusters = [
        {**one._asdict(), "regions": [region._asdict() for region in one.regions]}
        for one in dense_regions(found, top)
    ]
    rows = [dict(zip(_HEADER, row, strict=True)) for row in _long_rows(found)]
    return {"labels": name, "objects": found.n, "clusters": clusters, "profile": rows}


def dense_regions(found: DensityProfile, top: int) -> list[Dense]:
    """For each cluster the most telling bin of each of the ``top`` most telling features.

    A bin tells share · log(lift), its part of the divergence between the cluster and all
    objects: lift alone would favour bins that hold hardly anyone.
    """
    binning, n = found.binning, found.sizes.sum()
    bin_names = binning.bin_names()
    of_all = found.counts.sum(axis=0) / n
    clusters = []
    for name, size, counts in zip(
        name_list(found.names), found.sizes.tolist(), found.counts, strict=True
    ):
        share = counts / (size or 1)
        denser = share > of_all
        lift = np.ones(of_all.size)
        np.divide(share, of_all, out=lift, where=denser)
        telling = share * np.log(lift)
        best = [
            begin + int(telling[begin:end].argmax())
            for begin, end in pairwise(binning.offsets.tolist())
        ]
        best = sorted((at for at in best if denser[at]), key=lambda at: -telling[at])[:top]
        regions = []
        for at in best:
            feature, which = bin_names[at]
            numbers = float(share[at]), float(of_all[at]), float(lift[at])
            regions.append(Region(feature, which, *numbers))
        clusters.append(Dense(name, size, float(size / n), regions))
    return clusters


def _grid(clusters: list[Dense], name: str) -> TextTable:
    """A row per region; the cluster and its size on the first of its rows only."""
    rows = []
    for one in clusters:
        head = [str(one.cluster), format_number(one.objects), format_percent(one.share_of_all)]
        if not one.regions:
            rows.append([*head, "nowhere more than all objects", "", "", "", ""])
        for region in one.regions:
            shares = [format_percent(region.share_of_cluster), format_percent(region.share_of_all)]
            rows.append([*head, region.feature, region.bin, *shares, f"{region.lift:.2f}x"])
            head = ["", "", ""]
    header = [name, "objects", "share", "is dense in", "bin", "of cluster", "of all", "lift"]
    return TextTable(header, rows, left=frozenset({0, 3, 4}))


def _long_rows(found: DensityProfile) -> Iterator[tuple[Any, str, str, int | float]]:
    bin_names = found.binning.bin_names()
    for cluster, counts in zip(name_list(found.names), found.counts.tolist(), strict=True):
        for (feature, which), count in zip(bin_names, counts, strict=True):
            yield cluster, feature, which, count
