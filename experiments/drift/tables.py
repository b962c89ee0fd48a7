"""The page of the study of drift."""

from collections.abc import Iterator, Mapping, Sequence

from clusterwise._utils.tables import TextTable
from experiments.drift.simulation import LEVELS, Rates, standard_error

_COMPARED = ("first", "later", "reference")


def list_sections(
    null: Sequence[Rates], others: Mapping[str, Rates], drifting: Sequence[Rates]
) -> Iterator[str | TextTable]:
    """Yield the headings, paragraphs and tables of the page."""
    every = [*null, *others.values()]
    n = every[0].n
    yield "# False alarms and power of the test for drift"
    yield (
        "Written by `python -m experiments.drift --markdown docs/results/drift.md`. Each row is a "
        f"simulation of {n:,} streams of three windows of independent objects; the bins are fitted "
        "on the first window. Cells are rates of alarms ± standard errors; the test is "
        "`clusterwise.streams.drift.change_between`."
    )
    yield "## False alarms"
    yield (
        'There is no drift, so rates should be at most alpha. "first": the second window against '
        'the first one, on which the bins were fitted; "later": the third window against the '
        'second; "reference": the third against the first. "missing": a fifth of the values. '
        '"no test": streams in which all values were too rare to be tested. The settings are '
        "many, so some rates are above alpha by chance."
    )
    yield _summary(every)
    yield _null_table([(_name(one), one) for one in null])
    if others:
        yield "### Other binnings, many columns, unequal and long windows"
        yield _null_table(list(others.items()))
    yield "## Power"
    yield (
        f"The third window has drift; it is compared with the second. Alpha is {LEVELS[0]:g}; "
        "objects are in one cluster."
    )
    header = ["drift", "column", "window", "alarms"]
    rows = [
        [
            one.setting.drift or "",
            one.setting.columns[0],
            f"{one.setting.window:,}",
            _rate(one.later[0], one.n),
        ]
        for one in drifting
    ]
    yield TextTable(header, rows, left=frozenset({0, 1}))


def _summary(rates: Sequence[Rates]) -> str:
    parts = []
    for i, level in enumerate(LEVELS):
        all_rates = [getattr(one, name)[i] for one in rates for name in _COMPARED]
        above = sum(rate > level + 3 * standard_error(level, rates[0].n) for rate in all_rates)
        parts.append(
            f"At alpha {level:g} the mean rate of the {len(all_rates)} simulations is "
            f"{sum(all_rates) / len(all_rates):.4f} and the largest {max(all_rates):.4f}; "
            f"{above} are more than 3 standard errors above alpha."
        )
    return " ".join(parts)


def _null_table(rows: Sequence[tuple[str, Rates]]) -> TextTable:
    header = ["column", "window", "clusters"] + [
        f"{name}, alpha {level:g}" for level in LEVELS for name in _COMPARED
    ]
    cells = [
        [
            name,
            f"{one.setting.window:,}",
            str(one.setting.clusters),
            *(_rate(getattr(one, key)[i], one.n) for i in range(len(LEVELS)) for key in _COMPARED),
            f"{one.untested:.0%}",
        ]
        for name, one in rows
    ]
    return TextTable([*header, "no test"], cells, left=frozenset({0}))


def _name(one: Rates) -> str:
    return one.setting.columns[0] + (", missing" if one.setting.missing else "")


def _rate(rate: float, n: int) -> str:
    return f"{rate:.3f} ± {standard_error(rate, n):.3f}"
