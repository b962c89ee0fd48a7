"""The report of a consensus of several clusterings."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TextTable, format_count, format_number, format_percent
from clusterwise.consensus.automatic import CONFIDENT, LOCAL, RATIO
from clusterwise.consensus.combined import Combined
from clusterwise.consensus.consensus_matrix import consensus_matrix
from clusterwise.consensus.diagnostics import ObjectAgreement
from clusterwise.consensus.stability import co_association_curve, number_stability
from clusterwise.inputs.ensembles import MISSING, Ensemble
from clusterwise.report.page import Block, Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made, list_parameters
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer

_MAX_OBJECTS = 300
_MAX_ROWS = 10
# More clusterings, or more labels to compare, make no readable similarity matrix.
_MAX_CLUSTERINGS = 40
_MAX_LABELS = 1e9
_MARGINS = (
    "Own is the mean co-association of an object with the objects of its cluster: the proportion "
    "of clusterings that group them. Other is that with the nearest other cluster. The margin is "
    "their difference; objects whose margin is 0 or less are ambiguous."
)


def consensus_page(result: Combined, options: PageOptions) -> Page:
    """Return the page of a consensus."""
    renderer = PlotRenderer()
    sections = [
        Section("Clusters of the consensus", [result.objects.text_table(), _MARGINS]),
        Section(
            "Agreement with the clusterings",
            [result.agreement.text_table(), *_similarity(result, renderer)],
        ),
        Section("Stable and ambiguous objects", _stability(result, renderer)),
        Section("Number of clusters", _number_of_clusters(result.ensemble, renderer)),
        how_it_was_made(options.parameters, options.code or _code(result), _models(result)),
    ]
    return Page(
        options.title or f"Consensus of {format_count(result.ensemble.m, 'clustering')}",
        "Many clusterings of the same objects, combined into one",
        result.sentences(),
        _tiles(result),
        [section for section in sections if section.blocks],
        options.footer,
    )


def _tiles(result: Combined) -> list[Tile]:
    known = int((result.labels != MISSING).sum())
    ambiguous = format_percent(result.objects.n_ambiguous / max(known, 1))
    mean = float(result.agreement.adjusted_rand.mean())
    return [
        Tile(grouped(result.n_clusters), "cluster" if result.n_clusters == 1 else "clusters"),
        Tile(rounded(mean), "mean adjusted Rand index with the clusterings; 0 is chance"),
        Tile(ambiguous, "of the objects are ambiguous"),
        Tile(grouped(result.ensemble.m), "clusterings"),
        Tile(grouped(result.ensemble.n), "objects"),
    ]


def _similarity(result: Combined, renderer: PlotRenderer) -> list[Block]:
    """Draw the similarity matrix, if there are few clusterings and no missing labels."""
    members = result.ensemble
    m = members.m + 1
    if m > _MAX_CLUSTERINGS or m * m * members.n > _MAX_LABELS or (members.codes == MISSING).any():
        return []
    named = {"consensus": result.labels}
    for name, codes in zip(members.names, members.codes, strict=True):
        named[_unique_name(str(name), named)] = codes
    similarity = load_display("SimilarityDisplay")
    return [
        renderer.draw(
            lambda: similarity.from_clusterings(named).plot(),
            "Similarity matrix of the clusterings and the consensus",
            "Similar clusterings are beside each other; the consensus is one of them.",
        )
    ]


def _stability(result: Combined, renderer: PlotRenderer) -> list[Block]:
    members = result.ensemble
    matrix = consensus_matrix(members, result.labels, n_sample=_MAX_OBJECTS, random_state=0)
    return [
        renderer.draw(
            result.objects.plot,
            "Margins of the objects of each cluster",
            "The objects of each cluster by their margin: how much more often they are grouped "
            "with their own cluster than with the nearest other one.",
        ),
        renderer.draw(
            matrix.plot,
            "Co-association matrix of the objects",
            "Rows and columns are objects, ordered by cluster; a cell is the proportion of "
            "clusterings that group the two. Clear blocks are clusters that most of them agree on"
            f"{_sampled(members.n)}.",
        ),
        *_most_ambiguous(result.objects),
    ]


def _sampled(n: int) -> str:
    return f" ({_MAX_OBJECTS} of {grouped(n)} objects, drawn at random)" if n > _MAX_OBJECTS else ""


def _most_ambiguous(objects: ObjectAgreement) -> list[Block]:
    """Return a table of the objects with the smallest margins."""
    count = int((objects.margin < 1).sum())
    if not count:
        return []
    order = np.argsort(objects.margin, kind="stable")[: min(_MAX_ROWS, count)]
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
    return [TextTable(header, rows, "Objects with the smallest margins")]


def _number_of_clusters(members: Ensemble, renderer: PlotRenderer) -> list[Block]:
    """Draw the distribution of co-associations, and list the stability of numbers of clusters."""
    if members.n < 2:
        return []
    curve = co_association_curve(members, random_state=0)
    blocks: list[Block] = [
        renderer.draw(
            curve.plot,
            "Cumulative distribution of the co-associations",
            "The proportion of pairs with at most this co-association. Where clusters are clear, "
            "nearly all pairs are at 0 or at 1, and the curve is flat in between.",
        )
    ]
    try:
        stability = number_stability(members, random_state=0)
    except InputError:  # no two clusterings have the same number of clusters
        return blocks
    return [
        *blocks,
        stability.text_table(),
        "Clusterings with the same number of clusters are compared with each other: a stable "
        "number has a high mean adjusted Rand index (ARI). PAC is the proportion of pairs that "
        "some clusterings group and others separate.",
    ]


def _models(result: Combined) -> list[TextTable]:
    """Return tables of the parameters of the method, and of what it was chosen by."""
    title = f"Combined by {result.method}, {type(result.model).__name__}"
    found = [list_parameters(result.model.get_params(), title)]
    if result.confidence is not None:
        ratio = float(np.median(result.ensemble.sizes)) / result.n_clusters
        rows = [
            ["mean confidence of the clusters", format_number(result.confidence)],
            ["median number of clusters / that of the consensus", format_number(ratio)],
        ]
        title = f"Chosen by auto: {LOCAL} from {CONFIDENT} and {RATIO}"
        found.append(TextTable(["chosen by", "value"], rows, title))
    return found


def _code(result: Combined) -> str:
    """Return the code that reproduces the consensus, with a name in place of the labels."""
    seed = result.model.get_params().get("random_state")
    options = "" if seed is None else f", random_state={seed!r}"
    return (
        "from clusterwise import combine\n\n"
        "# ensemble are the clusterings of the same objects.\n"
        f"found = combine(ensemble, {result.method!r}, n_clusters={result.n_clusters}{options})\n"
        'print(found)\nfound.report("report.html")'
    )


def _unique_name(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name += "'"
    return name
