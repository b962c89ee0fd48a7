"""``clusterwise profile``: in which regions of the features each cluster is dense."""

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.compare import Binning, check_bins, check_files, listed
from clusterwise.cli.output import Format, check_output

if TYPE_CHECKING:
    from clusterwise.summaries.profile.profile import DensityProfile


def profile(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    labels: Annotated[str, Parameter(name=["--labels", "-l"])],
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    apart: bool = False,
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
    memory: str | None = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Show which cluster is dense where: its bins that hold more than their share.

    For each cluster the features that set it apart most, each with its most telling bin:
    the share of the cluster that is there, the share of all objects, and the lift, which
    is the first divided by the second.

    CSV holds the whole density profile, a line per cluster and bin:
    cluster,feature,bin,count. JSON holds an object: labels, objects, clusters (each with
    its size and where it is dense) and the whole profile.

    Files with --apart hold different objects, such as those of two years. Each gets a profile
    with the same bins, and how alike they are is told as adco_score. CSV then starts with the
    column file; JSON holds files, an object each, and the adco_score of each pair.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input. A
        folder of Parquet files, or a pattern in quotes such as `'runs/*.parquet'`, is one table
        in parts. DuckDB counts it on disk, as it does a Parquet file of more than 1 GB.
    labels
        The column that says which cluster an object is in.
    key
        Match the rows of several files by this column; otherwise by position.
    apart
        The files are not columns of the same objects, but hold different objects.
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
    memory
        How much memory DuckDB may use, such as 512MB or 1GB; by default most of the machine's.
        What does not fit goes to a temporary folder, which is removed. Parquet files stay on
        disk if it is given, small ones too.
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
    if apart and (key is not None or len(files) < 2):
        raise InputError(
            "--apart is for several files of different objects, whose rows are not matched; "
            f"{'leave --key out' if key is not None else 'give another file, or leave it out'}."
        )
    from clusterwise.cli.duckdb.files import large_files
    from clusterwise.cli.profile.profiling import (
        profile_apart,
        profile_files,
        write_apart,
        write_profile,
    )
    from clusterwise.cli.tables.files import HowToRead
    from clusterwise.cli.tables.loading import Wanted

    wanted = Wanted((), key, weight, missing, noise, noise_label, features=listed(features))
    stay = large_files(files, input_format, memory)

    def finish(found: "dict[str, DensityProfile]") -> None:
        if not all(one.n for one in found.values()):
            raise InputError("there are no objects to profile; check --noise and --weight.")
        if apart:
            write_apart(found, labels, top, output_format, output)
        else:
            ((name, one),) = found.items()
            write_profile(one, name, top, output_format, output)

    if stay is None:
        how = HowToRead(input_format, delimiter, encoding)
        make = profile_apart if apart else profile_files
        finish(make(files, how, labels, wanted, binning, bins))
        return
    from clusterwise.cli.duckdb.engine import Engine
    from clusterwise.cli.duckdb.profile import profile_on_disk

    groups = [[one] for one in stay] if apart else [stay]
    with Engine(stay[0].path, memory) as engine:
        engine.run(lambda: finish(profile_on_disk(engine, groups, labels, wanted, binning, bins)))
