"""``clusterwise compare``: clusterings in columns of one or several files."""

from typing import Annotated

from cyclopts import Parameter

from clusterwise.cli.options import (
    ClusteringOptions,
    DataOptions,
    LargeFileArgument,
    LargeFileOptions,
    Names,
    OutputOptions,
    SignificanceOption,
    WeightedLabelHandling,
    check_files,
)
from clusterwise.cli.output import check_outputs


def compare(
    *files: LargeFileArgument,
    measure: Annotated[Names, Parameter(name=["--measure", "-m"])] = None,
    significance: SignificanceOption = False,
    columns: ClusteringOptions = ClusteringOptions(),
    labels: WeightedLabelHandling = WeightedLabelHandling(),
    data: DataOptions = DataOptions(),
    writing: OutputOptions = OutputOptions(),
    reading: LargeFileOptions = LargeFileOptions(),
) -> None:
    """Compare clusterings: every column of labels with every other.

    Two clusterings are compared in full: all measures, the clusters that match, those that were
    split or merged, and the objects that moved. More than two give a matrix per measure
    (adjusted_rand_score by default, and adco_score with --data). With --data, the density profiles
    of the clusters are compared too.

    A soft clustering has a column of memberships per cluster, which sum to 1 in every row.
    `--soft 'p_*' 'q_*'` compares the clustering in p_0, p_1, … with that in q_0, q_1, …, and
    `--soft 'p_*' --column kmeans` compares a soft clustering with labels. More than two give a
    matrix of irm_score, because adjusted_rand_score counts softness as disagreement.

    CSV has a line per pair and measure: a,b,measure,value. JSON is one object. For two clusterings
    its keys are a, b, objects, clusters, measures, matched_by, matches, events, noise, moves and
    transport. For more than two, they are names, objects and measures (a matrix each, in the order
    of names). If some clusterings are soft, their names are under the key soft. With
    --significance, CSV has the columns p_value and adjusted_p_value too (of two clusterings:
    expected, p_value, p_error, low and high), and JSON the keys significance, or p_values and
    adjusted_p_values.

    Parameters
    ----------
    measure
        A measure (see `clusterwise measures`); repeat for more. By default, two clusterings are
        compared by all measures that apply.
    significance
        For two clusterings, show what each measure is by chance, its p-value and its 95% interval;
        for more, the p-values of all pairs, adjusted by Holm's method for their number.
    """
    inputs = (*files, *(data.data or ())) if files else ()
    check_files(inputs, compare)
    check_outputs(inputs, {"--output": writing.output})
    from clusterwise.cli.compare.collection import MemoryCollection
    from clusterwise.cli.compare.printout import print_comparison
    from clusterwise.cli.tables.load import check_options, comparison_options, list_paths, load
    from clusterwise.cli.tables.named_files import find_files, stay_on_disk

    options = comparison_options(columns, labels, data, reading)
    check_options(options, measure or (), data)
    measures = list(dict.fromkeys(measure or ()))
    found = find_files(list_paths(files, options), reading.input_format)
    if not stay_on_disk(found, reading.memory):
        loaded = load(found, files, reading, options)
        collection = MemoryCollection(loaded, data.binning, data.bins)
        print_comparison(collection, measures, columns.match, writing, significance=significance)
        return
    from clusterwise.cli.compare.on_disk import open_collection
    from clusterwise.cli.tables.engine import Engine
    from clusterwise.cli.tables.sources import make_local

    with Engine(found[0].name, reading.memory) as engine:
        local = make_local(engine, found)
        engine.run(
            lambda: print_comparison(
                open_collection(engine, local, files, reading, options, (data.binning, data.bins)),
                measures,
                columns.match,
                writing,
                significance=significance,
            )
        )
