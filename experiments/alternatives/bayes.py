"""The Bayes classifier of planted data: it knows the distribution but not the labels."""

from math import log

import numpy as np

from clusterwise.datasets.planted import cluster_proportions
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from experiments.alternatives.settings import Setting

# Digits that are not affected by rounding: categorical features lead to ties.
_DIGITS = 9


def score_bayes(setting: Setting, seed: int) -> float:
    """Return the mean NMI of the hidden clusterings with the predicted ones."""
    hidden = setting.draw(seed).labels[:, 1:]
    predicted = predict_bayes(setting, seed)
    scores = [
        normalized_mutual_info_score(true, labels)
        for true, labels in zip(hidden.T, predicted.T, strict=True)
    ]
    return float(np.mean(scores))


def predict_bayes(setting: Setting, seed: int) -> Array:
    """Return the most probable cluster of each object, a column for each hidden clustering.

    All centres, category probabilities, proportions and the noise are known. Hidden clusterings
    use orthogonal features, so each is predicted separately.
    """
    drawn, pure = setting.draw(seed), setting.draw(seed, pure=True)
    means = _embed(setting, pure.X)
    noise = _embed(setting, drawn.X) - means
    counts = setting.clusterings
    indicators = [np.eye(count)[codes] for count, codes in zip(counts, drawn.labels.T, strict=True)]
    added = np.linalg.lstsq(np.hstack(indicators), means, rcond=None)[0]
    effects = np.split(added, np.cumsum(counts)[:-1])
    balance = setting.option("balance")
    predictions = [
        _predict(noise + effect[codes], effect, cluster_proportions(len(effect), balance))
        for effect, codes in zip(effects[1:], drawn.labels.T[1:], strict=True)
    ]
    return np.column_stack(predictions)


def _predict(rest: Array, centres: Array, proportions: Array) -> Array:
    """Return the most probable cluster of each object; ties go to the first."""
    squares = ((rest[:, None, :] - centres) ** 2).sum(axis=2)
    return np.asarray((np.log(proportions) - 0.5 * squares).round(_DIGITS).argmax(axis=1))


def _embed(setting: Setting, X: Array) -> Array:
    """Return points whose half squared distances are negative log-likelihoods, up to a constant."""
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
    """Return the log-likelihood ratio of the value of an object's own cluster and another value."""
    reliability = setting.option("reliability")
    at_random = (1 - reliability) / size
    return log((reliability + at_random) / at_random)
