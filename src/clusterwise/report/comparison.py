"""The report of a comparison of two clusterings."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterwise._utils.tables import TextTable, format_count, format_list, format_percent
from clusterwise.comparing.compare import Comparison
from clusterwise.comparing.text import match_tables, sentences
from clusterwise.inputs.clusterings import Pair, Singleton
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.inputs.features import read_features
from clusterwise.plots._palette import Colours, colour_clusters
from clusterwise.report.page import Block, Page, Picture, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import Album

_SIZES = 12
_FEATURES = 30
_CONTRIBUTORS = 10
_ROWS = 25
_DEFAULTS = {"binning": "width", "n_bins": 10, "noise_label": -1}


def comparison_page(
    result: Comparison,
    *,
    title: str | None,
    parameters: Mapping[str, Any],
    code: str | None,
    made: str,
) -> Page:
    """What was compared, how alike it is, and where it differs."""
    a, b = result.names
    measures = result.text_table()
    album = Album()
    colours = colour_clusters([result.table], noise_label=result.noise_label)
    sections = [
        Section("What was compared", _what(result)),
        Section(
            "Where objects went",
            [_flow(result, album, colours), draw_table(result, album, colours)],
        ),
        Section(
            "Matched clusters",
            [*match_tables(result, _ROWS), *_alone(result), *_contributors(result)],
        ),
        Section(
            "What clusters look like",
            [*_scatter(result, album, colours), *draw_profiles(result, album, colours)],
        ),
        Section("All measures", [_explained(measures, result.names)]),
        how_it_was_made({**_settings(result), **parameters}, code or _code(result, parameters)),
    ]
    return Page(
        title or f"{a} against {b}",
        "Two clusterings of the same objects, compared",
        sentences(result),
        _tiles(result),
        [section for section in sections if section.blocks],
        made,
    )


def _tiles(result: Comparison) -> list[Tile]:
    table = result.table
    found = [Tile(format_percent(table.matching.overlap / table.n), "stay in matched clusters")]
    for name, label in (
        ("adjusted_rand_score", "adjusted Rand index; 0 is chance, 1 identical"),
        ("adco_score", "ADCO: alike in where they are dense, 0 to 1"),
    ):
        if name in result.values and not (result.is_soft and name == "adjusted_rand_score"):
            found.append(Tile(rounded(result.values[name]), label))
    what = "objects" if table.matched is None else "objects in common"
    return [
        *found,
        Tile(grouped(table.n), what),
        Tile(" → ".join(grouped(size) for size in table.shape), "clusters"),
    ]


def _what(result: Comparison) -> list[Block]:
    table = result.table
    rows = []
    for name, sums in zip(result.names, (table.row_sums, table.column_sums), strict=True):
        sizes = -np.sort(-np.asarray(sums, np.float64))
        rows.append([name, grouped(sizes.size), f"{_effective(sizes):.2f}", _sizes(sizes)])
    header = ["clustering", "clusters", "effective clusters", "sizes, largest first"]
    blocks: list[Block] = [
        TextTable(header, rows, left=frozenset({0, 3})),
        "The effective number of clusters is exp of the entropy of their sizes: it is the number "
        "of clusters if all are equally large, and less if some are small.",
    ]
    if result.is_soft:
        blocks.append("Objects may have shares in several clusters; sizes are sums of shares.")
    if table.matched is not None:
        blocks.append(f"Objects were matched by index: {table.matched}.")
    pair = result.pair
    if pair is not None and pair.weights is not None:
        blocks.append("Objects count by their weights, and so do all numbers here.")
    left = _left_out(pair)
    if pair is not None and left:
        everyone = grouped(left + len(pair.a))
        blocks.append(f"{grouped(left)} of {everyone} objects were left out as noise.")
    if result.data is not None:
        blocks.append(say_features(result.data))
    return blocks


def say_features(X: Any) -> str:
    """Which features objects have."""
    names = list(map(str, read_features(X).names))
    return f"{format_count(len(names), 'feature')} of the objects: {format_list(names, _FEATURES)}."


def _flow(result: Comparison, album: Album, colours: list[Colours]) -> Picture:
    a, b = result.names
    return album.draw(
        lambda: result.plot("flow", colours=colours),
        f"Flow of objects from the clusters of {a} to those of {b}",
        f"Blocks are clusters, as high as they are large: {a} on the left, {b} on the right. "
        "Bands are the objects that they share. Matched clusters have the same colour.",
    )


def draw_table(result: Comparison, album: Album, colours: list[Colours]) -> Picture:
    """What clusters share."""
    a, b = result.names
    return album.draw(
        lambda: result.plot("contingency", colours=colours),
        f"Heat map of the objects that clusters of {a} and of {b} share",
        f"Rows are the clusters of {a}, columns those of {b}; a cell is what they share. "
        "Outlined cells are matched clusters: the more they hold, the more alike the two are.",
    )


def _scatter(result: Comparison, album: Album, colours: list[Colours]) -> list[Block]:
    if result.data is None or result.pair is None:
        return []
    a, b = result.names
    picture = album.draw(
        lambda: result.plot("scatter", colours=colours),
        f"The same objects, coloured by {a} and by {b}",
        "Every object is at the same place in both; only the colours are those of the one or the "
        "other clustering.",
    )
    return [picture]


def draw_profiles(result: Comparison, album: Album, colours: list[Colours]) -> list[Block]:
    """Where matched clusters are dense, and where they differ most."""
    if result.profiles is None:
        return []
    a, b = result.names
    picture = album.draw(
        lambda: result.plot("profiles", colours=colours),
        "Where matched clusters are dense, feature by feature",
        f"The share of a cluster's objects in each bin: filled for {a}, outlined for {b}. "
        "What the two have in common is what ADCO counts.",
    )
    return [picture, result.density.text_table()]


def _alone(result: Comparison) -> list[Block]:
    """Clusters without a partner."""
    blocks: list[Block] = []
    for name, clusters in zip(result.names, result.unmatched, strict=True):
        if clusters:
            what, have = ("cluster", "has") if len(clusters) == 1 else ("clusters", "have")
            shown = format_list(list(map(str, clusters)), _SIZES)
            blocks.append(f"Of {name}, {what} {shown} {have} no partner.")
    return blocks


def _contributors(result: Comparison) -> list[Block]:
    if result.overlap is None or result.pair is None or result.table.is_one_to_one:
        return []
    found = result.contributors(_CONTRIBUTORS)
    if not found:
        return []
    rows = [[str(c.object), str(c.a), str(c.b), format_percent(c.share)] for c in found]
    a, b = result.names
    title = "Objects that add most to the CSS distance"
    return [TextTable(["object", f"in {a}", f"in {b}", "share"], rows, title, frozenset({0, 1, 2}))]


def _explained(measures: TextTable, names: tuple[str, str]) -> TextTable:
    """The table of measures, under a title that the page does not say already."""
    title = f"Values, what they can be, and what they mean: a is {names[0]}, b is {names[1]}"
    return TextTable(measures.header, measures.rows, title, measures.left)


def _settings(result: Comparison) -> dict[str, Any]:
    """What the result itself knows of how it was made."""
    found: dict[str, Any] = {"names": result.names}
    if result.profiles is not None:
        binning = result.profiles[0].binning
        found |= {"binning": binning.method, "n_bins": binning.n_bins}
    pair = result.pair
    if pair is not None and pair.matched is not None:
        found["align"] = "index"
    if _left_out(pair):
        found["noise"] = "drop"
    elif any(isinstance(name, Singleton) for name in _all_names(result)):
        found["noise"] = "singletons"
    if "noise" in found:
        found["noise_label"] = result.noise_label
    return found


def _left_out(pair: Pair[Any] | None) -> int:
    """How many objects were left out as noise."""
    if pair is None:
        return 0
    return (pair.n if pair.matched is None else pair.matched.common) - len(pair.a)


def _all_names(result: Comparison) -> list[Any]:
    return [*name_list(result.table.row_names), *name_list(result.table.column_names)]


def _code(result: Comparison, parameters: Mapping[str, Any]) -> str:
    """Lines of Python; a, b and X stand for what is too long to write down."""
    options = {
        name: repr(value)
        for name, value in {**_settings(result), **parameters}.items()
        if _DEFAULTS.get(name) != value
    }
    told = ["a and b are the labels of the same objects"]
    if result.data is not None:
        told.append("X are their features")
    if result.profiles is not None and result.profiles[0].binning.method == "edges":
        options["binning"] = "binning"
        options.pop("n_bins", None)
        told.append("binning is how these were cut")
    if result.pair is not None and result.pair.weights is not None:
        options["sample_weight"] = "weights"
        told.append("weights are their weights")
    arguments = ["a", "b", *(["X"] if result.data is not None else [])]
    arguments += [f"{name}={value}" for name, value in options.items()]
    return (
        f"from clusterwise import compare\n\n# {', '.join(told)}.\n"
        f"comparison = compare({', '.join(arguments)})\n"
        'print(comparison)\ncomparison.report("report.html")'
    )


def _effective(sizes: Array) -> float:
    shares = sizes[sizes > 0] / sizes.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))


def _sizes(sizes: Array) -> str:
    shown = ", ".join(grouped(size) for size in sizes[:_SIZES].tolist())
    return f"{shown}, …" if sizes.size > _SIZES else shown
