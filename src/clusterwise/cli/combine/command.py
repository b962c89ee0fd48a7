"""``clusterwise combine``: a consensus of many columns of labels."""

from typing import Annotated

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import (
    ColumnOptions,
    EnsembleHandling,
    LabelOutputOptions,
    LargeFileArgument,
    LargeFileOptions,
    Seed,
    check_files,
    check_seed,
    command_line,
)
from clusterwise.cli.output import check_label_file, check_outputs, write_columns
from clusterwise.consensus.methods import Method


def combine(
    *files: LargeFileArgument,
    method: Annotated[Method, Parameter(name=["--method", "-m"])] = "auto",
    n_clusters: int | None = None,
    seed: Seed = 0,
    columns: ColumnOptions = ColumnOptions(),
    labels: EnsembleHandling = EnsembleHandling(),
    writing: LabelOutputOptions = LabelOutputOptions(),
    reading: LargeFileOptions = LargeFileOptions(),
) -> None:
    """Combine many clusterings of the same objects into one, the consensus.

    `clusterwise combine labels.csv --output consensus.csv` combines all columns that look like
    labels, prints how well the clusterings support the consensus, and writes a row per object with
    its cluster (consensus) and its mean co-association with the other objects of that cluster
    (agreement, from 0 to 1). An object without any label gets none. The consensus of files that
    are left on disk can be written as .parquet too.

    The tables show the sizes of the clusters; the similarity of each clustering to the consensus,
    on the objects that it labels; and the ten most ambiguous objects: their co-association with
    their own cluster, that with the nearest other cluster, and the difference (margin). An object
    is ambiguous if its margin is 0 or less.

    CSV has a line per figure: kind,name,figure,value. JSON is one object with the keys objects,
    method, sizes, ambiguous, unknown, clusterings, most_ambiguous and summary.

    Parameters
    ----------
    method
        evidence: evidence accumulation with average linkage; refined-evidence: the same, followed
        by local search; voting: label alignment and majority voting; median: the median partition
        by Mirkin distance; phi: search for the highest objective φ; lwea and lwgp: evidence
        accumulation, or a spectral cut of objects and clusters, with uncertain clusters weighted
        less; cspa, mcla, hbgf and hgpa: partitioning a graph of objects, of clusters, of both, or
        a hypergraph (they need the extra `graphs`). auto is lwea if the clusterings have many
        small clusters that mostly lie within large ones, and else refined-evidence.
    n_clusters
        The number of clusters; by default the method chooses it.
    """
    command = command_line(combine, locals())
    check_files(files, combine)
    output = writing.output
    check_outputs(files, {"--output": output, "--report": writing.report})
    check_seed(seed)
    if output is not None and reading.key in ("consensus", "agreement"):
        raise InputError(
            f"--key {reading.key} is also the name of a column that --output writes; rename it."
        )
    from clusterwise.cli.combine.data import combine_labels, load_labels
    from clusterwise.cli.combine.printout import print_consensus
    from clusterwise.cli.tables.named_files import find_files, stay_on_disk

    found = find_files(files, reading.input_format)
    if not stay_on_disk(found, reading.memory):
        check_label_file(output)
        data = load_labels(found, reading, columns.names, labels)
        result = combine_labels(data, method, n_clusters, seed)
        if output is not None:
            write_columns(result.columns(), output, excel_safe=writing.excel_safe)
        if writing.report is not None:
            result.found.report(writing.report, code=command)
        print_consensus(result, writing)
        return
    from clusterwise.cli.batch_writing import check_batch_file
    from clusterwise.cli.combine.on_disk import combine_on_disk
    from clusterwise.cli.tables.engine import Engine
    from clusterwise.cli.tables.sources import make_local

    check_batch_file(output)
    if writing.report is not None:
        raise InputError(
            "--report plots the objects, but DuckDB leaves them on disk; leave out --report, or "
            "combine a sample."
        )
    with Engine(found[0].name, reading.memory) as engine:
        local = make_local(engine, found)

        def work() -> None:
            result = combine_on_disk(
                engine, local, reading, columns.names, labels, method, n_clusters, seed
            )
            if output is not None:
                result.write(output, excel_safe=writing.excel_safe)
            print_consensus(result, writing)

        engine.run(work)
