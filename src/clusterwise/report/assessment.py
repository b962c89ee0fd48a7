"""The reports of the stability of clusters, of one clustering or of several numbers of clusters."""

from typing import Any

from clusterwise._utils.tables import TextTable, format_count, format_number, format_share
from clusterwise.report.page import Block, Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer
from clusterwise.stability.assessment import Assessment
from clusterwise.stability.number_assessment import NumberAssessment

_MAX_ROWS = 10
_CLUSTERS = (
    "Each resample was clustered in the same way. Jaccard is the index of the cluster and the most "
    "similar one of a resample, on the objects of the resample: its mean, and the interval of "
    "95% of the resamples. A cluster is recovered if it is at least 0.75, and dissolved (lost) if "
    "it is below 0.5; the last column is what it was merged with in most of the latter."
)
_WHOLE = (
    "The adjusted Rand index of the clustering with those of the resamples is 1 if they are "
    "identical. Any data can be cut into clusters that are stable to some degree, so the same was "
    "done with data that have no clusters. The p-value is the proportion of data sets that are as "
    "stable, the data among them. PAC is the proportion of pairs of objects that some resamples "
    "group and others separate; it is compared over as many resamples as the data without clusters "
    "have."
)
_OBJECTS = (
    "Agreement is the proportion of the resamples with the object in which it is with its cluster; "
    "other is the cluster that it is with most often otherwise."
)


def assessment_page(result: Assessment, options: PageOptions) -> Page:
    """Return the page of the stability of one clustering."""
    renderer = PlotRenderer()
    clusters, whole = result.text_tables()
    bars = renderer.draw(
        result.plot,
        "Stability of the clusters",
        "The mean Jaccard index of each cluster, and the interval of 95% of the resamples.",
    )
    sections = [
        Section("Clusters", [bars, clusters, _CLUSTERS]),
        Section("The whole clustering", [whole, _WHOLE]),
        Section("Objects", [*_map(result, renderer), *_objects(result)]),
        how_it_was_made(
            {**_parameters(result), **options.parameters}, options.code or _code(result)
        ),
    ]
    return Page(
        options.title or f"Stability of {format_count(result.n_clusters, 'cluster')}",
        "Whether the clusters would be found again",
        result.sentences(),
        _tiles(result),
        sections,
        options.footer,
    )


def number_assessment_page(result: NumberAssessment, options: PageOptions) -> Page:
    """Return the page of the stability of several numbers of clusters."""
    renderer = PlotRenderer()
    curve = renderer.draw(
        result.plot,
        "Stability of each number of clusters",
        "The mean adjusted Rand index with the resamples, and that of data without clusters; bars "
        "and bands are intervals of 95%.",
    )
    sections = [Section("Numbers of clusters", [curve, result.text_table(), _WHOLE])]
    best = None if result.suggested is None else result[result.suggested]
    if best is not None:
        bars = renderer.draw(
            best.plot,
            "Stability of the clusters",
            "The mean Jaccard index of each cluster, and the interval of 95% of the resamples.",
        )
        table = best.text_table()
        sections += [
            Section(f"Clusters if there are {best.n_clusters}", [bars, table, _CLUSTERS]),
            Section("Objects", [*_map(best, renderer), *_objects(best)]),
        ]
    one = next(iter(result))
    numbers = list(result.assessments)
    parameters = {"n_clusters": numbers, **_parameters(one), **options.parameters}
    code = options.code or _code(one, f", n_clusters={numbers}")
    sections.append(how_it_was_made(parameters, code))
    tiles = [
        Tile(grouped(len(result.stable)), f"of {len(numbers)} numbers are stable beyond chance"),
        *([] if best is None else [Tile(str(best.n_clusters), "clusters most clearly so")]),
        Tile(grouped(one.n_resamples), "resamples"),
        Tile(grouped(one.labels.size), "objects"),
    ]
    return Page(
        options.title or "Stability of numbers of clusters",
        "Whether the clusters would be found again",
        result.sentences(),
        tiles,
        sections,
        options.footer,
    )


def _tiles(result: Assessment) -> list[Tile]:
    stable = sum(one.stable for one in result.stability)
    known = max(int((result.objects.copies > 0).sum()), 1)
    ambiguous = result.objects.ambiguous.size / known
    return [
        Tile(f"{stable} of {result.n_clusters}", "clusters come back"),
        Tile(rounded(result.ari), "mean adjusted Rand index with the resamples"),
        Tile(rounded(result.null_ari), "the same for data without clusters"),
        Tile(format_share(ambiguous), "of the objects are ambiguous"),
        Tile(grouped(result.n_resamples), "resamples"),
        Tile(grouped(result.labels.size), "objects"),
    ]


def _map(result: Assessment, renderer: PlotRenderer) -> list[Block]:
    """Draw the map of the objects, if they have features."""
    if result.data is None:
        return [
            "The features of the objects are not stored in a loaded result, so there is no map."
        ]
    return [
        renderer.draw(
            lambda: result.plot("objects"),
            "Map of the objects",
            "The objects by cluster; ambiguous ones are ringed.",
        )
    ]


def _objects(result: Assessment) -> list[Block]:
    """Return tables of the agreement of each cluster, and of the most ambiguous objects."""
    objects = result.objects
    rows = [
        [
            str(i),
            str(objects.labels[i]),
            format_number(float(objects.agreement[i])),
            "" if objects.other[i] is None else str(objects.other[i]),
            str(objects.copies[i]),
        ]
        for i in objects.ambiguous[:_MAX_ROWS].tolist()
    ]
    header = ["object", "cluster", "agreement", "other", "resamples"]
    table = TextTable(header, rows, "The most ambiguous objects")
    return [objects.text_table(), *([table] if rows else []), _OBJECTS]


def _parameters(result: Assessment) -> dict[str, Any]:
    return {
        "clusterer": result.clusterer,
        "resampling": result.resampling,
        "n_resamples": result.n_resamples,
        "nulls": list(result.nulls),
        "n_null": result.null.n_sets,
        "rule": result.rule,
    }


def _code(result: Assessment, numbers: str = "") -> str:
    """Return the code that reproduces the assessment, with a name in place of the data."""
    what = "clusterer" if result.rule is None else "labels"
    made = "" if result.rule is not None else f"# clusterer is {result.clusterer}.\n"
    return (
        "from clusterwise import assess\n\n"
        f"# X are the objects{', labels their clusters' * (result.rule is not None)}.\n{made}"
        f"found = assess(X, {what}{numbers}, resampling={result.resampling!r}, "
        f"n_resamples={result.n_resamples})\n"
        'print(found)\nfound.report("report.html")'
    )
