"""Write the report of a result of any type."""

from collections.abc import Mapping
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.files import check_target, write_atomically
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.report.page import Page, PageOptions, render
from clusterwise.report.provenance import make_footer

# The module and the function that make the page of each class of result; imported on first use.
_PAGES = {
    "Comparison": ("comparison", "comparison_page"),
    "ComparisonMatrix": ("comparison_matrix", "comparison_matrix_page"),
    "ReferenceComparison": ("reference_comparison", "reference_comparison_page"),
    "ProfileComparison": ("profile_comparison", "profile_comparison_page"),
    "FoundClusterings": ("alternatives", "alternatives_page"),
    "TradeoffCurve": ("tradeoff_curve", "tradeoff_curve_page"),
    "Combined": ("consensus", "consensus_page"),
    "Assessment": ("assessment", "assessment_page"),
    "NumberAssessment": ("assessment", "number_assessment_page"),
    "WindowReport": ("stream_windows", "stream_windows_page"),
}


@check_arguments
def write_report(
    result: Any,
    path: Any,
    *,
    X: Any = None,
    title: str | None = None,
    clusterings: Mapping[str, Any] | None = None,
    follow: Literal["names", "matches"] = "names",
    parameters: Mapping[str, Any] | None = None,
    code: str | None = None,
    day: date | None = None,
) -> Path:
    """Write a report of a result: one HTML file, without scripts or external files.

    Parameters
    ----------
    result : result of the library
        The result of :func:`~clusterwise.compare`, :func:`~clusterwise.compare_all`,
        :func:`~clusterwise.compare_to`, :func:`~clusterwise.compare_profiles`,
        :func:`~clusterwise.cluster_again`, :func:`~clusterwise.tradeoff_curve`,
        :func:`~clusterwise.combine` or :func:`~clusterwise.assess`, or one or a list of the reports
        of the windows of a stream.
    path : str or path
        The file to write (atomically).
    X : array-like or frame of shape (n, R), optional
        For alternatives: the features of the objects, to name those that separate the clusters;
        by default those that were searched.
    title : str, optional
        The title of the page.
    clusterings : mapping of str to labels, optional
        For alternatives: the labels of all clusterings by name, the given ones first.
    follow : {"names", "matches"}, default="names"
        For windows of a stream: how clusters are identified across windows.
    parameters : mapping, optional
        Parameters to list besides those of the result.
    code : str, optional
        Code that reproduces the result; by default a call with the same parameters.
    day : date, optional
        The date on the page; today by default.

    Returns
    -------
    Path
        The file that was written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from clusterwise import compare
    >>> from clusterwise.report import write_report
    >>> comparison = compare([0, 0, 1, 1], ["x", "x", "y", "x"])
    >>> with TemporaryDirectory() as folder:
    ...     written = write_report(comparison, Path(folder) / "report.html")
    ...     written.read_text(encoding="utf-8").splitlines()[0]
    '<!DOCTYPE html>'
    """
    target = Path(path)
    check_target(target)  # before the page is drawn
    options = PageOptions(title, parameters or {}, code, make_footer(day or date.today()))
    page = _page(result, X, clusterings, follow, options)
    write_atomically(target, render(page).encode("utf-8", "backslashreplace"))
    return target


def _page(
    result: Any,
    X: Any,
    clusterings: Mapping[str, Any] | None,
    follow: Literal["names", "matches"],
    options: PageOptions,
) -> Page:
    """Return the page for a result of any type."""
    several = isinstance(result, list | tuple) and result and _type_of(result[0]) == "WindowReport"
    found = "WindowReport" if several else _type_of(result)
    if found is None:
        raise InputError(
            f"there is no report of {type_words(result)}; pass the result of compare, "
            "compare_all, compare_profiles, cluster_again, tradeoff_curve, combine or assess, or "
            "the reports of the windows of a stream."
        )
    module, function = _PAGES[found]
    make_page = getattr(import_module(f"clusterwise.report.{module}"), function)
    if found == "FoundClusterings":
        return make_page(result, X, clusterings, options)
    for name, value in (("X", X), ("clusterings", clusterings)):
        if value is not None:
            raise InputError(f"{name} is for reports of alternatives only; leave it out.")
    if found == "WindowReport":
        return make_page(result if several else [result], follow, options)
    return make_page(result, options)


def _type_of(result: Any) -> str | None:
    """Return the name of the result's class in ``_PAGES``, or None."""
    for one in type(result).__mro__:
        if one.__name__ in _PAGES and one.__module__.startswith("clusterwise."):
            return one.__name__
    return None
