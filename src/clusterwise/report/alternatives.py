"""The report of alternatives: what is given against what was found."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import TextTable, format_count, format_list, format_number
from clusterwise.alternatives.results import (
    FoundClustering,
    FoundClusterings,
    Sizes,
    describe_sizes,
    list_sizes,
)
from clusterwise.comparing.compare import compare
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.measures.separating_features import SeparatingFeatures, separating_features
from clusterwise.plots._palette import Colours, colour_clusters, colour_names
from clusterwise.report.comparison import draw_profiles, draw_table, say_features
from clusterwise.report.page import Block, Page, Section, Tile
from clusterwise.report.provenance import how_it_was_made, list_parameters
from clusterwise.report.sentences import grouped, rounded, say_about, say_alike
from clusterwise.report.svg import Album
from clusterwise.summaries.contingency.contingency import Contingency

# How many clusterings pictures show side by side, and features a table.
_SIDE_BY_SIDE = 3
_IN_A_ROW = 6
_TOP = 5


class _One(NamedTuple):
    """A clustering, given or found, and what it is about, if features are known."""

    name: str
    labels: Any
    sizes: Sizes
    found: FoundClustering | None
    about: SeparatingFeatures | None


def alternatives_page(
    result: FoundClusterings,
    X: Any,
    clusterings: Mapping[str, Any] | None,
    *,
    title: str | None,
    parameters: Mapping[str, Any],
    code: str | None,
    made: str,
) -> Page:
    """What each clustering is about, how good it is, and how it differs from what is given."""
    everyone = _read(result, X, clusterings)
    given, found = everyone[: len(result.given)], everyone[len(result.given) :]
    names = format_list([one.name for one in given])
    album = Album()
    colours = _colours(everyone)
    sections = [
        Section("Given and found", _table(given, found, X)),
        Section("How good and how different", _front(result, everyone, album)),
        Section("What each is about", _about(everyone, X, album, colours)),
        Section("Where objects went", _went(everyone, album, colours)),
    ]
    if found:
        pair = [colours[0], colours[len(given)]]
        blocks = _closer(found[0], given[0], X, album, pair)
        sections.append(Section("The first alternative closer", blocks))
    models = [_settings(one) for one in found]
    told = {**result.parameters, **parameters}
    sections.append(how_it_was_made(told, code or _code(X, result.parameters), models))
    return Page(
        title or f"Alternatives to {'what is given' if clusterings is None else names}",
        "Other clusterings of the same objects: good ones that differ",
        list(_verdict(given, found)),
        _tiles(given, found),
        [section for section in sections if section.blocks],
        made,
    )


def _read(result: FoundClusterings, X: Any, clusterings: Mapping[str, Any] | None) -> list[_One]:
    named = result.by_name() if clusterings is None else dict(clusterings)
    if len(named) != len(result.given) + len(result):
        raise InputError(
            f"clusterings are {len(named)}, but {len(result.given)} were given and {len(result)} "
            "found; pass all of them, those given first."
        )
    ones = []
    found = [*[None] * len(result.given), *result]
    codes = [*result.given, *(one.labels for one in result)]
    for (name, labels), of, code in zip(named.items(), found, codes, strict=True):
        about = None if X is None else separating_features(X, labels)
        ones.append(_One(str(name), labels, describe_sizes(code), of, about))
    return ones


def _colours(everyone: list[_One]) -> list[Colours]:
    """Colours that are the same in all pictures: each clustering is matched with the one before."""
    tables = [
        Contingency.from_labels(one.labels, other.labels) for one, other in pairwise(everyone)
    ]
    return colour_clusters(tables) if tables else [colour_names(np.unique(everyone[0].labels))]


def _verdict(given: list[_One], found: list[_One]) -> list[str]:
    if not found:
        return ["Nothing was found that is worth having."]
    return [_sentence(one, given) for one in found[:_IN_A_ROW]]


def _sentence(one: _One, given: list[_One]) -> str:
    """What an alternative is about, and how it stands to each given clustering."""
    if one.sizes.degenerate:
        sizes = list_sizes(one.sizes.sizes)
        return f"{one.name} is degenerate, hardly more than one cluster ({sizes})."
    parts = []
    for old in given:
        words = say_alike(_rand(one, old))
        which = "" if old.about is None else f", which {say_about(old.about)}"
        parts.append(f"it {words} {old.name}{which}")
    if one.about is None:
        return f"{one.name}: {', and '.join(parts)}."
    return f"{one.name} {say_about(one.about)}; {', and '.join(parts)}."


def _rand(one: _One, old: _One) -> float:
    return float(adjusted_rand_score(old.labels, one.labels))


def _tiles(given: list[_One], found: list[_One]) -> list[Tile]:
    tiles = [Tile(grouped(len(found)), "alternative" if len(found) == 1 else "alternatives")]
    if found:
        first = found[0]
        assert first.found is not None
        tiles += [
            Tile(rounded(first.found.dq), f"DQ of {first.name}, 0 to 1"),
            Tile(rounded(_rand(first, given[0])), "its adjusted Rand index with what is given"),
        ]
    return [*tiles, Tile(grouped(sum(given[0].sizes.sizes)), "objects")]


def _table(given: list[_One], found: list[_One], X: Any) -> list[Block]:
    rows = []
    for one in (*given, *found):
        worth = ["", "", "", "given"]
        if one.found is not None:
            values = (one.found.quality, one.found.dissimilarity, one.found.dq)
            worth = [*map(format_number, values), one.found.method]
        rand = ["" if one.found is None else format_number(_rand(one, old)) for old in given]
        sizes = one.sizes
        told = [str(len(sizes.sizes)), f"{sizes.effective:.2f}", list_sizes(sizes.sizes)]
        rows.append([one.name, *told, *worth[:3], *rand, worth[3]])
    header = ["clustering", "clusters", "effective", "sizes", "quality", "dissimilarity", "DQ"]
    header += [f"ARI with {old.name}" for old in given] + ["found by"]
    blocks: list[Block] = [
        TextTable(header, rows, left=frozenset({0, 3, len(header) - 1})),
        "Quality says how good the clusters are in themselves, dissimilarity how much they differ "
        "from what is given; DQ is their harmonic mean. The effective number of clusters is exp of "
        "the entropy of their sizes. An adjusted Rand index (ARI) of 0 is chance, 1 is identical.",
    ]
    if X is not None:
        blocks.append(say_features(X))
    return blocks


def _why_first(result: FoundClusterings) -> str:
    """Why the suggested one is suggested, where others have a larger DQ."""
    largest = max(one.dq for one in result if one.degenerate == result[0].degenerate)
    if result[0].dq >= largest:
        return ""
    return (
        f" The suggested one has a DQ {largest - result[0].dq:.3f} below the largest; of those "
        "that are about as good it makes the objects likeliest."
    )


def _front(result: FoundClusterings, everyone: list[_One], album: Album) -> list[Block]:
    blocks: list[Block] = []
    if len(result) > 1:
        blocks.append(
            album.draw(
                lambda: result.plot("front"),
                "Quality and dissimilarity of each alternative",
                "Further right is more different, further up is better. Than those on the line "
                "(the Pareto front) none is better in both; faint lines have the same DQ."
                + _why_first(result),
            )
        )
    if len(everyone) > 2:
        quality = {one.name: one.found.quality for one in everyone if one.found is not None}
        given = [one.name for one in everyone if one.found is None]
        named = {one.name: one.labels for one in everyone}
        mapped = load_display("ClusteringMapDisplay")
        blocks.append(
            album.draw(
                lambda: mapped.from_clusterings(named, quality=quality, given=given).plot(),
                "Map of the clusterings, alike ones near each other",
                "Clusterings that are near each other group the objects alike. Larger marks have "
                "more clusters; the colour is the quality.",
            )
        )
    return blocks


def _about(everyone: list[_One], X: Any, album: Album, colours: list[Colours]) -> list[Block]:
    if X is None:
        return []
    told = [(one.name, one.about) for one in everyone[:_IN_A_ROW] if one.about is not None]
    lines = []
    for rank in range(min(_TOP, len(told[0][1]))):
        best = [about[rank] for _, about in told]
        lines.append([text for one in best for text in (one.feature, f"{one.score:.2f}")])
    header = [text for name, _ in told for text in (name, "score")]
    some = {one.name: one.labels for one in everyone[:_SIDE_BY_SIDE]}
    scatter = load_display("ScatterPairDisplay")
    return [
        TextTable(
            header,
            lines,
            "The features that separate the clusters best, from 0 (chance) to 1 (entirely)",
            frozenset(range(0, len(header), 2)),
        ),
        album.draw(
            lambda: scatter.from_clusterings(some, X=X, colours=colours[: len(some)]).plot(),
            f"The same objects, coloured by {format_list(list(some))}",
            "Every object is at the same place in each panel; only the colours are those of one "
            f"clustering or another{_of(len(some), len(everyone))}.",
        ),
    ]


def _went(everyone: list[_One], album: Album, colours: list[Colours]) -> list[Block]:
    if len(everyone) < 2:
        return []
    some = {one.name: one.labels for one in everyone[:_IN_A_ROW]}
    flow = load_display("FlowDisplay")
    return [
        album.draw(
            lambda: flow.from_clusterings(some, colours=colours[: len(some)]).plot(),
            f"Flow of objects through the clusters of {format_list(list(some))}",
            "Blocks are clusters, as high as they are large; bands are objects on their way from "
            f"one clustering to the next{_of(len(some), len(everyone))}.",
        )
    ]


def _closer(first: _One, given: _One, X: Any, album: Album, colours: list[Colours]) -> list[Block]:
    """An alternative beside the clustering that is given."""
    comparison = compare(given.labels, first.labels, X, names=(given.name, first.name))
    return [
        comparison.summary(),
        draw_table(comparison, album, colours),
        *draw_profiles(comparison, album, colours),
    ]


def _settings(one: _One) -> TextTable:
    """The parameters of the method that found an alternative."""
    assert one.found is not None
    title = f"{one.name} was found by {one.found.method}"
    return list_parameters(one.found.parameters, title)


def _code(X: Any, parameters: Mapping[str, Any]) -> str:
    """Lines of Python; the data are too many to write down."""
    options = "".join(f", {name}={value!r}" for name, value in parameters.items())
    report = 'found.report("report.html")' if X is None else 'found.report("report.html", X)'
    return (
        "from clusterwise import cluster_again\n\n"
        "# X are the objects, given is the clustering that was known.\n"
        f"found = cluster_again(X, given{options})\n"
        f"print(found)\n{report}"
    )


def _of(shown: int, total: int) -> str:
    return "" if shown == total else f" (the first {shown} of {format_count(total, 'clustering')})"
