"""The report of a combination: the consensus, and how well it is supported."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TextTable, format_count, format_number, format_percent
from clusterwise.consensus.combine import Combined
from clusterwise.consensus.consensus_matrix import consensus_matrix
from clusterwise.consensus.diagnostics import ObjectAgreement, object_agreement
from clusterwise.consensus.stability import co_association_curve, number_stability
from clusterwise.inputs.ensembles import MISSING, Ensemble
from clusterwise.report.page import Block, Page, Section, Tile
from clusterwise.report.provenance import how_it_was_made, list_parameters
from clusterwise.report.sentences import grouped, rounded, say_settled, say_supported
from clusterwise.report.svg import Album

_SAMPLE = 300
_LEAST = 10
# Beyond so many clusterings, or labels to compare, nobody sees who is like whom.
_MOST_MEMBERS = 40
_MOST_LABELS = 1e9


def combination_page(
    result: Combined,
    *,
    title: str | None,
    parameters: Mapping[str, Any],
    code: str | None,
    made: str,
) -> Page:
    """The clusters of the consensus, who agrees with them, and what is not settled."""
    members = result.ensemble
    objects = object_agreement(result.labels, members)
    known = int((result.labels != MISSING).sum())
    album = Album()
    sections = [
        Section("Clusters of the consensus", [objects.text_table(), *_unknown(result)]),
        Section(
            "Who agrees with it", [result.agreement.text_table(), *_alike(result, members, album)]
        ),
        Section("What is settled", _settled(result, members, objects, album)),
        Section("How many clusters", _numbers(members, album)),
        how_it_was_made(parameters, code or _code(result), _models(result)),
    ]
    verdict = [say_supported(result.agreement)]
    if result.n_clusters > 1:
        verdict.append(say_settled(objects, known))
    return Page(
        title or f"Consensus of {format_count(members.m, 'clustering')}",
        "Many clusterings of the same objects, combined into one",
        verdict,
        _tiles(result, members, objects, known),
        [section for section in sections if section.blocks],
        made,
    )


def _tiles(result: Combined, members: Ensemble, objects: ObjectAgreement, known: int) -> list[Tile]:
    mean = float(result.agreement.adjusted_rand.mean())
    return [
        Tile(grouped(result.n_clusters), "cluster" if result.n_clusters == 1 else "clusters"),
        Tile(rounded(mean), "mean adjusted Rand index with the clusterings; 0 is chance"),
        Tile(format_percent(objects.n_ambiguous / max(known, 1)), "of the objects are not settled"),
        Tile(grouped(members.m), "clusterings"),
        Tile(grouped(members.n), "objects"),
    ]


def _unknown(result: Combined) -> list[Block]:
    found: list[Block] = [
        "Own is how often an object is together with others of its cluster, on average over the "
        "clusterings, and other with those of the nearest other cluster. The margin is their "
        "difference; objects whose margin is not above 0 are not settled."
    ]
    count = int((result.labels == MISSING).sum())
    if count:
        what, has = format_count(count, "object"), "has" if count == 1 else "have"
        found.append(f"{what} {has} no label in any clustering, and so none in the consensus.")
    return found


def _alike(result: Combined, members: Ensemble, album: Album) -> list[Block]:
    """Every clustering beside every other, if there are not too many and nothing is missing."""
    m = members.m + 1
    if m > _MOST_MEMBERS or m * m * members.n > _MOST_LABELS or (members.codes == MISSING).any():
        return []
    named = {"consensus": result.labels}
    for name, codes in zip(members.names, members.codes, strict=True):
        named[_free(str(name), named)] = codes
    similarity = load_display("SimilarityDisplay")
    return [
        album.draw(
            lambda: similarity.from_clusterings(named).plot(),
            "How alike the clusterings and the consensus are, pair by pair",
            "Clusterings that are alike stand beside each other. The consensus is among them.",
        )
    ]


def _settled(
    result: Combined, members: Ensemble, objects: ObjectAgreement, album: Album
) -> list[Block]:
    matrix = consensus_matrix(members, result.labels, n_sample=_SAMPLE, random_state=0)
    return [
        album.draw(
            objects.plot,
            "How settled the objects of each cluster are",
            "Objects of each cluster by their margin: how much more often they are together with "
            "their own cluster than with the nearest other one.",
        ),
        album.draw(
            matrix.plot,
            "How often two objects are in one cluster",
            "Rows and columns are objects, cluster after cluster; a cell is how many of the "
            "clusterings have the two together. Clear blocks are clusters that most agree on"
            f"{_sampled(members.n)}.",
        ),
        *_least(objects),
    ]


def _sampled(n: int) -> str:
    return f" ({_SAMPLE} of {grouped(n)} objects, drawn by chance)" if n > _SAMPLE else ""


def _least(objects: ObjectAgreement) -> list[Block]:
    """The objects with the least margins."""
    count = int((objects.margin < 1).sum())
    if not count:
        return []
    order = np.argsort(objects.margin, kind="stable")[: min(_LEAST, count)]
    rows = [
        [
            str(i),
            str(objects.labels[i]),
            format_number(float(objects.own[i])),
            str(objects.nearest[i]),
            format_number(float(objects.other[i])),
            format_number(float(objects.margin[i])),
        ]
        for i in order.tolist()
    ]
    header = ["object", "cluster", "own", "nearest", "other", "margin"]
    return [TextTable(header, rows, "The objects that are least settled")]


def _numbers(members: Ensemble, album: Album) -> list[Block]:
    """How clear co-associations are, and which number of clusters is found again."""
    if members.n < 2:
        return []
    curve = co_association_curve(members, random_state=0)
    blocks: list[Block] = [
        album.draw(
            curve.plot,
            "How often pairs of objects are together",
            "The share of pairs that are together in at most so many of the clusterings. Where "
            "clusters are clear, nearly all pairs are at 0 or at 1, and the curve is flat between.",
        )
    ]
    try:
        stability = number_stability(members, random_state=0)
    except InputError:  # no two clusterings have the same number of clusters
        return blocks
    return [
        *blocks,
        stability.text_table(),
        "Clusterings with the same number of clusters are compared with each other: the right "
        "number is found again (high mean ARI). PAC is the share of pairs that some have together "
        "and some apart.",
    ]


def _models(result: Combined) -> list[TextTable]:
    """The method, and those that it was chosen from."""
    title = f"Combined by {result.method}, {type(result.model).__name__}"
    found = [list_parameters(result.model.get_params(), title)]
    if result.scores:
        rows = [[method, format_number(shared)] for method, shared in result.scores.items()]
        title = "Methods that were tried; the one that shares most with the clusterings was taken"
        found.append(TextTable(["method", "mean NMI with the clusterings"], rows, title))
    return found


def _code(result: Combined) -> str:
    """Lines of Python; the labels are too many to write down."""
    seed = result.model.get_params().get("random_state")
    options = "" if seed is None else f", random_state={seed!r}"
    return (
        "from clusterwise import combine\n\n"
        "# ensemble are the clusterings of the same objects.\n"
        f"found = combine(ensemble, {result.method!r}, n_clusters={result.n_clusters}{options})\n"
        'print(found)\nfound.report("report.html")'
    )


def _free(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name += "'"
    return name
