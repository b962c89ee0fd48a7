"""``clusterwise report``: the comparison of clusterings as an HTML page."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import (
    OUTPUT_GROUP,
    ClusteringOptions,
    DataOptions,
    FileArgument,
    FileOptions,
    Names,
    SignificanceOption,
    WeightedLabelHandling,
    check_files,
    command_line,
)
from clusterwise.cli.output import check_outputs, say

if TYPE_CHECKING:
    from clusterwise.comparing.compare_all import ComparisonMatrix
    from clusterwise.comparing.comparison_result import Comparison


def report(
    *files: FileArgument,
    title: Annotated[str | None, Parameter(group=OUTPUT_GROUP)] = None,
    output: Annotated[str, Parameter(name=["--output", "-o"], group=OUTPUT_GROUP)] = "report.html",
    measure: Annotated[Names, Parameter(name=["--measure", "-m"])] = None,
    significance: SignificanceOption = False,
    columns: ClusteringOptions = ClusteringOptions(),
    labels: WeightedLabelHandling = WeightedLabelHandling(),
    data: DataOptions = DataOptions(),
    reading: FileOptions = FileOptions(),
) -> None:
    """Write an HTML report that compares two or more clusterings.

    `clusterwise report labels.csv --data features.csv` compares the two columns of labels and
    writes report.html: a summary in sentences, plots of how the clusters overlap, the clusters that
    match, all measures with their meaning, and the command that produces the report. With --data,
    it also shows the density profiles of the clusters and a plot of the objects. Of more than two
    columns, such as those of a sweep over numbers of clusters, it shows the flow of the objects
    through all of them in their order, and their similarity by one measure. The page needs no
    network access; writing it needs the extra `report`.

    Parameters
    ----------
    title
        The title of the page; by default the names of the clusterings, or their number.
    output
        Write to this file (atomically).
    measure
        A measure (see `clusterwise measures`); repeat for more. By default all that apply. Of
        more than two clusterings only one; by default adjusted_rand_score, or irm_score if one is
        soft.
    significance
        Show what measures are by chance, p-values and 95% intervals.
    """
    command = command_line(report, locals())
    inputs = (*files, *(data.data or ())) if files else ()
    check_files(inputs, report)
    check_outputs(inputs, {"--output": output})
    from clusterwise.cli.compare.collection import (
        MemoryCollection,
        chance_options,
        corrected_chance,
    )
    from clusterwise.cli.tables.load import check_options, comparison_options, list_paths, load
    from clusterwise.cli.tables.named_files import find_files
    from clusterwise.report import write_report

    options = comparison_options(columns, labels, data, reading)
    check_options(options, measure or (), data)
    found = find_files(list_paths(files, options), reading.input_format)
    loaded = load(found, files, reading, options)
    collection = MemoryCollection(loaded, data.binning, data.bins)
    asked = list(dict.fromkeys(measure or ()))
    result: Comparison | ComparisonMatrix
    if len(loaded.clusterings) > 2:
        if len(asked) > 1:
            raise InputError(
                f"a report of {len(loaded.clusterings)} clusterings shows one measure, but "
                f"--measure names {len(asked)}; choose one, or two clusterings with --column."
            )
        chosen = collection.choose_measures(asked)[:1]
        corrected = corrected_chance(chosen, significance=significance)
        (result,) = collection.compare_each(chosen, columns.match, corrected)
    else:
        chance = chance_options(significance=significance)
        result = collection.compare(collection.choose_measures(asked), columns.match, chance)
        if loaded.features is not None:
            result.data = loaded.features.named()
    parameters = {
        "noise": labels.noise,
        "noise_label": labels.noise_label,
        "missing": labels.missing,
        "weight": labels.weight,
    }
    write_report(result, output, title=title, parameters=parameters, code=command)
    say(f"the report is in {output}.")
