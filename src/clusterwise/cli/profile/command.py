"""``clusterwise profile``: in which regions of the features each cluster is dense."""

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import (
    LabelColumn,
    LargeFileArgument,
    LargeFileOptions,
    OutputOptions,
    ProfileBinningOptions,
    WeightedLabelHandling,
    check_files,
)
from clusterwise.cli.output import check_outputs

if TYPE_CHECKING:
    from clusterwise.summaries.profile.profile import DensityProfile


def profile(
    *files: LargeFileArgument,
    labels: LabelColumn,
    different_objects: Annotated[bool, Parameter(show_default=False)] = False,
    match: Literal["auto", "name", "overlap"] = "auto",
    top: int = 3,
    handling: WeightedLabelHandling = WeightedLabelHandling(),
    features: ProfileBinningOptions = ProfileBinningOptions(),
    writing: OutputOptions = OutputOptions(),
    reading: LargeFileOptions = LargeFileOptions(),
) -> None:
    """Show what sets each cluster apart.

    The table lists for each cluster the features that distinguish it most, each with its most
    distinctive bin: the percentage of the cluster in that bin, the percentage of all objects, and
    the lift, which is the ratio of the two.

    CSV has the whole density profile, a line per cluster and bin: cluster,feature,bin,count. JSON
    is one object with the keys labels, objects, clusters (each with its size and its dense bins)
    and profile, the whole density profile.

    With --different-objects, the files contain different objects, such as those of two years. A
    profile of each file is computed with the same bins, and every two profiles are compared: which
    clusters match, what changed most, and adco_score (which is defined with --binning width). CSV
    then starts with the column file; JSON has the keys files (an object each) and adco_score (of
    each pair, with its summary).

    Parameters
    ----------
    different_objects
        The files contain different objects, not different columns of the same objects.
    match
        How the clusters of different files are matched: by name, by the overlap of their
        densities, or by name only if most names are the same and are not just numbers. Noise is
        never matched.
    top
        The number of features to show for each cluster.
    """
    check_files(files, profile)
    check_outputs(files, {"--output": writing.output})
    features.check()
    if top < 1:
        raise InputError(f"--top must be at least 1, not {top}.")
    if different_objects and (reading.key is not None or len(files) < 2):
        remedy = "leave out --key" if reading.key is not None else "name another file"
        raise InputError(
            "--different-objects profiles several files, whose rows are not matched; "
            f"{remedy}, or leave out --different-objects."
        )
    from clusterwise.cli.profile.in_memory import profile_each_file, profile_files
    from clusterwise.cli.profile.printout import compare_pairs, print_profile, print_profiles
    from clusterwise.cli.tables.columns import label_of
    from clusterwise.cli.tables.load import LoadOptions
    from clusterwise.cli.tables.named_files import find_files, stay_on_disk

    options = LoadOptions(
        (), reading.key, handling.weight, handling.missing, handling.noise, handling.noise_label,
        features=features.feature_names,
    )  # fmt: skip
    found = find_files(files, reading.input_format)

    def finish(profiles: "dict[str, DensityProfile]") -> None:
        if not all(one.n for one in profiles.values()):
            raise InputError("there are no objects to profile; check --noise and --weight.")
        if different_objects:
            noise_label = label_of(handling.noise_label)
            compared = compare_pairs(profiles, match, noise_label)
            print_profiles(profiles, compared, labels, top, writing)
        else:
            ((name, one),) = profiles.items()
            print_profile(one, name, top, writing)

    bins = features.binning, features.bins
    if not stay_on_disk(found, reading.memory):
        make = profile_each_file if different_objects else profile_files
        finish(make(found, reading, labels, options, *bins))
        return
    from clusterwise.cli.profile.on_disk import profile_on_disk
    from clusterwise.cli.tables.engine import Engine
    from clusterwise.cli.tables.sources import make_local

    with Engine(found[0].name, reading.memory) as engine:
        local = make_local(engine, found)
        groups = [[one] for one in local] if different_objects else [local]
        engine.run(lambda: finish(profile_on_disk(engine, groups, reading, labels, options, *bins)))
