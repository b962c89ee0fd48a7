"""What somebody would say who knows how planted data were made, but for their clusters."""

from math import log

import numpy as np

from clusterwise.datasets.planted import share_out
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from experiments.alternatives.settings import Setting

# Digits that are none of rounding: names leave some objects between clusters.
_DIGITS = 9


def score_bayes(setting: Setting, seed: int) -> float:
    """The mean NMI of hidden clusterings with those that are guessed."""
    hidden = setting.draw(seed).labels[:, 1:]
    guessed = predict_bayes(setting, seed)
    scores = [
        normalized_mutual_info_score(true, labels)
        for true, labels in zip(hidden.T, guessed.T, strict=True)
    ]
    return float(np.mean(scores))


def predict_bayes(setting: Setting, seed: int) -> Array:
    """The likeliest cluster of each object in every hidden clustering, a column for each.

    All centres, values, shares and the part that chance has are known. The features of hidden
    clusterings do not share directions, so that each is guessed for itself.
    """
    drawn, pure = setting.draw(seed), setting.draw(seed, pure=True)
    places = _place(setting, pure.X)
    chance = _place(setting, drawn.X) - places
    counts = setting.clusterings
    marks = [np.eye(count)[codes] for count, codes in zip(counts, drawn.labels.T, strict=True)]
    added = np.linalg.lstsq(np.hstack(marks), places, rcond=None)[0]
    effects = np.split(added, np.cumsum(counts)[:-1])
    balance = setting.option("balance")
    guesses = [
        _guess(chance + effect[codes], effect, share_out(len(effect), balance))
        for effect, codes in zip(effects[1:], drawn.labels.T[1:], strict=True)
    ]
    return np.column_stack(guesses)


def _guess(rest: Array, centres: Array, shares: Array) -> Array:
    """The likeliest cluster of each object, the first one where several are equally likely."""
    squares = ((rest[:, None, :] - centres) ** 2).sum(axis=2)
    return np.asarray((np.log(shares) - 0.5 * squares).round(_DIGITS).argmax(axis=1))


def _place(setting: Setting, X: Array) -> Array:
    """Objects as points such that half a squared distance is what it makes them less likely."""
    columns = []
    for column in X.T:
        if isinstance(column[0], str):
            size = setting.option("values") or setting.clusterings[0]
            values = [f"a{value + 1}" for value in range(size)]
            columns.append((column[:, None] == values) * _weigh(setting, size) ** 0.5)
        else:
            columns.append(column[:, None].astype(float) / setting.option("noise"))
    return np.hstack(columns)


def _weigh(setting: Setting, size: int) -> float:
    """How much likelier the value of its own cluster is for an object (logarithm)."""
    reliability = setting.option("reliability")
    by_chance = (1 - reliability) / size
    return log((reliability + by_chance) / by_chance)
