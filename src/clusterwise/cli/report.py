"""``clusterwise report``: the comparison of two clusterings as a page to read and to send."""

from typing import Annotated, Literal

from cyclopts import Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.compare.compare import Binning, Names, check_files, listed
from clusterwise.cli.output import check_output, say
from clusterwise.cli.replay import command_line


def report(
    *files: Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)],
    column: Annotated[Names, Parameter(name=["--column", "-c"])] = None,
    columns: str | None = None,
    soft: Annotated[Names, Parameter(name=["--soft", "-s"])] = None,
    key: Annotated[str | None, Parameter(name=["--key", "-k"])] = None,
    measure: Annotated[Names, Parameter(name=["--measure", "-m"])] = None,
    data: Annotated[Names, Parameter(name=["--data", "-d"], allow_leading_hyphen=True)] = None,
    features: str | None = None,
    binning: Binning = "width",
    bins: int = 10,
    weight: str | None = None,
    noise: Literal["cluster", "singletons", "drop"] = "cluster",
    noise_label: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-1",
    missing: Literal["error", "drop", "label"] = "error",
    title: str | None = None,
    output: Annotated[str, Parameter(name=["--output", "-o"])] = "report.html",
    input_format: Literal["csv", "tsv", "jsonl", "parquet"] | None = None,
    delimiter: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    encoding: str = "utf-8",
) -> None:
    """Write a report of two clusterings: one page of HTML with everything about them.

    `clusterwise report labels.csv --data features.csv` compares the two columns of labels and
    writes report.html: how alike they are in plain words, pictures of who went where, who matches
    whom, all measures with their meaning, and the command that makes it again. With --data also
    where the clusters are dense, and what the objects look like in both. The page needs no
    network, prints well, and needs the extra `report`.

    Parameters
    ----------
    files
        CSV, TSV, JSON Lines or Parquet files, the texts also as .gz; - is standard input.
    column
        A column of labels; repeat it for the other. By default all that look like labels.
    columns
        The same as one list: a,b.
    soft
        One or two patterns such as `'p_*'`, in quotes. The columns that match a pattern are
        the memberships of one soft clustering, as for `clusterwise compare`.
    key
        Match the rows of several files by this column; otherwise by position.
    measure
        A name from `clusterwise measures`; repeat it for more. By default all that apply.
    data
        A file with features of the same objects, rows matched as those of the others; it
        may be one of them. Repeat it for more.
    features
        The features to use, as one list: a,b,c. By default all columns of --data that can
        be features and are not compared.
    binning
        How numbers are binned: even widths, equal frequencies, cuts that tell the first
        clustering's clusters apart (mdl), or a bin per value.
    bins
        How many bins a feature of numbers gets.
    weight
        A column that says how many objects each row stands for.
    noise
        Objects with the noise label are one cluster, a cluster each, or left out.
    noise_label
        The label that means noise.
    missing
        What to do where a label is missing: stop, leave the object out, or make it a label;
        a missing membership can be no label.
    title
        The title of the page; by default the names of the two.
    output
        Write to this file, whole or not at all.
    input_format
        The files' format, if their names do not tell.
    delimiter
        The character between fields; found from the header by default.
    encoding
        The encoding of text files, such as latin-1.
    """
    command = command_line(report, locals())
    check_files((*files, *(data or ())) if files else (), report)
    check_output(output)
    from clusterwise.cli.compare.results import InMemory, compare_two
    from clusterwise.cli.tables.files import HowToRead
    from clusterwise.cli.tables.loading import Wanted, load_checked
    from clusterwise.report import write_report

    wanted = Wanted(
        [*(column or ()), *listed(columns)], key, weight, missing, noise, noise_label,
        data or (), listed(features), soft or (),
    )  # fmt: skip
    how = HowToRead(input_format, delimiter, encoding)
    compared = load_checked(files, how, wanted, measure or (), bins)
    if len(compared.clusterings) != 2:
        names = ", ".join(compared.clusterings)
        raise InputError(
            f"a report is about two clusterings, but there are {len(compared.clusterings)} "
            f"({names}); choose two with --column."
        )
    work = InMemory(compared, binning, bins)
    result = compare_two(work, list(dict.fromkeys(measure or ())))
    if compared.features is not None:
        result.data = compared.features.named()
    parameters = {"noise": noise, "noise_label": noise_label, "missing": missing, "weight": weight}
    told = {name: value for name, value in parameters.items() if value is not None}
    write_report(result, output, title=title, parameters=told, code=command)
    say(f"the report is in {output}.")
