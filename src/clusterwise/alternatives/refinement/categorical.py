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
from clusterwise.alternatives.refinement.model import LogLikelihoods, count_values
from clusterwise.inputs.encoding import Array

# The pseudocount of each value.
_PSEUDOCOUNT = 0.5


def fit_categorical(
    columns: Sequence[Array], given: Given, responsibilities: Array
) -> LogLikelihoods:
    """Fit the model to responsibilities, K × n; ``columns`` are the codes of each feature."""
    model = fit_categorical_model(columns, given, responsibilities)
    return model.log_likelihoods(columns, given.joint)


def fit_categorical_model(
    columns: Sequence[Array],
    given: Given,
    responsibilities: Array,
    n_values: Sequence[int] | None = None,
) -> "CategoricalModel":
    """Fit the model to responsibilities, K × n, and return its distributions.

    ``n_values`` are the numbers of values of the features, which may be more than occur.
    """
    found: dict[int, _Distribution] = {}
    of_cluster: dict[int, Array] = {}
    sizes = count_values(columns) if n_values is None else n_values
    for feature, (codes, values) in enumerate(zip(columns, sizes, strict=True)):
        model = _choose_dependence(codes, values, given.joint, responsibilities)
        # If there is one cluster, all but those of the given cells: it has the same models as more.
        cells, own, size = model.counts.shape
        if cells == 1 and own == len(responsibilities) and size > 1:
            of_cluster[feature] = model.counts[0]
        else:
            found[feature] = model
    joint = None
    if of_cluster:
        joint = _fit_jointly(list(of_cluster.values()), len(columns[0]))
    return CategoricalModel(len(responsibilities), found, list(of_cluster), joint)


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

    def log_likelihoods(self, codes: Array, joint: Array) -> LogLikelihoods:
        """Return the log-likelihood of each object's value in each cluster.

        Objects of a cell that the model was not fitted to (-1) have the distribution of all cells.
        """
        logs = self.log_probabilities
        if len(logs) == 1:
            return LogLikelihoods(logs[0][:, codes], self.penalty)
        if (joint < 0).any():
            every = _smoothed_log_probabilities(self.counts.sum(axis=0, keepdims=True))
            logs = np.concatenate([logs, every])
        return LogLikelihoods(logs[joint, :, codes].T, self.penalty)


def _choose_dependence(
    codes: Array, size: int, joint: Array, responsibilities: Array
) -> _Distribution:
    """Return the distribution with the least BIC.

    A dependence on the given clusters is considered only if cells have enough objects.
    """
    n, cells = codes.size, int(joint.max()) + 1
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
    has_modes: bool


class CategoricalModel(NamedTuple):
    """The distributions of all categorical features.

    ``separate`` are those of features that may depend on given cells, by their index;
    ``joint_model`` is that of the features ``of_cluster``.
    """

    clusters: int
    separate: dict[int, _Distribution]
    of_cluster: list[int]
    joint_model: _JointModel | None

    @property
    def log_modes(self) -> float:
        """The log number of modes that a cluster may have, 0 if every value has a probability."""
        if self.joint_model is None or not self.joint_model.has_modes:
            return 0.0
        return float(sum(np.log(table.shape[1]) for table in self.joint_model.tables))

    def log_likelihoods(self, columns: Sequence[Array], joint: Array) -> LogLikelihoods:
        """Return the log-likelihoods of objects in clusters; ``joint`` are their given cells."""
        found = LogLikelihoods(np.zeros((self.clusters, joint.size)), 0.0)
        for feature, distribution in self.separate.items():
            found = found.plus(distribution.log_likelihoods(columns[feature], joint))
        if self.joint_model is None:
            return found
        values = np.zeros((self.clusters, joint.size))
        for feature, table in zip(self.of_cluster, self.joint_model.tables, strict=True):
            values += table[:, columns[feature]]
        return found.plus(
            LogLikelihoods(values + self.joint_model.common, self.joint_model.penalty)
        )


def _fit_jointly(counts: Sequence[Array], n: int) -> _JointModel:
    """Fit the features that depend on the new cluster alone, all by one model chosen by BIC.

    For each feature there are the expected counts of clusters × values. The models are: a mode
    per cluster with one error rate for all features, with one error rate per feature, and a
    distribution per cluster and feature.
    """
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

    return min(models, key=cost)


def _mode_model(counts: Sequence[Array], rates: Array, penalty: float) -> _JointModel:
    """Every cluster has a mode; errors are uniform over the other values."""
    tables, common = [], 0.0
    for table, rate in zip(counts, rates, strict=True):
        size = table.shape[1]
        other = float(np.log(rate / (size - 1)))
        common += other
        tables.append((np.log1p(-rate) - other) * np.eye(size)[table.argmax(axis=1)])
    return _JointModel(tables, common, penalty, has_modes=True)


def _free_model(counts: Sequence[Array], per_parameter: float) -> _JointModel:
    """Every value has its own probability in every cluster."""
    parameters = sum(table.shape[0] * (table.shape[1] - 1) for table in counts)
    tables = [_smoothed_log_probabilities(table) for table in counts]
    return _JointModel(tables, 0.0, per_parameter * parameters, has_modes=False)
