"""The printout of ``again``, its file of labels and its HTML report."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from clusterwise._utils.export import finite_or_none
from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_number,
    list_sizes,
)
from clusterwise.alternatives.alternative_sentences import (
    GivenFacts,
    describe_alternatives,
    has_uneven_sizes,
    say_found_again,
    say_log,
    say_sample,
    say_scaling,
    tabulate_features,
)
from clusterwise.cli.again.data import AgainData
from clusterwise.cli.again.find_alternatives import ClusteringSummary, SearchResult
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import (
    Printout,
    json_text,
    write,
    write_columns,
    write_printout,
)
from clusterwise.inputs.encoding import Array
from clusterwise.measures.quality import find_quality

_FEATURES_SHOWN = 10
_TRANSFORMED = {"silhouette": " s, as (1 + s)/2", "davies_bouldin": " v, as 1/(1 + v)"}
_DISSIMILARITY = {
    "jaccard": "the Jaccard index of pairs",
    "adjusted_mutual_info_score": "the adjusted mutual information",
}
_FIGURES = (
    "effective_n_clusters", "degenerate", "quality", "dissimilarity", "dq", "evidence",
    "convincing", "stability",
)  # fmt: skip
_CSV_HEADER = ("clustering", "figure", "feature", "value")


def print_search(result: SearchResult, writing: OutputOptions) -> None:
    """Print the alternatives."""
    output_format = writing.output_format
    if output_format == "csv":
        write(csv_text(_CSV_HEADER, _long_rows(result), excel_safe=writing.excel_safe), None)
    elif output_format == "json":
        write(json_text(_as_dict(result)), None)
    else:
        tables = [_scores(result), _features(result)]
        write_printout(Printout(tables, (*_sentences(result), *_legend(result))), output_format)


def write_labels(
    data: AgainData, result: SearchResult, output: str, *, excel_safe: bool = False
) -> None:
    """Write a row per object of the input: key, given clusterings, alternatives."""
    columns: dict[str, list[Any]] = {}
    for column in [*([data.key] if data.key else []), *data.given]:
        columns[column.name] = column.to_list()
    found = [*(result.given if result.first_made else []), *result.alternatives]
    for one in found:
        columns[one.name] = _labels_of_all(one.labels, data)
    write_columns(columns, output, excel_safe=excel_safe)


def write_html_report(data: AgainData, result: SearchResult, path: str, command: str) -> None:
    """Write an HTML report, with the names and labels of the files."""
    clusterings: dict[str, Any] = {one.name: one.labels for one in result.given}
    for column in data.given:
        kept = column if data.rows is None else column.take(data.rows)
        clusterings[column.name] = kept.to_list()
    clusterings |= {one.name: one.labels for one in result.alternatives}
    features = result.plan.features.named()
    result.found.report(path, features, clusterings=clusterings, code=command)


def _labels_of_all(labels: Array, data: AgainData) -> list[int | None]:
    """Return the labels of all objects, None for those that were dropped."""
    if data.rows is None:
        return labels.tolist()
    of_all = np.full(data.n, -1)
    of_all[data.rows] = labels
    return [None if label < 0 else label for label in of_all.tolist()]


def _scores(result: SearchResult) -> TextTable:
    header = [
        "", "clusters", "effective", "sizes", "quality", "dissimilarity", "DQ", "evidence",
        "found again", "",
    ]  # fmt: skip
    rows = [
        [
            one.name,
            str(len(one.sizes.sizes)),
            f"{one.sizes.effective:.2f}",
            list_sizes(one.sizes.sizes),
            format_number(one.quality),
            "" if one.dissimilarity is None else format_number(one.dissimilarity),
            "" if one.dq is None else format_number(one.dq),
            say_log(one.evidence),
            say_found_again(one.found_again),
            _note(one, result),
        ]
        for one in _clusterings(result)
    ]
    names = " and ".join(one.name for one in result.given)
    title = (
        f"{format_count(len(result.alternatives), 'alternative')} to {names}: "
        f"{format_count(result.found.n_objects, 'object')}, "
        f"{format_count(len(result.plan.features.names), 'feature')}"
    )
    return TextTable(header, rows, title, left=frozenset({0, 3, 9}), spare=2)


def _note(one: ClusteringSummary, result: SearchResult) -> str:
    if one.sizes.degenerate:
        return "degenerate"
    if one in result.given:
        return "made first" if result.first_made else "given"
    return f"by {one.method}" if result.method == "auto" else ""


def _features(result: SearchResult) -> TextTable:
    """Return the best features of each clustering, side by side."""
    return tabulate_features([(one.name, one.about) for one in _clusterings(result)])


def _clusterings(result: SearchResult) -> list[ClusteringSummary]:
    return [*result.given, *result.alternatives]


def _sentences(result: SearchResult) -> list[str]:
    """Return the sentences of the library, with the names of the columns."""
    facts = result.found.facts([one.name for one in result.alternatives])
    named = zip(facts, result.alternatives, strict=True)
    found = [one._replace(about=other.about) for one, other in named]
    given = [GivenFacts(one.name, one.about) for one in result.given]
    sentences = describe_alternatives(found, given, result.found.attempts().facts())
    sentences += say_sample(len(result.given[0].labels), result.found.n_objects)
    sentences += say_scaling(result.plan.scaling)
    if any(map(has_uneven_sizes, found)):
        sentences.append("--min-cluster-size sets how small a cluster may be.")
    return sentences


def _legend(result: SearchResult) -> Iterator[str]:
    plan = result.plan
    quality = find_quality(plan.quality)
    transformed = _TRANSFORMED.get(quality.name, "")
    yield (
        f"Quality is {quality.name}{transformed} ({quality.meaning}); dissimilarity is 1 - "
        f"{_DISSIMILARITY[_measure(result)]}; DQ is their harmonic mean."
    )
    yield f"Found by {result.method} in {format_list(plan.features.names, _FEATURES_SHOWN)}."


def _measure(result: SearchResult) -> str:
    return "adjusted_mutual_info_score" if result.method == "auto" else "jaccard"


def _as_dict(result: SearchResult) -> dict[str, Any]:
    plan = result.plan
    return {
        "objects": result.found.n_objects,
        **({} if result.found.sample is None else {"sample": len(result.given[0].labels)}),
        "features": plan.features.names,
        "method": result.method,
        "metric": plan.metric,
        "scaled": plan.scaling in ("standard", "mixed"),
        "quality_measure": plan.quality,
        "dissimilarity_measure": _measure(result),
        "made_first": result.first_made,
        "given": [_as_row(one) for one in result.given],
        "alternatives": [_as_row(one) for one in result.alternatives],
        "summary": _sentences(result),
    }


def _as_row(one: ClusteringSummary) -> dict[str, Any]:
    figures = {
        "name": one.name,
        "sizes": list(one.sizes.sizes),
        "effective_n_clusters": one.sizes.effective,
        "degenerate": one.sizes.degenerate,
        "quality": finite_or_none(one.quality),
    }
    if one.dq is not None:
        figures |= {"dissimilarity": one.dissimilarity, "dq": one.dq}
        figures["adjusted_rand_score"] = one.rand
        figures |= {"evidence": one.evidence, "convincing": one.convincing}
        figures |= {"stability": one.stability, "found_again": one.found_again}
        figures["better_than"] = one.better_than
        figures |= {"method": one.method, "parameters": dict(one.parameters)}
    return {**figures, "separation": one.about.separating.to_dict()}


def _long_rows(result: SearchResult) -> Iterator[Sequence[Any]]:
    for one in _clusterings(result):
        figures = _as_row(one)
        yield one.name, "n_clusters", "", len(one.sizes.sizes)
        for name in _FIGURES:
            if figures.get(name) is not None:
                yield one.name, name, "", figures[name]
        for best in one.about.separating:
            yield one.name, "separation", best.feature, best.score
