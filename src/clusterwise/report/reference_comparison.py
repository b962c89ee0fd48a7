"""The report of a comparison of several clusterings with a reference."""

from clusterwise.comparing.reference_result import ReferenceComparison
from clusterwise.measures.catalogue import find_measure
from clusterwise.report.page import Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer


def reference_comparison_page(result: ReferenceComparison, options: PageOptions) -> Page:
    """Return the page of a comparison with a reference."""
    plot = PlotRenderer().draw(
        result.plot,
        f"How close the clusterings are to {result.reference}, with 95% intervals",
        "Clusterings of one colour have the same rank: the data do not tell which is closer.",
    )
    measure = find_measure(result.measure)
    ranking, differences = result.text_tables()
    best = result.order[0]
    sections = [
        Section(
            "Ranking", [f"{measure.name}: {measure.meaning} ({measure.range}).", plot, ranking]
        ),
        Section(
            "Differences",
            [
                differences,
                "All clusterings are compared on the same objects, so a difference may be clear "
                "even if the intervals of both values overlap.",
            ],
        ),
        how_it_was_made(
            {"measure": result.measure, **options.parameters}, options.code or _code(result)
        ),
    ]
    return Page(
        options.title or f"Which clustering is closest to {result.reference}?",
        "Several clusterings of the same objects, compared with a reference",
        result.sentences(),
        [
            Tile(rounded(float(result.values[best])), f"{result.measure} of {result.names[best]}"),
            Tile(grouped(len(result.names)), "clusterings"),
            Tile(grouped(result.n), "objects"),
        ],
        sections,
        options.footer,
    )


def _code(result: ReferenceComparison) -> str:
    """Return the code that reproduces the comparison, with names in place of the labels."""
    return (
        "from clusterwise import compare_to\n\n"
        "# reference are the labels of the reference, clusterings those to compare, by name.\n"
        f"result = compare_to(reference, clusterings, measure={result.measure!r})\n"
        'print(result)\nresult.report("report.html")'
    )
