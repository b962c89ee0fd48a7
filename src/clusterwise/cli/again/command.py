"""``clusterwise again``: alternatives to a given clustering."""

from typing import Annotated

from cyclopts import Parameter

from clusterwise.cli.again.options import SearchOptions
from clusterwise.cli.options import (
    FeatureOptions,
    FileArgument,
    FileOptions,
    LabelHandling,
    LabelOutputOptions,
    Names,
    check_files,
    command_line,
)
from clusterwise.cli.output import check_label_file, check_outputs


def again(
    *files: FileArgument,
    given: Annotated[Names, Parameter(name=["--given", "-g"])] = None,
    search: SearchOptions = SearchOptions(),
    labels: LabelHandling = LabelHandling(),
    features: FeatureOptions = FeatureOptions(),
    writing: LabelOutputOptions = LabelOutputOptions(),
    reading: FileOptions = FileOptions(),
) -> None:
    """Find alternative clusterings: of high quality, and dissimilar to the given one.

    `clusterwise again data.csv --given class -n 2 --output labels.csv` uses all columns except
    class as features, describes two alternatives, and writes a row per object with class,
    alternative_1 and alternative_2. Alternatives are sorted by DQ, the harmonic mean of quality and
    dissimilarity; with auto, the first one has the largest likelihood among those whose DQ is close
    to the largest.

    The table shows for each clustering its sizes, the effective number of clusters (the exponential
    of the entropy of the sizes), its quality, and for alternatives the dissimilarity to the given
    clusterings. The features that separate the clusters best have scores from 0 (no better than
    chance) to 1: the variance explained for numeric features, Cramér's V squared for categorical
    ones, both adjusted for chance.

    CSV has a line per clustering and figure: clustering,figure,feature,value. JSON is one object:
    the settings of the search, the given clusterings and the alternatives with all figures and
    feature scores, and the summary. Labels are written to --output only.

    Parameters
    ----------
    given
        The column of the given clustering, which is not used as a feature; repeat for more. By
        default a first clustering is computed, by k-means or linkage.
    """
    command = command_line(again, locals())
    check_files(files, again)
    check_outputs(files, {"--output": writing.output, "--report": writing.report})
    check_label_file(writing.output)
    search.check()
    from clusterwise.cli.again.data import load_again
    from clusterwise.cli.again.find_alternatives import find_alternatives
    from clusterwise.cli.again.printout import print_search, write_html_report, write_labels

    data = load_again(files, reading, given or (), features.feature_names, labels)
    result = find_alternatives(data, search)
    if writing.output is not None:
        write_labels(data, result, writing.output, excel_safe=writing.excel_safe)
    if writing.report is not None:
        write_html_report(data, result, writing.report, command)
    print_search(result, writing)
