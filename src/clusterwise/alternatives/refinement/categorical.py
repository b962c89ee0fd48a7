"""The model of categorical features: distributions that depend on given and new clusters.

The distribution of a feature is the same for all objects, or depends on the given clusters, on the
new cluster or on both, as BIC decides. The features that depend on the new cluster alone
are then modelled jointly, by a distribution for each cluster, or by one mode per cluster and an
error rate.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.refinement.model import LogLikelihoods
from clusterwise.inputs.encoding import Array

# The pseudocount of each value.
_PSEUDOCOUNT = 0.5


def fit_categorical(
    columns: Sequence[Array], given: Given, responsibilities: Array
) -> LogLikelihoods:
    """Fit the model to responsibilities, K × n; ``columns`` are the codes of each feature."""
    joint = given.joint
    found, of_cluster = LogLikelihoods(np.zeros_like(responsibilities), 0.0), []
    for codes in columns:
        model = _choose_dependence(codes, joint, responsibilities)
        if model.depends_on_cluster_only:
            of_cluster.append((codes, model.counts[0]))
        else:
            found = found.plus(model.log_likelihoods(codes, joint))
    return found.plus(_fit_jointly(of_cluster)) if of_cluster else found


class _Distribution(NamedTuple):
    """Expected counts of values and log probabilities: given cells × clusters × values.

    The first two axes have length 1 where the distribution does not depend on them.
    """

    counts: Array
    log_probabilities: Array
    penalty: float

    @property
    def cost(self) -> float:
        """The negative expected log-likelihood plus the BIC penalty."""
        return self.penalty - float(np.vdot(self.counts, self.log_probabilities))

    @property
    def depends_on_cluster_only(self) -> bool:
        cells, clusters, _ = self.counts.shape
        return cells == 1 < clusters

    def log_likelihoods(self, codes: Array, joint: Array) -> LogLikelihoods:
        """Return the log-likelihood of each object's value in each cluster."""
        cells = joint if len(self.log_probabilities) > 1 else np.zeros_like(joint)
        return LogLikelihoods(self.log_probabilities[cells, :, codes].T, self.penalty)


def _choose_dependence(codes: Array, joint: Array, responsibilities: Array) -> _Distribution:
    """Return the distribution with the least BIC.

    A dependence on the given clusters is considered only if cells have enough objects.
    """
    n, size, cells = codes.size, int(codes.max()) + 1, int(joint.max()) + 1
    if cells * size > n:
        joint, cells = np.zeros_like(joint), 1
    indices = joint * size + codes
    tables = [np.bincount(indices, each, minlength=cells * size) for each in responsibilities]
    table = np.stack([each.reshape(cells, size) for each in tables], axis=1)
    choices = []
    for axes in ((0, 1), (1,), (0,), ()):
        counts = table.sum(axis=axes, keepdims=True) if axes else table
        penalty = 0.5 * counts.shape[0] * counts.shape[1] * (size - 1) * np.log(n)
        choices.append(_Distribution(counts, _smoothed_log_probabilities(counts), penalty))
    return min(choices, key=lambda choice: choice.cost)


def _smoothed_log_probabilities(counts: Array) -> Array:
    smoothed = counts + _PSEUDOCOUNT
    return np.asarray(np.log(smoothed / smoothed.sum(axis=-1, keepdims=True)))


class _JointModel(NamedTuple):
    """Log probabilities of values in clusters, K × values for each feature.

    A constant that is common to all clusters is stored separately, so that equal values remain
    exactly equal.
    """

    tables: list[Array]
    common: float
    penalty: float


def _fit_jointly(features: Sequence[tuple[Array, Array]]) -> LogLikelihoods:
    """Fit the features that depend on the new cluster alone, all by one model chosen by BIC.

    For each feature there are the codes of objects, and the expected counts of clusters × values.
    The models are: a mode per cluster with one error rate for all features, with one error rate per
    feature, and a distribution per cluster and feature.
    """
    n = features[0][0].size
    counts = [table for _, table in features]
    errors = np.array([n - table.max(axis=1).sum() for table in counts])
    rates = (errors + _PSEUDOCOUNT) / (n + 2 * _PSEUDOCOUNT)
    rate = (errors.sum() + _PSEUDOCOUNT) / (n * errors.size + 2 * _PSEUDOCOUNT)
    per_parameter = 0.5 * np.log(n)
    models = [
        _mode_model(counts, np.full(errors.size, rate), per_parameter),
        _mode_model(counts, rates, per_parameter * errors.size),
        _free_model(counts, per_parameter),
    ]

    def cost(model: _JointModel) -> float:
        pairs = zip(counts, model.tables, strict=True)
        return model.penalty - n * model.common - sum(float(np.vdot(*pair)) for pair in pairs)

    best = min(models, key=cost)
    values = np.zeros((len(counts[0]), n))
    for (codes, _), table in zip(features, best.tables, strict=True):
        values += table[:, codes]
    return LogLikelihoods(values + best.common, best.penalty)


def _mode_model(counts: Sequence[Array], rates: Array, penalty: float) -> _JointModel:
    """Every cluster has a mode; errors are uniform over the other values."""
    tables, common = [], 0.0
    for table, rate in zip(counts, rates, strict=True):
        size = table.shape[1]
        other = float(np.log(rate / (size - 1)))
        common += other
        tables.append((np.log1p(-rate) - other) * np.eye(size)[table.argmax(axis=1)])
    return _JointModel(tables, common, penalty)


def _free_model(counts: Sequence[Array], per_parameter: float) -> _JointModel:
    """Every value has its own probability in every cluster."""
    parameters = sum(table.shape[0] * (table.shape[1] - 1) for table in counts)
    tables = [_smoothed_log_probabilities(table) for table in counts]
    return _JointModel(tables, 0.0, per_parameter * parameters)
