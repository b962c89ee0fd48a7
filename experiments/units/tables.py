"""The study of units as tables and sentences, all computed."""

from collections.abc import Iterator, Sequence

import numpy as np

from clusterwise._utils.tables import TextTable, format_list
from experiments.units.recovery import DATA, METHODS, SCALINGS, Recovery

_TITLE = """# Units and scaling

Written by `python -m experiments.units --seeds {seeds} --markdown docs/results/units.md`. Planted
data with two or three hidden clusterings, one of which is given, in {settings} settings of numeric
features. The values are the mean NMI of the first alternative with the hidden clustering (the more
similar one, if two are hidden).

The data are as planted, where all features have the same unit; in random units, where every column
is multiplied by a random power of ten, from 1e-3 to 1e3; in random units after two heavy-tailed
columns without clusters were added (Student's t with 1.5 degrees of freedom, and log-normal with
sigma 2); and in random units after noise of ten standard deviations was added to 2 % of the values.

Scaling: none; to mean 0 and standard deviation 1; to median 0 and the interquartile range of a
normal distribution; to mean 0 and standard deviation 1 after winsorising at the whiskers of a box
plot. `auto` is the portfolio of `cluster_again`. The study scales the data itself, and calls
`cluster_again` with `scale=False`."""
_DECISION = """## The default

`cluster_again` and `clusterwise again` scale to mean 0 and standard deviation 1 by default. Where
single values are wrong, winsorise or repair them first: the default leaves values as they are,
because it cannot tell errors from heavy tails. Where all features have the same unit, `scale=False`
and `--no-scale` keep their relative variances."""
DEFAULT = "standard"


def list_sections(found: Sequence[Recovery], seeds: int) -> Iterator[str | TextTable]:
    """Return the sections of the page."""
    settings = list(dict.fromkeys(one.setting for one in found))
    yield _TITLE.format(seeds=seeds, settings=len(settings))
    yield "## All settings"
    for method in METHODS:
        yield _by_data([one for one in found if one.method == method], method)
    yield "\n".join(_verdicts(found))
    yield _DECISION
    yield "## By setting"
    for method in METHODS:
        yield _by_setting([one for one in found if one.method == method], method, settings)


def mean_nmi(found: Sequence[Recovery], **fields: str) -> float:
    """Return the mean NMI of the outcomes with these fields."""
    chosen = [one.nmi for one in found if all(getattr(one, k) == v for k, v in fields.items())]
    return float(np.mean(chosen))


def _by_data(found: Sequence[Recovery], method: str) -> TextTable:
    rows = [
        [data, *(f"{mean_nmi(found, data=data, scaling=scaling):.3f}" for scaling in SCALINGS)]
        for data in DATA
    ]
    rows.append(["mean", *(f"{mean_nmi(found, scaling=scaling):.3f}" for scaling in SCALINGS)])
    return TextTable(["data", *SCALINGS], rows, f"Mean NMI of {method}")


def _by_setting(found: Sequence[Recovery], method: str, settings: Sequence[str]) -> TextTable:
    names = [(data, scaling) for data in DATA for scaling in ("none", DEFAULT)]
    rows = []
    for setting in settings:
        here = [one for one in found if one.setting == setting]
        cells = (f"{mean_nmi(here, data=data, scaling=scaling):.3f}" for data, scaling in names)
        rows.append([setting, *cells])
    header = ["setting", *(f"{data}: {scaling}" for data, scaling in names)]
    return TextTable(header, rows, f"Mean NMI of {method}, by setting")


def _verdicts(found: Sequence[Recovery]) -> Iterator[str]:
    yield "What the tables say:"
    yield ""
    for method in METHODS:
        own = [one for one in found if one.method == method]
        same, other = (
            mean_nmi(own, data=data, scaling=DEFAULT) - mean_nmi(own, data=data, scaling="none")
            for data in ("as planted", "random units")
        )
        best = "; ".join(f"{data}: {_best(own, data)}" for data in DATA)
        yield (
            f"- `{method}`: where units are the same, standard scaling changes NMI by {same:+.3f}; "
            f"in random units by {other:+.3f}. The largest mean NMI: {best}."
        )
    parts = "; ".join(f"{data}: {_compare(found, data)}" for data in DATA)
    yield f"- Winsorised instead of standard scaling: {parts}."


def _best(found: Sequence[Recovery], data: str) -> str:
    """Return the scalings with the largest mean NMI, as it is printed."""
    means = {name: f"{mean_nmi(found, data=data, scaling=name):.3f}" for name in SCALINGS}
    largest = max(means.values())
    return f"{format_list([k for k, v in means.items() if v == largest])} ({largest})"


def _compare(found: Sequence[Recovery], data: str) -> str:
    """Return the methods that winsorised values are better for, and those they are worse for."""
    groups: dict[str, list[str]] = {"better": [], "equal": [], "worse": []}
    for method in METHODS:
        one, other = (
            f"{mean_nmi(found, method=method, data=data, scaling=scaling):.3f}"
            for scaling in ("winsorised", DEFAULT)
        )
        word = "equal" if one == other else "better" if one > other else "worse"
        groups[word].append(f"`{method}`")
    return ", ".join(f"{word} for {format_list(names)}" for word, names in groups.items() if names)
