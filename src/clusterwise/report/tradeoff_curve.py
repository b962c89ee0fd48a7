"""The report of a trade-off curve between quality and dissimilarity."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from clusterwise.alternatives.tradeoff import TradeoffCurve
from clusterwise.report.page import Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer

_FRONT = "The line is the Pareto front: no other threshold is better in both. "


def tradeoff_curve_page(result: TradeoffCurve, options: PageOptions) -> Page:
    """Return the page of a trade-off curve."""
    renderer = PlotRenderer()
    curve = renderer.draw(
        result.plot,
        "Quality against dissimilarity for each threshold",
        "Further right is more dissimilar, further up is of higher quality. "
        f"{_FRONT if result.pareto.size else ''}Faint lines have equal DQ.",
    )
    measures = result.to_dict()
    parameters = {
        "omegas": [round(omega, 12) for omega in result.omegas.tolist()],
        "quality": measures["quality_measure"],
        "dissimilarity": measures["dissimilarity_measure"],
        **({} if result.scaling is None else {"scale": result.scaling == "standard"}),
    }
    sections = [
        Section("Quality and dissimilarity", [curve]),
        Section(
            "Thresholds",
            [
                result.text_table(),
                "Quality is an internal measure of a clustering, dissimilarity measures how much "
                "it differs from the given clustering; DQ is the harmonic mean of both. Dissimilar "
                "merges are those that COALA made to differ from the given clustering. The number "
                "of clusters is the effective one, the exponential of the entropy of their sizes.",
            ],
        ),
        how_it_was_made({**parameters, **options.parameters}, options.code or _code(parameters)),
    ]
    return Page(
        options.title or "Trade-off between quality and dissimilarity",
        "Alternatives by COALA for several thresholds omega",
        result.sentences(),
        _tiles(result),
        sections,
        options.footer,
    )


def _tiles(result: TradeoffCurve) -> list[Tile]:
    tiles = [Tile(grouped(result.omegas.size), "thresholds")]
    if result.suggested is not None:
        at = int(np.flatnonzero(result.omegas == result.suggested)[0])
        tiles += [
            Tile(f"{result.suggested:g}", "suggested threshold"),
            Tile(rounded(float(result.dq[at])), "DQ of the suggested threshold, 0 to 1"),
        ]
    return [
        *tiles,
        Tile(grouped(result.pareto.size), "thresholds on the Pareto front"),
        Tile(grouped(result.labels.shape[1]), "objects"),
    ]


def _code(parameters: Mapping[str, Any]) -> str:
    """Return the code that reproduces the curve, with names in place of the data."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return (
        "from clusterwise import tradeoff_curve\n\n"
        "# X are the objects, given is the given clustering.\n"
        f"curve = tradeoff_curve(X, given, {arguments})\n"
        'print(curve)\ncurve.report("report.html")'
    )
