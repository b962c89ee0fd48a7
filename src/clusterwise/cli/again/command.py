"""``clusterwise again``: alternatives to a given clustering."""

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from clusterwise.cli.again.options import SearchOptions
from clusterwise.cli.options import (
    FeatureOptions,
    LabelHandling,
    LabelOutputOptions,
    LargeFileArgument,
    LargeFileOptions,
    Names,
    check_files,
    command_line,
)
from clusterwise.cli.output import check_label_file, check_outputs


def again(
    *files: LargeFileArgument,
    given: Annotated[Names, Parameter(name=["--given", "-g"])] = None,
    search: SearchOptions = SearchOptions(),
    labels: LabelHandling = LabelHandling(),
    features: FeatureOptions = FeatureOptions(),
    writing: LabelOutputOptions = LabelOutputOptions(),
    reading: LargeFileOptions = LargeFileOptions(),
) -> None:
    """Find alternative clusterings: of high quality, and dissimilar to the given one.

    `clusterwise again data.csv --given class -n 2 --output labels.csv` uses all columns except
    class as features, describes two alternatives, and writes a row per object with class,
    alternative_1 and alternative_2. With auto, alternatives must be convincing: more than noise,
    and found again by other searches. There may be none. Other methods always return what they
    find, by decreasing DQ, the harmonic mean of quality and dissimilarity.

    The table shows for each clustering its sizes, the effective number of clusters (the exponential
    of the entropy of the sizes), its quality, and for alternatives the dissimilarity to the given
    clusterings. The features that separate the clusters best have scores from 0 (no better than
    chance) to 1: the variance explained for numeric features, Cramér's V squared for categorical
    ones, both adjusted for chance.

    With --given and --method auto, files of more than 1 GB in total, or any files with --memory,
    are left on disk: a random sample of 2,000 to 10,000 objects is searched, and a mixture model
    fitted to it labels all objects. Scores are then those of the sample, and sizes those of all
    objects. --output may then be a Parquet file, and needs pyarrow.

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
    search.check()
    from clusterwise.cli.tables.named_files import are_large, find_files

    samples = bool(given) and search.chosen_method == "auto" and writing.report is None
    large = samples and are_large(find_files(files, reading.input_format))
    if large or reading.memory is not None:
        _search_on_disk(files, given or (), search, labels, features, writing, reading)
        return
    check_label_file(writing.output)
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


def _search_on_disk(
    files: Sequence[str],
    given: Sequence[str],
    search: SearchOptions,
    labels: LabelHandling,
    features: FeatureOptions,
    writing: LabelOutputOptions,
    reading: LargeFileOptions,
) -> None:
    """Search a sample of objects that stay on disk, and write the labels of all."""
    from clusterwise.cli.again.on_disk import (
        check_disk_options,
        find_in_sample,
        open_disk_objects,
    )
    from clusterwise.cli.again.printout import print_search
    from clusterwise.cli.batch_writing import check_batch_file
    from clusterwise.cli.tables.engine import Engine
    from clusterwise.cli.tables.named_files import find_files
    from clusterwise.cli.tables.sources import make_local

    check_batch_file(writing.output)
    check_disk_options(search, given, writing.report)
    found = find_files(files, reading.input_format)
    with Engine(found[0].name, reading.memory) as engine:
        local = make_local(engine, found)

        def work() -> None:
            names = features.feature_names
            data = open_disk_objects(engine, local, reading, given, names, labels)
            result = find_in_sample(data, search)
            if writing.output is not None:
                data.write_labels(result, writing.output, excel_safe=writing.excel_safe)
            print_search(result, writing)

        engine.run(work)
