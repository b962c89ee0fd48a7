"""Priors on the new × given label table: independent, uniform, balanced design.

In a balanced design every combination of clusters occurs as often as their sizes imply, as with the
same number of images of each person in each pose. Where objects are ambiguous, the design is
informative about their labels. Responsibilities are averaged over all priors, weighted by the
evidence of the data under each (Bayesian model averaging). The sizes of the given clusters are
evidence as well: in many designs they are equal.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from clusterwise.inputs.encoding import Array

# The variance of a cell of a design around its expected size, which need not be an integer.
_CELL_VARIANCE = 0.5
# Designs are considered only with at least this many objects per cell on average.
_LEAST_PER_CELL = 5
_MAX_NEWTON_STEPS = 60
_TOLERANCE = 1e-6


class Posterior(NamedTuple):
    """Responsibilities, K × n, and the log evidence of all objects under a label prior."""

    responsibilities: Array
    evidence: float

    def plus(self, evidence: float) -> "Posterior":
        """Return the same with a term added to the evidence."""
        return self._replace(evidence=self.evidence + evidence)


def average_over_priors(values: Array, joint: Array, responsibilities: Array) -> Array:
    """Return the responsibilities averaged over all label priors (the E-step).

    ``values`` are the log-likelihoods of objects in clusters, K × n; ``joint`` has the cell of
    the given clusterings that each object is in, and ``responsibilities`` are the current ones.
    """
    total, averaged = -np.inf, np.zeros_like(values)
    for posterior in _list_posteriors(values, joint, responsibilities):
        before, total = total, float(np.logaddexp(total, posterior.evidence))
        averaged *= np.exp(before - total)
        averaged += posterior.responsibilities * np.exp(posterior.evidence - total)
    return averaged


def _list_posteriors(values: Array, joint: Array, responsibilities: Array) -> Iterator[Posterior]:
    """Yield the posteriors under each prior, one by one since each is as large as the values."""
    independent = posterior_if_independent(values, responsibilities)
    proportions = independent.responsibilities.mean(axis=1)
    sizes = np.bincount(joint)
    enough = joint.size >= _LEAST_PER_CELL * sizes.size * len(values)
    if enough:
        # Dependence on the given clusters adds evidence, but must not make the alternative more
        # similar to them: it keeps the responsibilities of the independent prior.
        evidence = np.logaddexp(
            independent.evidence, _evidence_if_dependent(values, joint, responsibilities)
        )
        independent = independent._replace(evidence=float(evidence))
    yield independent
    yield _posterior_if_uniform(values).plus(_log_odds_of_sizes(_log_multinomial(sizes), sizes))
    if enough:
        equal = np.full(len(values), 1.0 / len(values))
        odds = _log_odds_of_sizes(_log_equal_sizes(sizes), sizes)
        yield posterior_in_design(values, joint, equal).plus(odds)
        # Cell sizes have a small variance, so that they are more informative (BIC).
        information = float((sizes.astype(float) ** 2).sum()) / _CELL_VARIANCE
        yield posterior_in_design(values, joint, proportions).plus(
            -_penalty_of_proportions(values, information)
        )


def _log_odds_of_sizes(log_probability: float, sizes: Array) -> float:
    """Return the evidence of the given cluster sizes for a prior with this log probability.

    Relative to all compositions being equally likely. It is at least log(1/2): the new clusters may
    be of equal size, at random or by design, even if the given ones are not.
    """
    n, count = int(sizes.sum()), sizes.size
    uniform = gammaln(n + 1) + gammaln(count) - gammaln(n + count)
    return float(np.logaddexp(0.0, log_probability - uniform) - np.log(2.0))


def _log_multinomial(sizes: Array) -> float:
    """Return the log probability of sizes if every object draws a cluster uniformly."""
    n = int(sizes.sum())
    return float(gammaln(n + 1) - gammaln(sizes + 1).sum() - n * np.log(sizes.size))


def _log_equal_sizes(sizes: Array) -> float:
    """Return the log density of sizes if they are equal by design."""
    deviations = sizes - sizes.mean()
    volume = (sizes.size - 1) * np.log(2 * np.pi * _CELL_VARIANCE) - np.log(sizes.size)
    return -0.5 * float(deviations @ deviations / _CELL_VARIANCE + volume)


def posterior_if_independent(values: Array, responsibilities: Array) -> Posterior:
    """Labels independent of the given clusters, in the proportions of the responsibilities."""
    posterior = _normalise(values, np.log(responsibilities.mean(axis=1))[:, None])
    return posterior.plus(-_penalty_of_proportions(values, values.shape[1]))


def _posterior_if_uniform(values: Array) -> Posterior:
    """Labels independent of the given clusters, all clusters equally likely."""
    return _normalise(values, np.full((len(values), 1), -np.log(len(values))))


def _evidence_if_dependent(values: Array, joint: Array, responsibilities: Array) -> float:
    """Return the evidence if the proportions depend on the given clusters."""
    table = np.stack([np.bincount(joint, each) for each in responsibilities])
    sizes = np.bincount(joint)
    with np.errstate(divide="ignore"):
        log_proportions = np.log(table / sizes)
    penalty = 0.5 * (len(values) - 1) * float(np.log(sizes).sum())
    return _normalise(values, np.take(log_proportions, joint, axis=1)).evidence - penalty


def _penalty_of_proportions(values: Array, information: float) -> float:
    """Return the BIC penalty of the K - 1 proportions, with this information about each."""
    return 0.5 * (len(values) - 1) * float(np.log(information))


def posterior_in_design(values: Array, joint: Array, proportions: Array) -> Posterior:
    """Labels in a balanced design: clusters have these proportions in every given cell."""
    found = Posterior(np.empty_like(values), 0.0)
    for cell in range(int(joint.max()) + 1):
        here = np.flatnonzero(joint == cell)
        part = posterior_with_sizes(np.take(values, here, axis=1), here.size * proportions)
        found.responsibilities[:, here] = part.responsibilities
        found = Posterior(found.responsibilities, found.evidence + part.evidence)
    return found


def posterior_with_sizes(values: Array, sizes: Array) -> Posterior:
    """Labels with about these cluster sizes, by a saddle-point approximation.

    Multipliers on clusters make the expected sizes equal to these. The responsibilities over all
    labels with these sizes, and the evidence, follow from the saddle point.
    """
    tilted, multipliers = find_multipliers(values, sizes)
    # The sizes add up to n, so that the first one follows from the others.
    contrast = np.eye(sizes.size)[1:] - 1.0 / sizes.size
    covariance = contrast @ _size_covariance(tilted.responsibilities) @ contrast.T
    _, volume = np.linalg.slogdet(2 * np.pi * covariance)
    arrangements = gammaln(sizes.sum() + 1) - gammaln(sizes + 1).sum()
    evidence = _objective(tilted, multipliers, sizes) - 0.5 * float(volume) - float(arrangements)
    return Posterior(tilted.responsibilities, evidence)


def find_multipliers(values: Array, sizes: Array) -> tuple[Posterior, Array]:
    """Minimise the convex dual objective by Newton's method with step halving."""
    multipliers = np.zeros(sizes.size)
    here = _normalise(values, multipliers[:, None])
    for _ in range(_MAX_NEWTON_STEPS):
        gradient = here.responsibilities.sum(axis=1) - sizes + _CELL_VARIANCE * multipliers
        if np.abs(gradient).max() <= _TOLERANCE:
            break
        step = np.linalg.solve(_size_covariance(here.responsibilities), gradient)
        value = _objective(here, multipliers, sizes)
        while True:
            there = _normalise(values, (multipliers - step)[:, None])
            decreased = _objective(there, multipliers - step, sizes) <= value
            if decreased or np.abs(step).max() <= _TOLERANCE:
                break
            step /= 2
        here, multipliers = there, multipliers - step
    return here, multipliers


def _objective(posterior: Posterior, multipliers: Array, sizes: Array) -> float:
    """Return the dual objective of the multipliers."""
    quadratic = 0.5 * _CELL_VARIANCE * float(multipliers @ multipliers)
    return posterior.evidence - float(sizes @ multipliers) + quadratic


def _size_covariance(responsibilities: Array) -> Array:
    """Return the covariance of cluster sizes if objects draw their clusters independently."""
    variances = np.diag(responsibilities.sum(axis=1) + _CELL_VARIANCE)
    return variances - responsibilities @ responsibilities.T


def _normalise(values: Array, log_weights: Array) -> Posterior:
    """Return the posterior of independent objects with these log prior weights."""
    responsibilities = values + log_weights
    top = responsibilities.max(axis=0)
    responsibilities -= top
    np.exp(responsibilities, out=responsibilities)
    total = responsibilities.sum(axis=0)
    responsibilities /= total
    return Posterior(responsibilities, float(np.log(total).sum() + top.sum()))
