"""Which balance constraint finds a hidden clustering, on planted data."""

from collections.abc import Callable, Sequence
from statistics import mean
from typing import Literal, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from clusterwise._utils.progress import track
from clusterwise._utils.tables import TextTable
from clusterwise.datasets import make_alternatives, make_categorical_alternatives
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from experiments.maximus.variants.estimator import VariantMAXIMUS

Balance = Literal["membership", "matching", "profile"]

BALANCES: tuple[Balance, ...] = ("membership", "matching", "profile")
HIDDEN = 4
_OBJECTS, _SEPARATION = 400, 5.0

PlantedData = tuple[Array, Array, Array]


class Recovery(NamedTuple):
    """The NMI of the alternative with the hidden clustering, by balance and seed."""

    title: str
    found: dict[Balance, list[float]]

    @property
    def means(self) -> dict[Balance, float]:
        """The mean over seeds for each balance."""
        return {balance: mean(values) for balance, values in self.found.items()}


def _numeric(given: int, seed: int) -> PlantedData:
    data = make_alternatives(_OBJECTS, (given, HIDDEN), separation=_SEPARATION, random_state=seed)
    return data.X, data.labels[:, 0], data.labels[:, 1]


def _categorical(seed: int) -> PlantedData:
    data = make_categorical_alternatives(_OBJECTS, (20, HIDDEN), random_state=seed)
    return data.X, data.labels[:, 0], data.labels[:, 1]


def _finer(seed: int) -> PlantedData:
    X, given, hidden = _numeric(5, seed)
    return X, 4 * given + np.random.default_rng(seed).integers(0, 4, given.size), hidden


def _mixed(share: float, seed: int, *, with_hidden: bool) -> PlantedData:
    """Replace some given labels by those of the hidden clustering, or by random ones."""
    X, given, hidden = _numeric(HIDDEN, seed)
    random = np.random.default_rng(seed)
    others = hidden if with_hidden else random.integers(0, HIDDEN, given.size)
    return X, np.where(random.random(given.size) < share, others, given), hidden


SETTINGS: dict[str, Callable[[int], PlantedData]] = {
    "20 given clusters": lambda seed: _numeric(20, seed),
    "20 given clusters, categorical": _categorical,
    "20 given clusters, 5 split at random into four": _finer,
    "4 given clusters": lambda seed: _numeric(HIDDEN, seed),
    "4 given clusters, half the labels at random": lambda seed: _mixed(
        0.5, seed, with_hidden=False
    ),
    "4 given clusters, 3 in 10 labels of the hidden ones": lambda seed: _mixed(
        0.3, seed, with_hidden=True
    ),
}


def recover(seeds: int = 3, titles: tuple[str, ...] = tuple(SETTINGS)) -> list[Recovery]:
    """Run MAXIMUS with every balance constraint on every setting."""
    found = []
    for title in track(titles, len(titles), "finding hidden clusters"):
        each: dict[Balance, list[float]] = {}
        for seed in range(seeds):
            X, given, hidden = SETTINGS[title](seed)
            for balance in BALANCES:
                with threadpool_limits(1):
                    model = VariantMAXIMUS(
                        HIDDEN, balance=balance, random_state=seed, progress=False
                    )
                    labels = model.fit(X, given).labels_
                each.setdefault(balance, []).append(
                    float(normalized_mutual_info_score(hidden, labels))
                )
        found.append(Recovery(title, each))
    return found


def show_recovered(recovered: Sequence[Recovery]) -> TextTable:
    """Return the table of means and ranges over seeds."""
    rows = [
        [one.title, *(_mean_and_range(one.found[balance]) for balance in BALANCES)]
        for one in recovered
    ]
    return TextTable(["given", *BALANCES], rows, left=frozenset({0}))


def describe_recovered(recovered: Sequence[Recovery]) -> str:
    """Summarise which balance constraint does best."""
    best = dict.fromkeys(BALANCES, 0)
    for one in recovered:
        best[max(BALANCES, key=lambda balance: one.means[balance])] += 1
    counts = ", ".join(f"{balance} {count}" for balance, count in best.items())
    means = ", ".join(
        f"{balance} {mean(one.means[balance] for one in recovered):.2f}" for balance in BALANCES
    )
    worst = ", ".join(
        f"{balance} {min(one.means[balance] for one in recovered):.2f}" for balance in BALANCES
    )
    return (
        f"Of {len(recovered)} settings of planted data the hidden clustering is found best by: "
        f"{counts}. The mean NMI is {means}; at worst it is {worst}."
    )


def _mean_and_range(values: list[float]) -> str:
    return f"{mean(values):.2f} ({min(values):.2f} to {max(values):.2f})"
