"""The log evidence for clusters against one cluster, with the given clusters as covariates.

Without clusters, the features of an object are the sum of the effects of its given clusters and a
residual. The residuals of each feature have a normal distribution, or the values within each given
cluster have any unimodal distribution; features depend on each other as normal scores do (a
Gaussian copula). So neither skew, nor heavy tails, nor correlation, nor few distinct values are
taken for clusters.

With clusters, they are a mixture of normal distributions with a common covariance: of the residuals
themselves, of their normal scores by ranks, or of their normal scores by the unimodal distribution,
in which gaps between clusters remain.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import entr, gammaln

from clusterwise.alternatives.evidence.margins import fit_margin, group_objects, spread_ties
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import ClusterEffects
from clusterwise.alternatives.refinement.categorical import fit_categorical_model
from clusterwise.alternatives.refinement.em import m_step
from clusterwise.alternatives.refinement.label_priors import posterior_if_independent
from clusterwise.alternatives.refinement.model import MixedData, ModelData
from clusterwise.inputs.encoding import Array

# EM iterations, and the gain in evidence below which they end.
MAX_ITER = 30
_LEAST_GAIN = 0.1
# A cluster with a smaller expected size ends the iterations.
_LEAST_SIZE = 2.0
_LOG_2_PI = float(np.log(2 * np.pi))
# The seed of spread ties and of halves for cross-validation.
_SEED = 0


class _View(NamedTuple):
    """Residuals or scores of them, and the log density of the residuals relative to the scores.

    Up to a constant that is the same for all views. ``gain`` is added to it for clusters, whose
    scores have any mean and variance; those of one cluster are standard normal.
    """

    data: ModelData
    log_density: float
    gain: float = 0.0

    @property
    def numeric(self) -> Array:
        """The residuals or scores."""
        return self.data.features.numeric


class Fitted(NamedTuple):
    """Labels after a few EM iterations, the evidence for them, and the view it is for.

    ``icl`` is the integrated classification likelihood: the evidence minus the entropy of the
    clusters that objects may belong to. It chooses the number of clusters, since the evidence alone
    cuts clusters that are not normal into components that overlap.
    """

    labels: Array
    evidence: float
    icl: float
    view: int


class EvidenceModel:
    """The evidence for clusterings of the same objects, in addition to the given clusterings.

    Parameters
    ----------
    data : MixedData
        The numeric and categorical features of the objects.
    given : Given
        The given clusterings.
    """

    def __init__(self, data: MixedData, given: Given) -> None:
        self.given = given
        self._views = _list_views(data, given)
        self._found: dict[tuple[bytes, int, int | None], Fitted] = {}
        self._one_cluster = max(
            _fit_one_cluster(view.data) + view.log_density for view in self._views
        )

    def evidence(self, labels: Array) -> float:
        """Return the log evidence for the clusters minus that for one cluster.

        It is penalised by the extended BIC: for the means of the features that differ between
        clusters, and for their choice among all features.
        """
        return self.fit(labels).evidence

    def fit(self, labels: Array, *, max_iter: int = MAX_ITER, view: int | None = None) -> Fitted:
        """Return labels after a few EM iterations from these, and the evidence for the clusters.

        Of the residuals and their scores, those with the most evidence count, or those of ``view``.
        """
        key = labels.tobytes(), max_iter, view
        if key not in self._found:
            views = range(len(self._views)) if view is None else [view]
            found = [self._fit(one, labels, max_iter) for one in views]
            self._found[key] = max(found, key=lambda one: one.evidence)
        return self._found[key]

    def find_different(self, labels: Array) -> set[int]:
        """Return the numeric features whose means differ between clusters, by BIC."""
        numeric = self._views[0].numeric
        return set(_find_different(numeric, labels).tolist()) if numeric.shape[1] else set()

    def centres(self, labels: Array) -> Array:
        """Return the means of the residuals of each cluster, relative to their deviations."""
        numeric = self._views[0].numeric
        counts = np.bincount(labels)[:, None]
        if not numeric.shape[1]:
            return np.zeros((len(counts), 1))
        return np.column_stack([np.bincount(labels, column) for column in numeric.T]) / counts

    def bisect(self, rows: Array) -> Array:
        """Return 0 or 1 for some objects: the halves along the longest axis of their residuals."""
        numeric = self._views[0].numeric[rows]
        if not numeric.shape[1]:
            return np.arange(rows.size) % 2
        centred = numeric - numeric.mean(axis=0)
        _, axes = np.linalg.eigh(centred.T @ centred)
        return (centred @ axes[:, -1] > 0).astype(np.int64)

    def _fit(self, index: int, labels: Array, max_iter: int) -> Fitted:
        view = self._views[index]
        fitted = _fit_mixture(view.data, labels, max_iter)
        gain = fitted.evidence + view.log_density + view.gain - self._one_cluster
        n, width = view.numeric.shape
        clusters = int(labels.max()) + 1
        differ = 0
        if width:
            both = (_find_different(view.numeric, one).size for one in (labels, fitted.labels))
            differ = max(both)
        penalty = 0.5 * (clusters - 1) * (differ + 1) * float(np.log(n)) + _log_choices(
            width, differ
        )
        columns = view.data.features.categorical
        if columns:
            # The model has penalised their probabilities, but neither their choice nor that of the
            # modes of further clusters.
            model = fit_categorical_model(columns, self.given, np.eye(clusters)[:, labels])
            penalty += _log_choices(len(columns), len(model.of_cluster))
            penalty += (clusters - 1) * model.log_modes
        evidence = float(gain - penalty)
        return Fitted(fitted.labels, evidence, evidence - fitted.entropy, index)


def _list_views(data: MixedData, given: Given) -> list[_View]:
    """Return the residuals and, if they are not normal, three kinds of scores of them."""
    random = np.random.RandomState(_SEED)
    spread = [spread_ties(column, random) for column in data.numeric.T]
    if not spread:
        return [_View(ModelData(data, given), 0.0)]
    values = np.column_stack(spread)
    effects = ClusterEffects.fit(values, given)
    residuals = values - effects.indicators @ effects.effects
    deviations = residuals.std(axis=0)
    # Given clusters may explain a feature wholly.
    kept = deviations > 1e-9 * np.maximum(values.std(axis=0), np.finfo(float).tiny)
    residuals, values = residuals[:, kept] / deviations[kept], values[:, kept] / deviations[kept]
    found = [_View(ModelData(data._replace(numeric=residuals), given), 0.0)]
    n, width = residuals.shape
    # All residuals have the same distribution, or the values of each given cell their own.
    every = [np.arange(n)]
    for columns, groups, ranks in (
        (residuals, every, True),
        (residuals, every, False),
        (values, group_objects(given.joint), True),
    ):
        margins = [
            fit_margin(own, rest, groups, random, ranks=ranks)
            for own, rest in zip(columns.T, residuals.T, strict=True)
        ]
        if all(one.normal for one in margins):
            continue
        scores = data._replace(numeric=np.column_stack([one.scores for one in margins]))
        # The density of residuals is that of their scores, times the densities of the margins,
        # over the standard normal densities of the scores.
        log_density = sum(one.log_likelihood for one in margins)
        log_density += 0.5 * n * width * (_LOG_2_PI + 1.0)
        found.append(_View(ModelData(scores, given), log_density, sum(one.gain for one in margins)))
    return found


def _fit_one_cluster(data: ModelData) -> float:
    one = np.ones((1, data.given.codes.shape[1]))
    values, penalty = m_step(data, one)
    return posterior_if_independent(values, one).evidence - penalty


class _Mixture(NamedTuple):
    """Labels, the log evidence of the data, and the entropy of the responsibilities."""

    labels: Array
    evidence: float
    entropy: float


def _fit_mixture(data: ModelData, labels: Array, max_iter: int) -> _Mixture:
    """Return the largest evidence of a few EM iterations that begin with the labels."""
    clusters = int(labels.max()) + 1
    responsibilities = np.eye(clusters)[:, labels]
    best, last = _Mixture(labels, -np.inf, 0.0), responsibilities
    for _ in range(max_iter + 1):
        if responsibilities.sum(axis=1).min() < min(_LEAST_SIZE, labels.size / (2 * clusters)):
            break
        values, penalty = m_step(data, responsibilities)
        posterior = posterior_if_independent(values, responsibilities)
        evidence = posterior.evidence - penalty
        gain = evidence - best.evidence
        if gain > 0:
            best = _Mixture(responsibilities.argmax(axis=0), evidence, 0.0)
            last = posterior.responsibilities
        if gain < _LEAST_GAIN:
            break
        responsibilities = posterior.responsibilities
    return best._replace(entropy=float(entr(last).sum()))


def _log_choices(count: int, chosen: int) -> float:
    """Return the log number of ways to choose some of the features."""
    return float(gammaln(count + 1) - gammaln(chosen + 1) - gammaln(count - chosen + 1))


def _find_different(numeric: Array, labels: Array) -> Array:
    """Return the features whose means differ between clusters, by BIC."""
    n, counts = len(labels), np.bincount(labels)
    sums = np.column_stack([np.bincount(labels, column) for column in numeric.T])
    means = sums / np.maximum(counts, 1)[:, None]
    centred = numeric - numeric.mean(axis=0)
    between = counts @ (means - numeric.mean(axis=0)) ** 2
    explained = np.clip(between / (centred**2).sum(axis=0), 0.0, 1.0 - 1e-9)
    return np.flatnonzero(-n * np.log1p(-explained) > (counts.size - 1) * np.log(n))
