"""Density profiles of files in memory."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import FileOptions
from clusterwise.cli.tables.load import LoadedClusterings, LoadOptions, load_one
from clusterwise.cli.tables.named_files import InputFile
from clusterwise.inputs.binning.binning import Method
from clusterwise.summaries.profile.profile import DensityProfile


def profile_files(
    files: Sequence[InputFile],
    reading: FileOptions,
    labels: str,
    options: LoadOptions,
    method: Method,
    n_bins: int,
) -> dict[str, DensityProfile]:
    """Return the profile of a clustering, under the name of its column."""
    read = load_one(files, reading, labels, options)
    ((name, clustering),) = read.clusterings.items()
    assert read.features is not None
    binning = read.features.fit_bins(method, n_bins, clustering)
    found = DensityProfile.from_data(
        read.features.values, clustering, binning=binning, **read.label_options
    )
    return {name: found}


def profile_each_file(
    files: Sequence[InputFile],
    reading: FileOptions,
    labels: str,
    options: LoadOptions,
    method: Method,
    n_bins: int,
) -> dict[str, DensityProfile]:
    """Return a profile of each file with the same bins, under the title of the file."""
    if method == "mdl":
        raise InputError(
            "--binning mdl needs one clustering, but --different-objects has several; use "
            "--binning width or --binning frequency."
        )
    parts: list[LoadedClusterings] = []
    for file in files:
        parts.append(load_one([file], reading, labels, options))
        assert parts[0].features is not None
        options = replace(options, features=parts[0].features.names)
    tables = [part.features for part in parts if part.features is not None]
    all_features = replace(tables[0], values=np.concatenate([one.values for one in tables]))
    binning = all_features.fit_bins(method, n_bins, next(iter(parts[0].clusterings.values())))
    found = {}
    for file, part, table in zip(files, parts, tables, strict=True):
        (clustering,) = part.clusterings.values()
        found[file.title] = DensityProfile.from_data(
            table.values, clustering, binning=binning, **part.label_options
        )
    return found
