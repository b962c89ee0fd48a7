"""Writing the report of a result, whatever kind it is."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.files import write_atomically
from clusterwise.report.page import Page, render
from clusterwise.report.provenance import made


def write_report(
    result: Any,
    path: Any,
    *,
    X: Any = None,
    title: str | None = None,
    clusterings: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    code: str | None = None,
    day: date | None = None,
) -> Path:
    """Write a report of a result: one file of HTML that needs neither network nor script.

    Parameters
    ----------
    result : Comparison, FoundClusterings or Combined
        What :func:`~clusterwise.compare`, :func:`~clusterwise.cluster_again` or
        :func:`~clusterwise.combine` returned.
    path : str or path
        The file to write; it is written whole or not at all.
    X : array-like or frame of shape (n, R), optional
        For alternatives: the objects' features, to say what each clustering is about.
    title : str, optional
        The title; by default the names of what was compared.
    clusterings : mapping of str to labels, optional
        For alternatives: names and labels of all clusterings, those that were given first.
    parameters : mapping, optional
        Parameters to list, beside those that the result knows.
    code : str, optional
        Lines that make the result again; by default they are written from the parameters.
    day : date, optional
        The date on the page, today by default; all else is the same for the same result.

    Returns
    -------
    Path
        Where it was written.

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
    if target.is_dir():
        raise InputError(f"{target} is a folder; name a file in it.")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {target.parent}; create it first.")
    page = _page(
        result, X=X, title=title, clusterings=clusterings,
        parameters=parameters or {}, code=code, day=day or date.today(),
    )  # fmt: skip
    try:
        write_atomically(target, render(page).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise InputError(
            f"{target} cannot be written ({error.strerror}); choose another place."
        ) from error
    return target


def _page(
    result: Any,
    *,
    X: Any,
    title: str | None,
    clusterings: Mapping[str, Any] | None,
    parameters: Mapping[str, Any],
    code: str | None,
    day: date,
) -> Page:
    from clusterwise.alternatives.results import FoundClusterings
    from clusterwise.comparing.compare import Comparison

    shared: dict[str, Any] = {
        "title": title,
        "parameters": parameters,
        "code": code,
        "made": made(day),
    }
    if isinstance(result, Comparison):
        from clusterwise.report.comparison import comparison_page

        return comparison_page(result, **shared)
    if isinstance(result, FoundClusterings):
        from clusterwise.report.alternatives import alternatives_page

        return alternatives_page(result, X, clusterings, **shared)
    from clusterwise.consensus.combine import Combined

    if isinstance(result, Combined):
        from clusterwise.report.consensus import combination_page

        return combination_page(result, **shared)
    raise InputError(
        f"there is no report of a {type(result).__name__}; pass what compare, cluster_again or "
        "combine returned."
    )
