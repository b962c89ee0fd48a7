"""The report of alternatives to the given clusterings."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.lazy import load_display
from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_number,
    list_sizes,
)
from clusterwise.alternatives.about import About, find_about
from clusterwise.alternatives.alternative_sentences import (
    AlternativeFacts,
    GivenFacts,
    describe_alternatives,
    say_found_again,
    say_log,
    say_scaling,
    tabulate_features,
)
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.given import GIVEN_NAME, LEFT_OUT, MADE_NAME
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.alternatives.sizes import Sizes, describe_sizes
from clusterwise.comparing.compare import compare
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import take_rows
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.plots._palette import Colours, colour_clusters, colour_names
from clusterwise.report.comparison import draw_profiles, draw_table, say_features
from clusterwise.report.page import Block, Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made, list_parameters
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer
from clusterwise.summaries.contingency.contingency import Contingency

# The largest numbers of clusterings in scatter plots and elsewhere.
_MAX_PANELS = 3
_MAX_CLUSTERINGS = 6


class _Entry(NamedTuple):
    """A given or found clustering, and what it is about, if the features are known."""

    name: str
    labels: Any
    sizes: Sizes
    found: FoundClustering | None
    about: About | None


def alternatives_page(
    result: FoundClusterings,
    X: Any,
    clusterings: Mapping[str, Any] | None,
    options: PageOptions,
) -> Page:
    """Return the page of alternatives."""
    passed, X = X, result.data if X is None else X
    kept = np.flatnonzero((np.asarray(result.given) != LEFT_OUT).all(axis=0))
    n = len(result.given[0])
    if X is not None and kept.size < n:
        X = take_rows(X, kept)
    entries = _read(result, X, clusterings, kept)
    given, found = entries[: len(result.given)], entries[len(result.given) :]
    own = clusterings or len(given) == 1
    names = [one.name for one in given] if own else [GIVEN_NAME]
    renderer = PlotRenderer()
    colours = _colours(entries)
    sections = [
        Section("Given and found clusterings", [*_table(given, found, X), *_left_out(kept, n)]),
        Section("Attempts that are not convincing", _attempts(result)),
        Section("Features that separate the clusters", _features(entries, X, renderer, colours)),
        Section("Quality and dissimilarity", _front(result, entries, renderer)),
        Section("Flow of objects", _flow(entries, renderer, colours)),
    ]
    if found:
        pair = [colours[0], colours[len(given)]]
        blocks = _details(found[0], given[0], X, renderer, pair)
        sections.append(Section("First alternative in detail", blocks))
    models = [_settings(one) for one in found]
    shown = {**result.parameters, **options.parameters}
    sections.append(
        how_it_was_made(shown, options.code or _code(passed, result.parameters), models)
    )
    return Page(
        options.title or f"Alternatives to {format_list(names)}",
        "Other clusterings of the same objects, of high quality and dissimilar to the given ones",
        _verdict(result, given, found),
        _tiles(given, found),
        [section for section in sections if section.blocks],
        options.footer,
    )


def _read(
    result: FoundClusterings, X: Any, clusterings: Mapping[str, Any] | None, kept: Array
) -> list[_Entry]:
    """Return the given and found clusterings of the objects that were searched."""
    named = _names(result) if clusterings is None else dict(clusterings)
    if len(named) != len(result.given) + len(result):
        raise InputError(
            f"clusterings has {len(named)} entries, but {len(result.given)} were given and "
            f"{len(result)} found; pass all of them, the given ones first."
        )
    entries: list[_Entry] = []
    found = [*[None] * len(result.given), *result]
    codes = [*result.given, *(one.labels for one in result)]
    known = [*(one.about for one in result.given_facts()), *(one.about for one in result)]
    for (name, labels), of, code in zip(named.items(), found, codes, strict=True):
        own = labels if kept.size == len(code) else np.asarray(labels)[kept]
        about = known[len(entries)] if X is None else find_about(X, code[kept])
        entries.append(_Entry(str(name), own, describe_sizes(code[kept]), of, about))
    return entries


def _names(result: FoundClusterings) -> dict[str, Array]:
    """Return all clusterings by the names of the summary."""
    given = zip(result.given_names, result.given_labels(), strict=True)
    found = ((f"Alternative {i}", one.labels) for i, one in enumerate(result))
    named = dict([*given, *found])
    return named if len(named) == len(result.given) + len(result) else result.by_name()


def _attempts(result: FoundClusterings) -> list[Block]:
    """Return the best attempts as a table, if no alternative is convincing."""
    if result or not result.unconvincing:
        return []
    header = ["attempt", "clusters", "sizes", "DQ", "evidence", "found again", "found by"]
    rows = [
        [
            str(i),
            str(len(one.sizes)),
            list_sizes(one.sizes),
            format_number(one.dq),
            say_log(one.evidence),
            say_found_again(one.found_again),
            one.method,
        ]
        for i, one in enumerate(result.unconvincing)
    ]
    note = "Repeated searches are for attempts with positive evidence only."
    return [TextTable(header, rows, left=frozenset({0, 2, 5, 6})), note]


def _left_out(kept: Array, n: int) -> list[Block]:
    if kept.size == n:
        return []
    return [f"{grouped(n - kept.size)} of {grouped(n)} objects were left out of the search."]


def _colours(entries: list[_Entry]) -> list[Colours]:
    """Return colours for all plots: each clustering is matched with the one before it."""
    tables = [Contingency.from_labels(one.labels, other.labels) for one, other in pairwise(entries)]
    return colour_clusters(tables) if tables else [colour_names(np.unique(entries[0].labels))]


def _verdict(result: FoundClusterings, given: list[_Entry], found: list[_Entry]) -> list[str]:
    known = [GivenFacts(one.name, one.about) for one in given]
    sentences = describe_alternatives(_facts(result, found), known, result.attempts().facts())
    return [*sentences, *say_scaling(result.scaling)]


def _facts(result: FoundClusterings, found: list[_Entry]) -> list[AlternativeFacts]:
    """Return what the sentences say, with the names and features of this page."""
    facts = result.facts([one.name for one in found])
    return [one._replace(about=entry.about) for one, entry in zip(facts, found, strict=True)]


def _rand(one: _Entry, old: _Entry) -> float:
    return float(adjusted_rand_score(old.labels, one.labels))


def _tiles(given: list[_Entry], found: list[_Entry]) -> list[Tile]:
    tiles = [Tile(grouped(len(found)), "alternative" if len(found) == 1 else "alternatives")]
    if found:
        first = found[0]
        assert first.found is not None
        tiles += [
            Tile(rounded(first.found.dq), f"DQ of {first.name}, 0 to 1"),
            Tile(
                rounded(_rand(first, given[0])), "its adjusted Rand index with the given clustering"
            ),
        ]
    return [*tiles, Tile(grouped(sum(given[0].sizes.sizes)), "objects")]


def _table(given: list[_Entry], found: list[_Entry], X: Any) -> list[Block]:
    rows = []
    for one in (*given, *found):
        scores = ["", "", "", "", "", "given"]
        if one.found is not None:
            values = (one.found.quality, one.found.dissimilarity, one.found.dq)
            evidence = say_log(one.found.evidence), say_found_again(one.found.found_again)
            scores = [*map(format_number, values), *evidence, one.found.method]
        rand = ["" if one.found is None else format_number(_rand(one, old)) for old in given]
        sizes = one.sizes
        shape = [str(len(sizes.sizes)), f"{sizes.effective:.2f}", list_sizes(sizes.sizes)]
        rows.append([one.name, *shape, *scores[:3], *rand, *scores[3:]])
    header = ["clustering", "clusters", "effective", "sizes", "quality", "dissimilarity", "DQ"]
    header += [f"ARI with {old.name}" for old in given] + ["evidence", "found again", "found by"]
    blocks: list[Block] = [
        TextTable(header, rows, left=frozenset({0, 3, len(header) - 1})),
        "Quality is an internal measure of a clustering, dissimilarity measures how much it "
        "differs from the given clusterings; DQ is the harmonic mean of both. The effective number "
        "of clusters is the exponential of the entropy of their sizes. An adjusted Rand index "
        "(ARI) of 0 is chance, 1 is identical. The evidence is the log-likelihood of the clusters "
        "against one cluster, penalised by the number of parameters: it is positive if they are "
        "more than noise. Searches were repeated from other seeds on 90% of the objects, to see "
        "whether an alternative is found again.",
    ]
    if X is not None:
        blocks.append(say_features(X))
    return blocks


def _front(result: FoundClusterings, entries: list[_Entry], renderer: PlotRenderer) -> list[Block]:
    blocks: list[Block] = []
    if len(result) > 1:
        blocks.append(
            renderer.draw(
                lambda: result.plot("front"),
                "Quality and dissimilarity of each alternative",
                "Further right is more dissimilar, further up is of higher quality. The line is "
                "the Pareto front: no other clustering is better in both. Faint lines have equal "
                "DQ.",
            )
        )
    if len(entries) > 2:
        quality = {one.name: one.found.quality for one in entries if one.found is not None}
        given = [one.name for one in entries if one.found is None]
        named = {one.name: one.labels for one in entries}
        mapped = load_display("ClusteringMapDisplay")
        blocks.append(
            renderer.draw(
                lambda: mapped.from_clusterings(named, quality=quality, given=given).plot(),
                "Map of the clusterings by similarity",
                "Clusterings near each other are similar. Larger marks have more clusters; the "
                "colour is the quality.",
            )
        )
    return blocks


def _features(
    entries: list[_Entry], X: Any, renderer: PlotRenderer, colours: list[Colours]
) -> list[Block]:
    named = [(one.name, one.about) for one in entries]
    known = [(name, about) for name, about in named if about is not None]
    if not known:
        return []
    if X is None:
        return [tabulate_features(known)]
    some = {one.name: one.labels for one in entries[:_MAX_PANELS]}
    scatter = load_display("ScatterPairDisplay")
    first = next((i for i, one in enumerate(entries) if one.found is not None), None)
    crossed: list[Block] = []
    if first is not None:
        pair = {one.name: one.labels for one in (entries[0], entries[first])}
        own = [colours[0], colours[first]]
        crossed.append(
            renderer.draw(
                lambda: scatter.from_clusterings(pair, X=X, axes="crossed", colours=own).plot(),
                f"{entries[0].name} against {entries[first].name}",
                "The axes are the directions that separate each of the two clusterings best: "
                "linear discriminants, the second one uncorrelated with the first.",
            )
        )
    return [
        tabulate_features(known),
        renderer.draw(
            lambda: scatter.from_clusterings(some, X=X, colours=colours[: len(some)]).plot(),
            f"The same objects, coloured by {format_list(list(some))}",
            "Every object has the same position in each panel; the colours are the clusters of "
            f"each clustering{_part_of(len(some), len(entries))}.",
        ),
        *crossed,
    ]


def _flow(entries: list[_Entry], renderer: PlotRenderer, colours: list[Colours]) -> list[Block]:
    if len(entries) < 2:
        return []
    some = {one.name: one.labels for one in entries[:_MAX_CLUSTERINGS]}
    flow = load_display("FlowDisplay")
    return [
        renderer.draw(
            lambda: flow.from_clusterings(some, colours=colours[: len(some)]).plot(),
            f"Flow of objects through the clusters of {format_list(list(some))}",
            "Blocks are clusters, with heights proportional to their sizes; bands are the objects "
            f"that clusters of neighbouring clusterings share{_part_of(len(some), len(entries))}.",
        )
    ]


def _details(
    first: _Entry, given: _Entry, X: Any, renderer: PlotRenderer, colours: list[Colours]
) -> list[Block]:
    """Compare an alternative with the given clustering."""
    comparison = compare(given.labels, first.labels, X, names=(given.name, first.name))
    text = comparison.summary()
    if given.name in (GIVEN_NAME, MADE_NAME):  # rather than a name, which stays as it is
        text = text[0].upper() + text[1:]
    return [
        text,
        draw_table(comparison, renderer, colours),
        *draw_profiles(comparison, renderer, colours),
    ]


def _settings(one: _Entry) -> TextTable:
    """Return a table of the parameters of the method that found an alternative."""
    assert one.found is not None
    title = f"{one.name} was found by {one.found.method}"
    return list_parameters(one.found.parameters, title)


def _code(X: Any, parameters: Mapping[str, Any]) -> str:
    """Return the code that reproduces the search, with names in place of the data."""
    options = "".join(f", {name}={value!r}" for name, value in parameters.items())
    report = 'found.report("report.html")' if X is None else 'found.report("report.html", X)'
    return (
        "from clusterwise import cluster_again\n\n"
        "# X are the objects, given is the given clustering.\n"
        f"found = cluster_again(X, given{options})\n"
        f"print(found)\n{report}"
    )


def _part_of(shown: int, total: int) -> str:
    return "" if shown == total else f" (the first {shown} of {format_count(total, 'clustering')})"
