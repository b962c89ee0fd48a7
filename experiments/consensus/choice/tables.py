"""The study of the choice of auto as tables and sentences, all computed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from clusterwise._utils.tables import TextTable, format_count
from clusterwise.consensus.automatic import CONFIDENT, RATIO
from experiments.consensus.choice.answers import Answer
from experiments.consensus.choice.scores import (
    AUTO,
    LARGEST_NMI,
    LIFETIME,
    METHODS,
    POWERS,
    RATIOS,
    REFINED,
    THRESHOLDS,
    TOLD,
    Outcome,
)
from experiments.consensus.choice.settings import HELD_OUT, TUNING

REAL = "real"
Rows = Mapping[str, Sequence[Outcome]]
_TITLE = """# What `combine("auto")` chooses

Written by `python -m experiments.consensus.choice --markdown docs/results/consensus_choice.md`.
Values are adjusted Rand indices with the classes, means over {seeds}. The rules of auto were chosen
by the tuning settings only: {tuning} of generated data and ensembles. The {held} held-out settings
have other shapes and other seeds. Real data sets are a check; no value was chosen by them, but they
showed that the confidence alone is not enough, and that a ratio of numbers of clusters is needed.

`largest NMI` was the default before: of the results of refined-evidence, phi and median the one
with the highest mean NMI with the members. `spectral` is `LWGP(theta=inf)`, all clusters weighted
alike: an unweighted cut of the bipartite graph of objects and clusters."""
_THRESHOLDS = """## The method: tuning

auto is LWEA if the mean confidence of the clusters is at least a threshold, and the median number
of clusters of the members at least a ratio times that of the consensus; else refined-evidence.
"Worst" is the setting with the largest loss against refined-evidence."""
_POWERS = """## The number of clusters: tuning

The number after which the angles of the spectrum have the largest gap, divided by a power of the
number, with the method that auto then chooses; "lifetime" is the number with the longest lifetime
in evidence accumulation, the rule before. "Off by" is the mean factor by which the number differs
from that of the classes. "Worst" is the setting with the largest loss against being told it."""
_HALVES = {
    TUNING: "## Tuning settings",
    HELD_OUT: "## Held-out settings",
    REAL: "## Real data sets",
}
_COLUMNS = """"local" is the proportion of ensembles in which auto chooses LWEA. In the last columns
the number of clusters is not told: by auto, and by the default before (the lifetime)."""
_ANSWERS = """## No common answer

Noisy copies of classes: labels are drawn at random with the probability "noise"; with 100 % the
clusterings are independent. "No answer" is how often the summary says that there is no common
answer, "mutual" the mean adjusted Rand index of all pairs of clusterings, and "recovered" that of
the consensus and the classes."""


def list_sections(
    halves: Mapping[str, Rows], answers: Sequence[Answer], seeds: int
) -> Iterator[str | TextTable]:
    """Return the texts and tables of the page, in order."""
    sizes = {half: len(rows) for half, rows in halves.items()}
    yield _TITLE.format(
        seeds=format_count(seeds, "seed"), tuning=sizes[TUNING], held=sizes[HELD_OUT]
    )
    yield _THRESHOLDS
    yield show_thresholds(halves)
    yield _POWERS
    yield show_numbers(halves)
    yield "## All methods, told the number of clusters"
    yield show_methods(halves)
    yield "\n".join(f"- {line}" for line in list_verdicts(halves))
    for half, rows in halves.items():
        yield _HALVES[half]
        yield _COLUMNS
        yield show_settings(rows)
    yield _ANSWERS
    yield show_answers(answers)


def show_thresholds(halves: Mapping[str, Rows]) -> TextTable:
    """Return the means of each threshold."""
    lines = []
    for threshold, ratio in [*product(THRESHOLDS[:-1], RATIOS), (THRESHOLDS[-1], 0.0)]:

        def score(one: Outcome, rule: tuple[float, float] = (threshold, ratio)) -> float:
            return one.by_thresholds(*rule)

        cells = [_summarise(rows, score, lambda one: one.told[REFINED]) for rows in halves.values()]
        chosen = " (auto)" if (threshold, ratio) == (CONFIDENT, RATIO) else ""
        lines.append(
            [f"{threshold:g}, {ratio:g}{chosen}", *(cell for pair in cells for cell in pair)]
        )
    return TextTable(["confidence, ratio", *_headers(halves)], lines)


def show_numbers(halves: Mapping[str, Rows]) -> TextTable:
    """Return the means of each rule for the number of clusters."""
    lines = []
    for rule in (TOLD, *POWERS, AUTO, LIFETIME, REFINED):

        def score(one: Outcome, rule: object = rule) -> float:
            return one.untold[rule]

        cells: list[str] = []
        for rows in halves.values():
            off = _mean(rows, lambda one, rule=rule: _off(one, rule))  # type: ignore[misc]
            mean, worst = _summarise(rows, score, lambda one: one.told[AUTO])
            cells += [mean, f"{2**off:.2f}", worst]
        name = f"gap, power {rule:g}" if isinstance(rule, float) else rule
        name = "lifetime, refined-evidence" if rule == REFINED else name
        lines.append([name, *cells])
    header = [f"{half}{of}" for half in halves for of in ("", ", off by", ", worst")]
    return TextTable(["rule", *header], lines)


def show_methods(halves: Mapping[str, Rows]) -> TextTable:
    """Return the means of each method."""
    lines = []
    for method in METHODS:

        def score(one: Outcome, method: str = method) -> float:
            return one.told[method]

        cells = [_summarise(rows, score, lambda one: one.told[REFINED]) for rows in halves.values()]
        lines.append([method, *(cell for pair in cells for cell in pair)])
    return TextTable(["method", *_headers(halves)], lines)


def show_settings(rows: Rows) -> TextTable:
    """Return a row for each setting."""
    lines = []
    for name, found in rows.items():
        numbers = [np.mean([one.numbers[rule] for one in found]) for rule in (AUTO, LIFETIME)]
        untold = [np.mean([one.untold[rule] for one in found]) for rule in (AUTO, REFINED)]
        told = [np.mean([one.told[method] for one in found]) for method in METHODS]
        lines.append(
            [
                name,
                f"{np.mean([one.classes for one in found]):.0f}",
                f"{np.mean([one.confidence for one in found]):.2f}",
                f"{np.mean([one.is_local for one in found]):.0%}",
                *(f"{value:.3f}" for value in told),
                *(f"{number:.1f}" for number in numbers),
                *(f"{value:.3f}" for value in untold),
            ]
        )
    header = ["setting", "K", "confidence", "local", *METHODS]
    return TextTable([*header, "K by auto", "K by lifetime", "auto, untold", "before"], lines)


def show_answers(answers: Sequence[Answer]) -> TextTable:
    """Return a row for each size and proportion of noise."""
    rows = [
        [
            *map(str, (one.n, one.members, one.classes)),
            f"{one.noise:.0%}",
            f"{one.no_answer:.0%}",
            f"{one.mutual:.3f}",
            f"{one.recovered:.2f}",
        ]
        for one in answers
    ]
    header = ["n", "clusterings", "K", "noise", "no answer", "mutual", "recovered"]
    return TextTable(header, rows)


def list_verdicts(halves: Mapping[str, Rows]) -> list[str]:
    """Compare auto with the default before, told and not told the number of clusters."""
    lines = []
    for half, rows in halves.items():
        told = [_mean(rows, lambda one, m=m: one.told[m]) for m in (AUTO, LARGEST_NMI, REFINED)]  # type: ignore[misc]
        untold = [_mean(rows, lambda one, r=r: one.untold[r]) for r in (AUTO, REFINED)]  # type: ignore[misc]
        no_answer = _mean(rows, lambda one: float(not one.has_answer))
        gain, error = _difference(rows, lambda one: one.told[AUTO] - one.told[REFINED])
        more, wide = _difference(rows, lambda one: one.untold[AUTO] - one.untold[REFINED])
        lines.append(
            f"{half}: told the number, auto has {told[0]:.3f} on average, the default before "
            f"{told[1]:.3f}, refined-evidence {told[2]:.3f} (auto − refined-evidence: {gain:+.3f} "
            f"± {error:.3f}, the standard error over settings). Not told, auto has "
            f"{untold[0]:.3f}, and refined-evidence with the number before {untold[1]:.3f} "
            f"({more:+.3f} ± {wide:.3f}). The summary says in {no_answer:.0%} of the ensembles "
            "that there is no common answer."
        )
    return lines


def _headers(halves: Mapping[str, Rows]) -> list[str]:
    return [f"{half}{of}" for half in halves for of in ("", ", worst")]


def _off(outcome: Outcome, rule: object) -> float:
    return float(abs(np.log2(outcome.numbers[rule] / outcome.classes)))


def _mean(rows: Rows, score: Callable[[Outcome], float]) -> float:
    return float(np.mean([np.mean([score(one) for one in found]) for found in rows.values()]))


def _difference(rows: Rows, score: Callable[[Outcome], float]) -> tuple[float, float]:
    """Return the mean over settings and its standard error."""
    means = [np.mean([score(one) for one in found]) for found in rows.values()]
    error = np.std(means, ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.nan
    return float(np.mean(means)), float(error)


def _summarise(
    rows: Rows, score: Callable[[Outcome], float], other: Callable[[Outcome], float]
) -> tuple[str, str]:
    """Return the mean over settings, and the largest loss of a setting against another score."""
    losses = [float(np.mean([score(one) - other(one) for one in each])) for each in rows.values()]
    return f"{_mean(rows, score):.3f}", f"{min(losses):+.3f}"
