"""The report of a comparison of two clusterings."""

from collections.abc import Mapping
from inspect import signature
from math import isfinite
from typing import Any

import numpy as np

from clusterwise._utils.tables import (
    TextTable,
    format_count,
    format_list,
    format_percent,
    format_share,
)
from clusterwise.comparing.compare import compare
from clusterwise.comparing.comparison_result import Comparison
from clusterwise.comparing.matches import name_noise
from clusterwise.comparing.significance_sentences import say_range
from clusterwise.comparing.text import match_tables, say_measured_noise
from clusterwise.comparing.verdict import say_dropped
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.features import read_features
from clusterwise.plots._palette import Colours, colour_clusters
from clusterwise.report.page import Block, Page, PageOptions, Plot, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer
from clusterwise.summaries.contingency.entropies import entropy

_MAX_SIZES = 12
_FEATURES = 30
_CONTRIBUTORS = 10
_ROWS = 25
_DEFAULTS = {name: one.default for name, one in signature(compare).parameters.items()}


def comparison_page(result: Comparison, options: PageOptions) -> Page:
    """Return the page of a comparison."""
    a, b = result.names
    measures = result.text_table()
    renderer = PlotRenderer()
    colours = colour_clusters([result.table], match=result.match, noise_label=result.noise_label)
    sections = [
        Section("What was compared", _what(result)),
        Section(
            "Flow of objects",
            [_flow(result, renderer, colours), draw_table(result, renderer, colours)],
        ),
        Section(
            "Matched clusters",
            [*match_tables(result, _ROWS), *_unmatched(result), *_contributors(result)],
        ),
        Section(
            "Features of the clusters",
            [*_scatter(result, renderer, colours), *draw_profiles(result, renderer, colours)],
        ),
        Section("All measures", [_explained(measures, result), *_meaning_of_chance(result)]),
        how_it_was_made(
            {**_settings(result), **options.parameters},
            options.code or _code(result, options.parameters),
        ),
    ]
    return Page(
        options.title or f"{a} against {b}",
        "Two clusterings of the same objects, compared",
        result.sentences(),
        _tiles(result),
        [section for section in sections if section.blocks],
        options.footer,
    )


def _tiles(result: Comparison) -> list[Tile]:
    table = result.table
    found = [Tile(format_share(result.matching.overlap / table.n), "in matched clusters")]
    for name, label in (
        ("adjusted_rand_score", "adjusted Rand index; 0 is chance, 1 is identical"),
        ("adco_score", "ADCO, the similarity of density profiles, 0 to 1"),
    ):
        if name in result.values and not (result.is_soft and name == "adjusted_rand_score"):
            found.append(Tile(rounded(result.values[name]), label + _interval(result, name)))
    what = "objects" if table.matched is None else "objects in common"
    matching = result.matching
    clusters = [int((~noise).sum()) for noise in (matching.noise_rows, matching.noise_columns)]
    return [
        *found,
        Tile(grouped(table.n), what),
        Tile(" → ".join(map(grouped, clusters)), "clusters"),
    ]


def _interval(result: Comparison, name: str) -> str:
    """Return the interval of a measure, for the label of its value; empty if it is not known."""
    found = None if result.significance is None else result.significance.get(name)
    if found is None or not isfinite(found.low):
        return ""
    return f" (95% interval {say_range(found.low, found.high)})"


def _what(result: Comparison) -> list[Block]:
    table, matching = result.table, result.matching
    rows = []
    for name, sums, noise in (
        (result.names[0], table.row_sums, matching.noise_rows),
        (result.names[1], table.column_sums, matching.noise_columns),
    ):
        sizes = -np.sort(-np.asarray(sums[~noise], np.float64))
        effective = f"{np.exp(entropy(sizes)):.2f}" if sizes.size else "–"
        in_noise = grouped(sums[noise].sum().item())
        rows.append([name, grouped(sizes.size), in_noise, effective, _sizes(sizes)])
    header = ["clustering", "clusters", "noise", "effective clusters", "sizes, largest first"]
    if not (matching.noise_rows.any() or matching.noise_columns.any()):
        header, rows = _without(header, 2), [_without(row, 2) for row in rows]
    blocks: list[Block] = [
        TextTable(header, rows, left=frozenset({0, len(header) - 1})),
        "The effective number of clusters is the exponential of the entropy of their sizes: it "
        "equals the number of clusters if all have the same size, and is smaller otherwise.",
    ]
    if result.is_soft:
        blocks.append("Objects may be members of several clusters; sizes are sums of memberships.")
    if table.matched is not None:
        blocks.append(f"Objects were matched by index: {table.matched}.")
    pair = result.pair
    if pair is not None and pair.weights is not None:
        blocks.append("Objects are weighted, so all counts are sums of weights.")
    blocks += say_dropped(result)
    if result.data is not None:
        blocks.append(say_features(result.data))
    return blocks


def _without(row: list[str], position: int) -> list[str]:
    return [*row[:position], *row[position + 1 :]]


def say_features(X: Any) -> str:
    """Return a sentence with the names of the features."""
    names = list(map(str, read_features(X).names))
    return f"{format_count(len(names), 'feature')} of the objects: {format_list(names, _FEATURES)}."


def _flow(result: Comparison, renderer: PlotRenderer, colours: list[Colours]) -> Plot:
    a, b = result.names
    return renderer.draw(
        lambda: result.plot("flow", colours=colours),
        f"Flow of objects from the clusters of {a} to those of {b}",
        f"Blocks are clusters, with heights proportional to their sizes: {a} on the left, {b} on "
        "the right. Bands are shared objects. Matched clusters have the same colour.",
    )


def draw_table(result: Comparison, renderer: PlotRenderer, colours: list[Colours]) -> Plot:
    """Draw the contingency table."""
    a, b = result.names
    return renderer.draw(
        lambda: result.plot("contingency", colours=colours),
        f"Heat map of the objects that clusters of {a} and of {b} share",
        f"Rows are the clusters of {a}, columns those of {b}; a cell is the number of shared "
        "objects. Outlined cells are matched clusters.",
    )


def _scatter(result: Comparison, renderer: PlotRenderer, colours: list[Colours]) -> list[Block]:
    if result.data is None or result.pair is None:
        return []
    a, b = result.names
    plot = renderer.draw(
        lambda: result.plot("scatter", colours=colours),
        f"The same objects, coloured by {a} and by {b}",
        "Every object has the same position in both panels; the colours are the clusters of each "
        "clustering.",
    )
    return [plot]


def draw_profiles(
    result: Comparison, renderer: PlotRenderer, colours: list[Colours]
) -> list[Block]:
    """Draw the density profiles of matched clusters, and list where they differ most."""
    if result.profiles is None:
        return []
    a, b = result.names
    plot = renderer.draw(
        lambda: result.plot("profiles", colours=colours),
        "Density profiles of matched clusters by feature",
        f"The proportion of each cluster in each bin: filled for {a}, outlined for {b}.",
    )
    return [plot, result.density.text_table()]


def _unmatched(result: Comparison) -> list[Block]:
    """Name the clusters that are not matched."""
    blocks: list[Block] = []
    for name, clusters in zip(result.names, result.unmatched, strict=True):
        if clusters:
            what, are = ("cluster", "is") if len(clusters) == 1 else ("clusters", "are")
            shown = format_list(list(map(str, clusters)), _MAX_SIZES)
            blocks.append(f"Of {name}, {what} {shown} {are} not matched.")
    return blocks


def _contributors(result: Comparison) -> list[Block]:
    if result.overlap is None or result.pair is None or result.table.is_one_to_one:
        return []
    found = result.contributors(_CONTRIBUTORS)
    if not found:
        return []
    matching, table = result.matching, result.table
    a_names, b_names = (
        dict(zip(name_list(names), name_noise(name_list(names), noise), strict=True))
        for names, noise in (
            (table.row_names, matching.noise_rows),
            (table.column_names, matching.noise_columns),
        )
    )
    rows = [
        [str(c.object), str(a_names[c.a]), str(b_names[c.b]), format_percent(c.share)]
        for c in found
    ]
    a, b = result.names
    title = "Objects that contribute most to the CSS distance"
    return [TextTable(["object", f"in {a}", f"in {b}", "share"], rows, title, frozenset({0, 1, 2}))]


def _explained(measures: TextTable, result: Comparison) -> TextTable:
    """Return the table of measures with a title that explains a and b."""
    a, b = result.names
    title = f"Values, ranges and meanings; a is {a}, b is {b}{say_measured_noise(result.matching)}"
    return TextTable(measures.header, measures.rows, title, measures.left)


def _meaning_of_chance(result: Comparison) -> list[Block]:
    """Explain the columns of chance levels and intervals, if there are some."""
    if result.significance is None:
        return []
    return [
        "By chance is the expected value if the labels of one clustering are permuted, and the "
        "p-value the probability that the value is then at least as similar; ± is its standard "
        "error where it is estimated from random tables. The interval contains the value in the "
        "population that the objects are a sample of with 95% confidence. Clusterings that were "
        "made from the same data nearly always agree more than by chance, so a small p-value does "
        "not say that their clusters are real."
    ]


def _settings(result: Comparison) -> dict[str, Any]:
    """Return the parameters of the comparison that are known from the result."""
    found: dict[str, Any] = {"names": result.names}
    if result.profiles is not None:
        binning = result.profiles[0].binning
        found |= {"binning": binning.method, "n_bins": binning.n_bins}
    if result.match != _DEFAULTS["match"]:
        found["match"] = result.match
    for name in ("align", "noise", "missing"):
        value = result.options.get(name)
        if value is not None and _DEFAULTS.get(name) != value:
            found[name] = value
    if result.chance is not None:
        found |= result.chance.arguments()
    if "noise" in found:
        found["noise_label"] = result.noise_label
    return found


def _code(result: Comparison, parameters: Mapping[str, Any]) -> str:
    """Return the code that reproduces the comparison, with names in place of the data."""
    options = {
        name: repr(value)
        for name, value in {**_settings(result), **parameters}.items()
        if _DEFAULTS.get(name) != value
    }
    notes = ["a and b are the labels of the same objects"]
    if result.data is not None:
        notes.append("X are their features")
    if result.profiles is not None and result.profiles[0].binning.method == "edges":
        options["binning"] = "binning"
        options.pop("n_bins", None)
        notes.append("binning is their binning")
    if result.pair is not None and result.pair.weights is not None:
        options["sample_weight"] = "weights"
        notes.append("weights are their weights")
    arguments = ["a", "b", *(["X"] if result.data is not None else [])]
    arguments += [f"{name}={value}" for name, value in options.items()]
    return (
        f"from clusterwise import compare\n\n# {', '.join(notes)}.\n"
        f"comparison = compare({', '.join(arguments)})\n"
        'print(comparison)\ncomparison.report("report.html")'
    )


def _sizes(sizes: Array) -> str:
    shown = ", ".join(grouped(size) for size in sizes[:_MAX_SIZES].tolist())
    return f"{shown}, …" if sizes.size > _MAX_SIZES else shown
