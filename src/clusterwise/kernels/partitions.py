"""Numbers of ways to divide objects into clusters, as logarithms."""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def log_stirling(n, k):
    """Return the logarithms of the Stirling numbers of the second kind S(0, k), …, S(n, k).

    By their recurrence S(m + 1, j) = j S(m, j) + S(m, j - 1).
    """
    row = np.full(k + 1, -np.inf)
    row[0] = 0.0
    logs = np.log(np.maximum(np.arange(k + 1), 1))
    found = np.empty(n + 1)
    found[0] = row[k]
    for m in range(1, n + 1):
        for j in range(min(m, k), 0, -1):
            first, second = logs[j] + row[j], row[j - 1]
            larger, smaller = max(first, second), min(first, second)
            if larger > -np.inf:
                larger += np.log1p(np.exp(smaller - larger))
            row[j] = larger
        row[0] = -np.inf
        found[m] = row[k]
    return found
