"""``clusterwise assess``: the stability of the clusters of a column, or of k-means."""

from typing import Annotated

from cyclopts import Parameter

from clusterwise.cli.assess.options import AssessOptions
from clusterwise.cli.options import (
    OUTPUT_GROUP,
    FeatureOptions,
    FileArgument,
    FileOptions,
    OutputOptions,
    check_files,
    command_line,
)
from clusterwise.cli.output import check_outputs


def assess(
    *files: FileArgument,
    options: AssessOptions = AssessOptions(),
    features: FeatureOptions = FeatureOptions(),
    writing: OutputOptions = OutputOptions(),
    report: Annotated[str | None, Parameter(group=OUTPUT_GROUP)] = None,
    reading: FileOptions = FileOptions(),
) -> None:
    """Assess whether clusters would be found again in other data like these.

    `clusterwise assess data.csv --labels segment` clusters copies of the data, by the nearest
    centroid or the nearest neighbours, whichever reproduces the labels better, and compares each
    cluster with the most similar one of each copy. Without --labels, k-means is assessed for each
    number of clusters of --n-clusters.

    The table shows for each cluster the mean Jaccard index and the interval that has 95 % of the
    copies, in how many it was recovered (at least 0.75) and dissolved (below 0.5), and what it was
    then merged with in most cases. The clustering as a whole is compared with data that have no
    clusters, by the adjusted Rand index: any data can be cut into clusters that are stable to some
    degree.

    CSV has a line per cluster, or per number of clusters. JSON is one object with all figures, the
    agreement of each object with its cluster, and the summary.

    Parameters
    ----------
    report
        Write an HTML report with plots to this file; needs the extra `report`.
    """
    command = command_line(assess, locals())
    check_files(files, assess)
    check_outputs(files, {"--output": writing.output, "--report": report})
    options.check()
    from clusterwise.cli.assess.printout import print_assessment
    from clusterwise.cli.assess.work import assess_files

    result = assess_files(files, options, features, reading)
    if report is not None:
        result.report(report, code=command)
    print_assessment(result, writing)
