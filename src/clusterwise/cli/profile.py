"""``clusterwise profile``: in which regions of the features each cluster is dense."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cyclopts import Parameter

from clusterwise.cli.compare import Binning, check_bins, check_files, listed
from clusterwise.cli.output import Format, check_output, write, write_table
from clusterwise.errors import InputError

if TYPE_CHECKING:
    from clusterwise.grids import Grid
    from clusterwise.summaries.profile import DensityProfile


def profile(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    labels: Annotated[str, Parameter(name=["--labels", "-l"])],
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    features: str | None = None,
    binning: Binning = "width",
    bins: int = 10,
    top: int = 3,
    weight: str | None = None,
    noise: Literal["cluster", "singletons", "drop"] = "cluster",
    noise_label: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-1",
    missing: Literal["error", "drop", "label"] = "error",
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Show which cluster is dense where: its bins that hold more than their share.

    For each cluster the features that set it apart most, each with its most telling bin:
    the share of the cluster that is there, the share of all objects, and the lift, which
    is the first divided by the second.

    CSV holds the whole density profile, a line per cluster and bin:
    cluster,attribute,bin,count. JSON holds an object: labels, objects, clusters (each with
    its size and where it is dense) and the whole profile.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input.
    labels
        The column that says which cluster an object is in.
    key
        Match the rows of several files by this column; otherwise by position.
    features
        The features to use, as one list: a,b,c. By default all columns that can be.
    binning
        How numbers are binned: even widths, equal frequencies, cuts that tell the clusters
        apart (mdl), or a bin per value.
    bins
        How many bins a feature of numbers gets.
    top
        How many features to show of each cluster.
    weight
        A column that says how many objects each row stands for.
    noise
        Objects with the noise label are one cluster, a cluster each, or left out.
    noise_label
        The label that means noise.
    missing
        What to do where a label is missing: stop, leave the object out, or make it a label.
    output_format
        How to print.
    output
        Write to this file, whole or not at all.
    input_format
        The files' format, if their names do not tell.
    delimiter
        The character between fields; found from the header by default.
    encoding
        The encoding of text files, such as latin-1.
    """
    check_files(files, profile)
    check_output(output)
    check_bins(bins)
    if top < 1:
        raise InputError(f"--top {top} shows no feature; use 1 or more.")
    from clusterwise.cli.files import HowToRead
    from clusterwise.cli.loading import Wanted, load_one
    from clusterwise.summaries.profile import DensityProfile

    wanted = Wanted((), key, weight, missing, noise, noise_label, features=listed(features))
    read = load_one(files, HowToRead(input_format, delimiter, encoding), labels, wanted)
    ((name, clustering),) = read.clusterings.items()
    assert read.features is not None
    fitted = read.features.fit_bins(binning, bins, clustering)
    found = DensityProfile.from_data(
        read.features.values, clustering, binning=fitted, **read.reading
    )
    if not found.n:
        raise InputError("there are no objects to profile; check --noise and --weight.")
    _write_profile(found, name, top, output_format, output)


class Region(NamedTuple):
    """A bin in which a cluster is denser than all objects are."""

    attribute: str
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


def _write_profile(
    found: "DensityProfile", name: str, top: int, output_format: Format, output: str | None
) -> None:
    from clusterwise.cli.formats import csv_text, json_text

    header = ("cluster", "attribute", "bin", "count")
    if output_format == "csv":
        write(csv_text(header, _long_rows(found)), output)
    elif output_format == "json":
        clusters = [
            {**one._asdict(), "regions": [region._asdict() for region in one.regions]}
            for one in dense_regions(found, top)
        ]
        rows = [dict(zip(header, row, strict=True)) for row in _long_rows(found)]
        value = {"labels": name, "objects": found.n, "clusters": clusters, "profile": rows}
        write(json_text(value), output)
    else:
        grid = _grid(dense_regions(found, top), name)
        if output_format == "markdown":
            write(grid.markdown(), output)
        else:
            write_table(grid, output, grid.text())


def dense_regions(found: "DensityProfile", top: int) -> list[Dense]:
    """For each cluster the most telling bin of each of the ``top`` most telling attributes.

    A bin tells share · log(lift), its part of the divergence between the cluster and all
    objects: lift alone would favour bins that hold hardly anyone.
    """
    import numpy as np

    from clusterwise.encoding import name_list

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
            attribute, which = bin_names[at]
            numbers = float(share[at]), float(of_all[at]), float(lift[at])
            regions.append(Region(attribute, which, *numbers))
        clusters.append(Dense(name, size, float(size / n), regions))
    return clusters


def _grid(clusters: list[Dense], name: str) -> "Grid":
    """A row per region; the cluster and its size on the first of its rows only."""
    from clusterwise.grids import Grid, number, percent

    rows = []
    for one in clusters:
        head = [str(one.cluster), number(one.objects), percent(one.share_of_all)]
        if not one.regions:
            rows.append([*head, "nowhere more than all objects", "", "", "", ""])
        for region in one.regions:
            shares = [percent(region.share_of_cluster), percent(region.share_of_all)]
            rows.append([*head, region.attribute, region.bin, *shares, f"{region.lift:.2f}x"])
            head = ["", "", ""]
    header = [name, "objects", "share", "is dense in", "bin", "of cluster", "of all", "lift"]
    return Grid(header, rows, left=frozenset({0, 3, 4}))


def _long_rows(found: "DensityProfile") -> Iterator[tuple[Any, str, str, int | float]]:
    from clusterwise.encoding import name_list

    bin_names = found.binning.bin_names()
    for cluster, counts in zip(name_list(found.names), found.counts.tolist(), strict=True):
        for (attribute, which), count in zip(bin_names, counts, strict=True):
            yield cluster, attribute, which, count
