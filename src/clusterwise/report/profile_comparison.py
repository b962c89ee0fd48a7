"""The report of a comparison of two density profiles."""

from clusterwise._utils.tables import TextTable, format_number, format_percent
from clusterwise.comparing.compare_profiles import ProfileComparison
from clusterwise.inputs.encoding import name_list
from clusterwise.report.page import Page, PageOptions, Section, Tile
from clusterwise.report.provenance import how_it_was_made
from clusterwise.report.sentences import grouped, rounded
from clusterwise.report.svg import PlotRenderer

_MAX_ROWS = 25


def profile_comparison_page(result: ProfileComparison, options: PageOptions) -> Page:
    """Return the page of a comparison of density profiles."""
    a, b = result.names
    renderer = PlotRenderer()
    profiles = renderer.draw(
        result.plot,
        "Density profiles of matched clusters by feature",
        f"The proportion of each cluster in each bin: filled for {a}, outlined for {b}.",
    )
    binning = result.a.binning
    parameters = {
        "names": result.names,
        "match": result.match,
        "binning": binning.method,
        "n_bins": binning.n_bins,
    }
    sections = [
        Section("Matched clusters", [_matches(result)]),
        Section("Density profiles", [profiles, result.text_table()]),
        Section("Features", [_features(result)]),
        how_it_was_made({**parameters, **options.parameters}, options.code or _code(result)),
    ]
    return Page(
        options.title or f"Density of {a} against {b}",
        "Two clusterings, of the same or of different objects, compared by their density profiles",
        result.sentences(),
        _tiles(result),
        sections,
        options.footer,
    )


def _tiles(result: ProfileComparison) -> list[Tile]:
    return [
        Tile(rounded(result.adco), "ADCO, the similarity of density profiles, 0 to 1"),
        Tile(rounded(result.cosine), "cosine similarity, which ignores sizes, 0 to 1"),
        Tile(
            " → ".join(grouped(float(one.sizes.sum())) for one in (result.a, result.b)), "objects"
        ),
        Tile(" → ".join(map(grouped, result.cluster_counts)), "clusters"),
    ]


def _matches(result: ProfileComparison) -> TextTable:
    a, b = result.names
    sizes = (
        dict(zip(name_list(one.names), one.sizes.tolist(), strict=True))
        for one in (result.a, result.b)
    )
    in_a, in_b = sizes
    rows = [
        [
            str(match.a),
            str(match.b),
            grouped(in_a[match.a]),
            grouped(in_b[match.b]),
            format_number(match.cosine),
            format_percent(match.share),
        ]
        for match in result.matches[:_MAX_ROWS]
    ]
    header = [f"cluster of {a}", f"cluster of {b}", f"objects in {a}", f"objects in {b}"]
    header += ["cosine", "part of the similarity"]
    total = len(result.matches)
    title = f"First {_MAX_ROWS} of {total} matches" if total > _MAX_ROWS else ""
    return TextTable(header, rows, title, frozenset({0, 1}))


def _features(result: ProfileComparison) -> TextTable:
    """Return a table of the proportion of the similarity that each feature accounts for."""
    found = sorted(result.feature_proportions.items(), key=lambda one: -one[1])
    rows = [[str(feature), format_percent(part)] for feature, part in found[:_MAX_ROWS]]
    shown = "" if len(found) <= _MAX_ROWS else f" (first {_MAX_ROWS} of {len(found)})"
    return TextTable(
        ["feature", "part of the similarity"], rows, f"Contribution to the similarity{shown}"
    )


def _code(result: ProfileComparison) -> str:
    """Return the code that reproduces the comparison, with names in place of the profiles."""
    return (
        "from clusterwise import compare_profiles\n\n"
        "# a and b are DensityProfiles with the same binning.\n"
        f"comparison = compare_profiles(a, b, names={result.names!r}{_options(result)})\n"
        'print(comparison)\ncomparison.report("report.html")'
    )


def _options(result: ProfileComparison) -> str:
    """Return the arguments that are not the defaults."""
    match = f", match={result.match!r}" if result.match != "auto" else ""
    return match + (f", noise_label={result.noise_label!r}" if result.noise_label != -1 else "")
