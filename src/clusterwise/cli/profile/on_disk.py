"""``profile`` for files larger than memory."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.on_disk import raise_for_mdl
from clusterwise.cli.options import FileOptions
from clusterwise.cli.output import say
from clusterwise.cli.tables.columns import label_of
from clusterwise.cli.tables.disk_clusterings import NOISE, ClusteringFrame, DiskLabels
from clusterwise.cli.tables.disk_columns import on_disk
from clusterwise.cli.tables.disk_joining import open_objects
from clusterwise.cli.tables.distinct_labels import rows_to_keep, weight_of
from clusterwise.cli.tables.engine import Engine
from clusterwise.cli.tables.load import LoadOptions, choose_one
from clusterwise.cli.tables.sources import LocalFile
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.encoding import as_names, name_list
from clusterwise.summaries.profile.profile import DensityProfile


class ProfileSource:
    """The objects of one profile, with their labels and features."""

    def __init__(
        self,
        engine: Engine,
        files: Sequence[LocalFile],
        reading: FileOptions,
        labels: str,
        options: LoadOptions,
    ) -> None:
        objects = open_objects(engine, files, reading)
        choice = choose_one(objects.located, objects.tables, labels, options)
        weight = weight_of(objects, choice.weight)
        where, _ = rows_to_keep(objects, choice.labels, [], options.missing)
        (one,) = choice.labels
        self.name = one.name
        self._noise = options.noise
        label = label_of(options.noise_label)
        drop = label if options.noise == "drop" else None
        column = on_disk(one)
        side = DiskLabels(one.name, column.sql, column.is_label(label), column.facts)
        self.frame = ClusteringFrame(
            objects, [side], choice.features, weight, where, options.missing, drop
        )
        known = map(str, self.frame.clusters[0].values())
        if options.noise != "cluster" and str(label) not in known:
            say(f"no object is labelled {label}, so --noise {options.noise} has no effect.")

    def profile(self, binning: Binning) -> DensityProfile:
        """Return the profile with these bins."""
        (column,) = self.frame.columns
        found = DensityProfile.from_frame(
            self.frame.native, column, binning=binning, weights=self.frame.weight,
            noise=self._noise, noise_label=NOISE,
        )  # fmt: skip
        (clusters,) = self.frame.clusters
        found.names = as_names([clusters[code] for code in name_list(found.names)])
        return found


def profile_on_disk(
    engine: Engine,
    files: Sequence[Sequence[LocalFile]],
    reading: FileOptions,
    labels: str,
    options: LoadOptions,
    method: Method,
    n_bins: int,
) -> dict[str, DensityProfile]:
    """Return a profile for each group of files, all with the same bins."""
    if method == "mdl":
        raise_for_mdl()
    if options.noise == "singletons":
        raise InputError(
            "--noise singletons is not possible for files that DuckDB reads from disk; use --noise "
            "cluster or --noise drop."
        )
    first, *others = files
    parts = [ProfileSource(engine, first, reading, labels, options)]
    options = replace(options, features=parts[0].frame.features)
    parts += [ProfileSource(engine, group, reading, labels, options) for group in others]
    frames: list[Any] = [part.frame.native for part in parts]
    binning = Binning(method, n_bins).fit_frames(*frames, features=parts[0].frame.features)
    assert binning.features is not None
    binning.features = tuple(
        replace(one, date=one.name in parts[0].frame.dates) for one in binning.features
    )
    names = [parts[0].name] if len(parts) == 1 else [group[0].file.title for group in files]
    return {name: part.profile(binning) for name, part in zip(names, parts, strict=True)}
