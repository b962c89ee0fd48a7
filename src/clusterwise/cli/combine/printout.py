"""The printout of ``combine``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from clusterwise._utils.tables import TextTable, format_count, format_number, list_sizes
from clusterwise.cli.combine.data import ConsensusResult
from clusterwise.cli.csv_writing import csv_text
from clusterwise.cli.options import OutputOptions
from clusterwise.cli.output import Printout, json_text, write, write_printout

_SHOWN = 10
_CSV_HEADER = ("kind", "name", "figure", "value")


def print_consensus(result: ConsensusResult, writing: OutputOptions) -> None:
    """Print the consensus."""
    output_format = writing.output_format
    if output_format == "csv":
        write(csv_text(_CSV_HEADER, _long_rows(result), excel_safe=writing.excel_safe), None)
    elif output_format == "json":
        write(json_text(_as_dict(result)), None)
    else:
        ambiguous = _most_ambiguous(result)
        tables = [_clusterings(result), *([_objects(ambiguous)] if ambiguous else [])]
        write_printout(Printout(tables, _sentences(result)), output_format)


def _clusterings(result: ConsensusResult) -> TextTable:
    sizes = sorted(result.sizes, reverse=True)
    title = (
        f"Consensus of {format_count(result.data.ensemble.m, 'clustering')} by "
        f"{result.found.method}: "
        f"{format_count(sum(sizes), 'object')} in {format_count(len(sizes), 'cluster')} "
        f"({list_sizes(tuple(sizes))})"
    )
    return replace(result.found.agreement.text_table(), title=title)


def _objects(ambiguous: Sequence[dict[str, Any]]) -> TextTable:
    rows = [
        [
            str(one["object"]),
            str(one["consensus"]),
            format_number(one["own"]),
            "" if one["nearest"] is None else str(one["nearest"]),
            format_number(one["other"]),
            format_number(one["margin"]),
        ]
        for one in ambiguous
    ]
    header = ["object", "cluster", "own", "nearest", "other", "margin"]
    title = (
        "The most ambiguous objects: co-association with their own and the nearest other cluster"
    )
    return TextTable(header, rows, title)


def _most_ambiguous(result: ConsensusResult) -> list[dict[str, Any]]:
    """Return the objects with the smallest margins, if below 1."""
    found = result.objects
    return [
        {
            "object": name,
            "consensus": int(found.labels[i]),
            "own": float(found.own[i]),
            "nearest": int(found.nearest[i]) if result.found.n_clusters > 1 else None,
            "other": float(found.other[i]),
            "margin": float(found.margin[i]),
        }
        for name, i in result.most_ambiguous(_SHOWN)
    ]


def _sentences(result: ConsensusResult) -> Iterator[str]:
    """Yield the sentences of the library, and the options that change what they say."""
    found = result.found
    yield from found.sentences()
    requested = found.n_clusters_requested
    if requested is not None and found.n_clusters < requested:
        yield "Try another --method."
    elif requested is None and found.n_clusters == 1 and max(found.ensemble.sizes) > 1:
        yield "Use --n-clusters for more clusters."


def _as_dict(result: ConsensusResult) -> dict[str, Any]:
    return {
        "objects": result.total,
        "method": result.found.method,
        "sizes": result.sizes,
        "ambiguous": result.objects.n_ambiguous,
        "unknown": result.unknown,
        "clusterings": list(_members(result)),
        "most_ambiguous": _most_ambiguous(result),
        "summary": list(_sentences(result)),
    }


def _members(result: ConsensusResult) -> Iterator[dict[str, Any]]:
    found = result.found.agreement
    for i, name in enumerate(found.names):
        yield {
            "name": name,
            "n_clusters": int(found.n_clusters[i]),
            "known": float(found.known[i]),
            "adjusted_rand_score": float(found.adjusted_rand[i]),
            "normalized_mutual_info_score": float(found.normalized_mutual_info[i]),
        }


def _long_rows(result: ConsensusResult) -> Iterator[Sequence[Any]]:
    figures = _as_dict(result)
    yield "consensus", "", "n_clusters", len(figures["sizes"])
    for name in ("objects", "ambiguous", "unknown"):
        yield "consensus", "", name, figures[name]
    for i, size in enumerate(figures["sizes"]):
        yield "cluster", i, "objects", size
    for kind, name, rows in (
        ("clustering", "name", figures["clusterings"]),
        ("object", "object", figures["most_ambiguous"]),
    ):
        for row in rows:
            for figure, value in row.items():
                if figure != name:
                    yield kind, row[name], figure, value
