"""The report of a comparison of several clusterings, pair by pair."""

from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TextTable, format_number
from clusterwise.comparing.compare_all import ComparisonMatrix
from clusterwise.measures.catalogue import find_measure
from clusterwise.report.page import Block, Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer

# A table of more clusterings is not readable.
_MAX_TABLE = 20
_MAX_PAIRS = 10
# A flow through more clusterings is not readable on a page.
_MAX_FLOW = 12


def comparison_matrix_page(result: ComparisonMatrix, options: PageOptions) -> Page:
    """Return the page of a comparison of several clusterings."""
    renderer = PlotRenderer()
    sections = [
        Section("Flow of objects", _flow(result, renderer)),
        Section("Similarity of the clusterings", _plots(result, renderer)),
        Section("Clusterings", [_clusterings(result)]),
        Section("Pairs", _pairs(result)),
        how_it_was_made({**_settings(result), **options.parameters}, options.code or _code(result)),
    ]
    return Page(
        options.title or f"{len(result.names)} clusterings compared by {result.measure}",
        "Several clusterings of the same objects, compared pair by pair",
        result.sentences()[1:],
        _tiles(result),
        sections,
        options.footer,
    )


def _tiles(result: ComparisonMatrix) -> list[Tile]:
    values = [value for *_, value in result.pairs()]
    return [
        Tile(grouped(len(result.names)), "clusterings"),
        Tile(rounded(float(np.mean(values))), f"mean {result.measure} of all pairs"),
        Tile(rounded(values[0]), "most similar pair"),
        Tile(rounded(values[-1]), "least similar pair"),
    ]


def _flow(result: ComparisonMatrix, renderer: PlotRenderer) -> list[Block]:
    """Draw the flow of objects through the clusterings in their order."""
    shown = result.names[:_MAX_FLOW]
    part = ""
    if len(shown) < len(result.names):
        part = f" (the first {len(shown)} of {len(result.names)} clusterings)"
    try:
        return [
            renderer.draw(
                lambda: result.plot("tree", clusterings=shown),
                "Flow of objects through the clusters of all clusterings, in their order",
                "Blocks are clusters, with heights proportional to their sizes; bands are the "
                f"objects that clusters of neighbouring clusterings share{part}.",
            )
        ]
    except InputError as error:
        # Pairs may have objects that not all clusterings have.
        return [f"The flow through all clusterings cannot be drawn: {error}"]


def _plots(result: ComparisonMatrix, renderer: PlotRenderer) -> list[Block]:
    blocks: list[Block] = [
        renderer.draw(
            result.plot,
            "Similarity matrix of the clusterings",
            "Rows and columns are clusterings; similar ones are beside each other.",
        )
    ]
    if len(result.names) > 2:
        blocks.append(
            renderer.draw(
                lambda: result.plot("map"),
                "Map of the clusterings by similarity",
                "Clusterings near each other are similar. Larger marks have more clusters.",
            )
        )
    return blocks


def _clusterings(result: ComparisonMatrix) -> TextTable:
    """Return a table with the number of clusters and the most similar clustering of each."""
    distance = find_measure(result.measure).direction == "distance"
    values = (result.values + result.values.T) / 2
    others = values.astype(float)
    np.fill_diagonal(others, np.inf if distance else -np.inf)
    nearest = others.argmin(axis=1) if distance else others.argmax(axis=1)
    sums = values.sum(axis=1) - np.diag(values)
    rows = [
        [
            name,
            str(clusters),
            format_number(float(sums[i] / (len(result.names) - 1))),
            result.names[nearest[i]],
            format_number(float(values[i, nearest[i]])),
        ]
        for i, (name, clusters) in enumerate(zip(result.names, result.n_clusters, strict=True))
    ]
    header = ["clustering", "clusters", "mean", "most similar to", "value"]
    return TextTable(header, rows, left=frozenset({0, 3}))


def _pairs(result: ComparisonMatrix) -> list[Block]:
    measure = find_measure(result.measure)
    blocks: list[Block] = [f"{measure.name}: {measure.meaning} ({measure.range})."]
    if not measure.symmetric:
        blocks.append("The measure is not symmetric: the first clustering is a, the second is b.")
    if len(result.names) <= _MAX_TABLE:
        blocks += result.text_tables()
    pairs = result.pairs()
    if len(pairs) <= _MAX_PAIRS:
        return blocks
    return [
        *blocks,
        _pair_table(pairs[:_MAX_PAIRS], "Most similar pairs"),
        _pair_table(pairs[: -_MAX_PAIRS - 1 : -1], "Least similar pairs"),
    ]


def _pair_table(pairs: list[tuple[str, str, float]], title: str) -> TextTable:
    rows = [[a, b, format_number(value)] for a, b, value in pairs]
    return TextTable(["first", "second", "value"], rows, title, frozenset({0, 1}))


def _settings(result: ComparisonMatrix) -> dict[str, Any]:
    """Return the measure, and the parameters that are not the defaults."""
    match = {"match": result.match} if result.match != "auto" else {}
    chance: dict[str, Any] = {}
    if result.chance is not None:
        correction = {"correction": result.chance.correction}
        chance = {**result.chance.options.arguments(), **correction}
    return {"measure": result.measure, **match, **chance}


def _code(result: ComparisonMatrix) -> str:
    """Return the code that reproduces the comparison, with a name in place of the labels."""
    settings = "".join(f", {name}={value!r}" for name, value in _settings(result).items())
    return (
        "from clusterwise import compare_all\n\n"
        "# clusterings are the labels of the same objects, by name.\n"
        f"matrix = compare_all(clusterings{settings})\n"
        'print(matrix)\nmatrix.report("report.html")'
    )
