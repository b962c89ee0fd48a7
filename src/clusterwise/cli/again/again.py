"""``clusterwise again``: other clusterings of the same objects, good ones that differ."""

from typing import Annotated, Literal

from cyclopts import Parameter

from clusterwise.cli.compare.compare import Names, check_files, listed
from clusterwise.cli.output import Format, check_output
from clusterwise.cli.replay import command_line
from clusterwise.cli.tables.label_files import check_label_file

Method = Literal[
    "auto", "cib", "coala", "coalacat", "condens", "maximus", "metaclusterer", "mincentropy",
    "naive", "orthogonal",
]  # fmt: skip
Metric = Literal[
    "euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine",
    "correlation", "seuclidean", "mahalanobis", "hamming", "gower",
]  # fmt: skip
QualityName = Literal[
    "dunn", "dunn_centroids", "silhouette", "calinski_harabasz", "davies_bouldin", "canonical",
    "entropy",
]  # fmt: skip


def again(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    given: Annotated[Names, Parameter(name=["--given", "-g"])] = None,
    method: Annotated[Method | None, Parameter(name=["--method", "-m"])] = None,
    omega: float | None = None,
    tolerance: float | None = None,
    clusters: int | None = None,
    number: Annotated[int | None, Parameter(name=["--number", "-n"])] = None,
    min_size: float | None = None,
    as_published: bool = False,
    features: str | None = None,
    scale: Annotated[bool | None, Parameter(negative="--no-scale")] = None,
    metric: Metric | None = None,
    quality: QualityName | None = None,
    prototypes: int | None = None,
    seed: int = 0,
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    missing: Literal["error", "drop", "label"] = "error",
    output_format: Annotated[Format, Parameter(name=["--format", "-f"])] = "table",
    output: Annotated[str | None, Parameter(name=["--output", "-o"])] = None,
    report: str | None = None,
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Cluster again: find groupings that are good, and different from the one you have.

    `clusterwise again data.csv --given class -n 2 --output labels.csv` reads features from all
    columns but class, prints what two alternatives are like and about, and writes a row per object
    with its class, alternative_1 and alternative_2. Alternatives come best first, by DQ; with
    auto the likeliest leads of those that are about as good.

    For each clustering: sizes, effective number of clusters (exp of their entropy), quality, and
    for alternatives how much they differ from what is given. The features that separate
    the clusters best have scores from 0 (no better than chance) to 1: the share of variance
    between clusters for numbers, Cramér's V squared for names, both beyond chance.

    CSV holds a line per clustering and figure: clustering,figure,feature,value. JSON
    holds an object: how it was searched, given and alternatives with all figures and the scores of
    all features, and the sentences. Labels are in the file of --output only.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input.
    given
        The column of the clustering that you have, which is no feature; repeat it for more.
        Without it a first clustering is made.
    method
        By default several are tried and the best of what they find is kept (auto); coala, if one of
        its options is there. Average linkage (coala), entropy linkage that takes all values as
        names (coalacat), k-means whose clusters say nothing about those given (maximus), what is
        left without those given (orthogonal), a penalty (mincentropy), clusters inside of those
        given (condens), information bottleneck (cib), a hundred weighted k-means (metaclusterer),
        or the best of three runs of k-means (naive).
    omega
        For coala and coalacat: from 0, as different as can be, to 1 and above, as good as can be;
        0.6 by default.
    tolerance
        For maximus: from 0, as different as can be, to 1 and above, which allows better clusters
        that differ less; 0.05 by default.
    clusters
        How many clusters to find; as many as the first given clustering has by default.
    number
        How many alternatives to find: one by default, and by auto all than which none is better in
        both quality and dissimilarity; fewer, if no more are worth having.
    min_size
        Smaller clusters join their nearest: objects, or a share of them below 1. By default 5 %
        of the objects, or a quarter of an average cluster if that is less. 0 switches it off.
    as_published
        The same as --min-size 0. The methods as published tend to set single objects apart.
    features
        The features to use, as one list: a,b,c. By default all columns that can be.
    scale
        Whether features of numbers get mean 0 and standard deviation 1 first; by default
        for metrics that depend on units.
    metric
        How coala measures distances; euclidean by default, and gower where there are names or
        gaps. Others take names as columns of 0 and 1, and gaps as means.
    quality
        What judges a clustering; by default canonical for auto, silhouette with gower, entropy for
        coalacat, else dunn, and dunn_centroids for more than 10,000 objects.
    prototypes
        Cluster this many weighted means in place of all objects: 1,000 by default if these are
        more than 10,000, else none; 0 takes all objects, however many.
    seed
        Another number gives another start to k-means, where it is used.
    key
        Match the rows of several files by this column, otherwise by position; --output repeats it.
    missing
        What to do where a given label is missing: stop, leave the object out (its row in
        --output stays empty), or make it a label.
    output_format
        How to print.
    output
        Write labels to this file, whole or not at all: .tsv or .jsonl as they say, else CSV.
    report
        Write a page of HTML to this file, with pictures of what is given beside what was found;
        it needs the extra `report`.
    input_format
        The files' format, if their names do not tell.
    delimiter
        The character between fields; found from the header by default.
    encoding
        The encoding of text files, such as latin-1.
    """
    command = command_line(again, locals())
    check_files(files, again)
    check_output(output)
    check_output(report, "--report")
    check_label_file(output)
    from clusterwise.cli.again.data import load_again
    from clusterwise.cli.again.plan import Asked, check_asked
    from clusterwise.cli.again.report import write_labels, write_page, write_report
    from clusterwise.cli.again.search import search
    from clusterwise.cli.tables.files import HowToRead

    of_coala = omega is not None or metric is not None or prototypes is not None
    chosen = method or ("coala" if of_coala else "auto")
    asked = Asked(
        chosen, omega, tolerance, clusters, number, min_size, as_published, metric, scale, quality,
        prototypes, seed,
    )  # fmt: skip
    check_asked(asked)
    how = HowToRead(input_format, delimiter, encoding)
    data = load_again(files, how, given or (), listed(features), key=key, missing=missing)
    result = search(data, asked)
    if output is not None:
        write_labels(data, result, output)
    if report is not None:
        write_page(data, result, report, command)
    write_report(result, output_format)
