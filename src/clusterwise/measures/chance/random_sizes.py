"""Random clusterings that are drawn from all, or from all with as many clusters.

Both draw uniformly from a finite set of partitions, so that the labels of the objects are
exchangeable: a clustering is random cluster sizes, and a random assignment of the objects to them.
A. J. Gates, Y.-Y. Ahn. The impact of random models on clustering similarity. JMLR 18 (2017) 1-28.
https://jmlr.org/papers/v18/17-039.html
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.threads import run_interruptibly
from clusterwise.inputs.encoding import Array
from clusterwise.kernels.partitions import log_stirling

# Probabilities and numbers of clusters below this are left out of sums.
_NEGLIGIBLE = 1e-18
# The most steps of the recurrence of Stirling numbers: some seconds.
_MOST_STEPS = 5e8


class ExpectedSizes(NamedTuple):
    """Cluster sizes, and the expected number of clusters of each size.

    ``n_labels`` is the number of labels if those of the objects are independent and uniform, which
    they are to rounding if many objects are in few clusters.
    """

    sizes: Array
    counts: Array
    n_labels: int | None = None

    def sum(self, values: Array) -> float:
        """Return the expected sum over the clusters of a function of their sizes."""
        return float(self.counts @ values)


def sizes_with_fixed_number(n: int, k: int) -> ExpectedSizes:
    """Return the expected sizes of a clustering of n objects into k clusters."""
    if k == 1:
        return ExpectedSizes(np.array([n]), np.ones(1))
    sizes = np.arange(1, n - k + 2)
    if log(k) + n * np.log1p(-1 / k) < log(_NEGLIGIBLE):
        from scipy.stats import binom

        return _frequent(ExpectedSizes(sizes, k * binom(n, 1 / k).pmf(sizes), k))
    steps = float(n) * k
    if steps > _MOST_STEPS:
        raise InputError(
            f"model='fixed_number' cannot count the clusterings of {n} objects into {k} clusters; "
            "use model='permutation'."
        )
    fewer, same = (run_interruptibly(20 * steps, log_stirling, n, j) for j in (k - 1, k))
    logs = _log_choose(n, sizes) + fewer[n - sizes] - same[n]
    return _frequent(ExpectedSizes(sizes, np.exp(logs)))


def sizes_of_all(n: int) -> ExpectedSizes:
    """Return the expected sizes of a clustering that is drawn from all of n objects.

    They are near log n.
    """
    sizes = np.arange(1, min(n, 200 + int(40 * log(n))) + 1)
    fewer = np.array([_log_bell(m) for m in (n - sizes).tolist()])
    logs = _log_choose(n, sizes) + fewer - _log_bell(n)
    return _frequent(ExpectedSizes(sizes, np.exp(logs)))


def draw_sizes_with_fixed_number(n: int, k: int, random: np.random.Generator) -> Array:
    """Draw the cluster sizes of a clustering into k clusters.

    Labels are drawn until none is missing, if that is likely. Otherwise the sizes are Poisson
    numbers above 0, drawn until they add up to n.
    """
    from scipy.special import pdtrik

    if k * (1 - 1 / k) ** n < 1:
        while True:
            sizes = random.multinomial(n, np.full(k, 1 / k))
            if sizes.all():
                return sizes
    if k == n:
        return np.ones(n, np.int64)
    rate = _truncated_rate(n / k)
    while True:
        # By inversion: the Poisson number is above 0 if the uniform one is above exp(-rate).
        uniform = random.uniform(exp(-rate), 1.0, k)
        sizes = np.maximum(np.ceil(pdtrik(uniform, rate)), 1).astype(np.int64)
        if sizes.sum() == n:
            return sizes


def draw_sizes_of_all(n: int, random: np.random.Generator) -> Array:
    """Draw the cluster sizes of a clustering from all of n objects.

    The number of labels is k with probability k^n / (k! e B(n)), and the labels are independent;
    those that no object has are left out (A. J. Stam, Journal of Combinatorial Theory A 35, 1983,
    231-240, https://doi.org/10.1016/0097-3165(83)90009-2).
    """
    numbers, logs = _log_labels(n)
    weights = np.exp(logs - logs.max())
    k = int(random.choice(numbers, p=weights / weights.sum()))
    sizes = random.multinomial(n, np.full(k, 1 / k))
    return sizes[sizes > 0]


def _frequent(found: ExpectedSizes) -> ExpectedSizes:
    kept = found.counts > _NEGLIGIBLE
    return found._replace(sizes=found.sizes[kept], counts=found.counts[kept])


def _log_choose(n: int, k: Array) -> Array:
    from scipy.special import gammaln

    found: Array = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return found


def _log_labels(n: int) -> tuple[Array, Array]:
    """Return numbers of labels k, and log(k^n / k!), which is not negligible near k log k = n."""
    from scipy.special import gammaln, lambertw

    centre = float(np.exp(lambertw(n).real))
    width = 20 * (centre + 10) ** 0.5
    numbers = np.arange(max(1, int(centre - width)), int(centre + width) + 2)
    return numbers, n * np.log(numbers) - gammaln(numbers + 1.0)


def _log_bell(n: int) -> float:
    """Return the logarithm of a Bell number, by Dobinski's sum of k^n / (k! e)."""
    if n == 0:
        return 0.0
    _, logs = _log_labels(n)
    largest = float(logs.max())
    return largest + log(np.exp(logs - largest).sum()) - 1.0


def _truncated_rate(mean: float) -> float:
    """Return the rate of a Poisson distribution whose numbers above 0 have this mean above 1."""
    from scipy.optimize import brentq

    found: float = brentq(lambda rate: rate / -np.expm1(-rate) - mean, 1e-12, mean)
    return found
