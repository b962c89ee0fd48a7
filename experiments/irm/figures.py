"""Figs. 2 to 5: deviation of indices from accuracy against the number of clusters."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from experiments.common.experiment import Claim, Experiment, Line, Outcome, Setup, Table
from experiments.irm.deviations import (
    Deviations,
    find_deviations,
    nearest,
    select_columns,
)
from experiments.irm.published import INDICES, SEEDS

_SHOWN = (2, 3, 5, 10, 20, 30, 40, 50)
# A difference that is hardly visible in a figure, and a low deviation.
_CLOSE, _LOW = 0.05, 0.15
Judge = Callable[[Deviations], list[Claim]]


def run_figure(name: str, judge: Judge, setup: Setup) -> Outcome:
    """Return the curves of one data set at some k."""
    found = find_deviations(setup.load(name), setup.seeds, progress=setup.progress)
    lines = [
        Line((str(k), index), float(off))
        for k in _SHOWN
        if found.classes <= k <= found.largest
        for index, off in zip(INDICES, found.at(k), strict=True)
    ]
    table = Table("|accuracy - index|", ("k", "index"), lines)
    return Outcome([table], judge(found), ("The paper shows curves without values.",))


def judge_australian(found: Deviations) -> list[Claim]:
    """Fig. 2."""
    apart = np.abs(found.of("AR") - found.of("NMI"))
    close = int((apart < _CLOSE).sum())
    early, late = (select_columns(when, "Rand") for when in (found.early, found.late))
    return [
        Claim(
            "Rand is close to accuracy with few clusters and far away with many.",
            int(early < _LOW and late > 2 * early),
            why=f"It is {early:.3f} away at first and {late:.3f} at the end.",
        ),
        _fall(found, "NMI", "is very far away with two clusters and less so with many"),
        _balance(found, ("IRM", "Wallace")),
        _order(found, "IRM", "Wallace"),
        Claim(
            f"AR and NMI are almost the same (less than {_CLOSE} apart; per k).",
            close,
            apart.size,
            "" if close == apart.size else f"They are {apart.mean():.3f} apart on average.",
        ),
    ]


def judge_iris(found: Deviations) -> list[Claim]:
    """Fig. 3."""
    return [
        _farthest(found, "Rand"),
        Claim(
            "AR is the closest with few clusters.",
            int(nearest(found.early) == "AR"),
            why="" if nearest(found.early) == "AR" else f"{nearest(found.early)} is.",
        ),
        _balance(found, ("IRM",)),
        _always(found, "IRM", "Jaccard"),
    ]


def judge_spect(found: Deviations) -> list[Claim]:
    """Fig. 4."""
    worst = min(found.of("AR").max(), found.of("NMI").max())
    acceptable = [found.of(index).max() < worst for index in ("Jaccard", "Wallace", "IRM")]
    winners = [nearest(off) for off in found.sizes]
    return [
        _fall(found, "AR", "is far away at the true k and less so with many clusters"),
        _fall(found, "NMI", "is far away at the true k and less so with many clusters"),
        Claim(
            "Jaccard, Wallace and IRM are acceptable: never as far away as AR and NMI at worst.",
            sum(acceptable),
            len(acceptable),
        ),
        Claim(
            "IRM is the closest throughout (per k).",
            winners.count("IRM"),
            len(winners),
            _others(winners),
        ),
        _order(found, "IRM", "Jaccard"),
    ]


def judge_liver(found: Deviations) -> list[Claim]:
    """Fig. 5."""
    winner = nearest(found.late)
    return [
        _fall(found, "IRM", "comes much closer with many clusters"),
        Claim(
            "With many clusters IRM is the closest.",
            int(winner == "IRM"),
            why="" if winner == "IRM" else f"{winner} is.",
        ),
    ]


def _fall(found: Deviations, index: str, what: str) -> Claim:
    """Check whether the deviation at the end is half of that at the beginning."""
    early, late = (select_columns(when, index) for when in (found.early, found.late))
    why = f"It is {early:.3f} away at first and {late:.3f} at the end."
    return Claim(f"{index} {what}.", int(late < early / 2), why=why)


def _balance(found: Deviations, indices: Iterable[str]) -> Claim:
    """Check whether the range over k is smaller than that of the indices called unstable."""
    ranges = {index: float(np.ptp(found.of(index))) for index in INDICES}
    unstable = min(ranges[index] for index in ("Rand", "AR", "NMI"))
    steady = [index for index in indices if ranges[index] < unstable]
    names = " and ".join(indices)
    why = ", ".join(f"{index} {size:.2f}" for index, size in ranges.items())
    return Claim(
        f"The deviation of {names} varies less over k than that of Rand, AR and NMI.",
        len(steady),
        len(list(indices)),
        f"Range: {why}.",
    )


def _order(found: Deviations, first: str, second: str) -> Claim:
    a, b = (float(found.of(index).mean()) for index in (first, second))
    why = f"They are {a:.3f} and {b:.3f} away on average."
    return Claim(f"{first} is closer than {second}.", int(a < b), why=why)


def _always(found: Deviations, first: str, second: str) -> Claim:
    nearer = found.of(first) < found.of(second)
    return Claim(
        f"{first} is always closer than {second} (per k).",
        int(nearer.sum()),
        nearer.size,
    )


def _farthest(found: Deviations, index: str) -> Claim:
    last = found.of(index) >= found.sizes.max(axis=1)
    others = [list(INDICES)[int(off.argmax())] for off in found.sizes[~last]]
    return Claim(
        f"{index} is the farthest away (per k).",
        int(last.sum()),
        last.size,
        "" if last.all() else f"Exceptions, with few clusters: {_counted(others)}.",
    )


def _others(winners: list[str]) -> str:
    others = [winner for winner in winners if winner != "IRM"]
    return f"The closest are: {_counted(others)}." if others else ""


def _counted(names: list[str]) -> str:
    return ", ".join(f"{name} at {count} k" for name, count in Counter(names).most_common())


def _experiment(number: int, name: str, title: str, judge: Judge) -> Experiment:
    return Experiment(
        f"irm-fig{number}",
        f"Deviation from accuracy against k: {title}",
        f"Fig. {number}, sec. 4",
        partial(run_figure, name, judge),
        (name,),
        5,
        SEEDS,
    )


FIGURES = (
    _experiment(2, "australian", "Australian", judge_australian),
    _experiment(3, "iris", "Iris", judge_iris),
    _experiment(4, "spect", "Spect", judge_spect),
    _experiment(5, "bupa", "Liver", judge_liver),
)
