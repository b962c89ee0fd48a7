"""The tail of the Pearson type III distribution, a shifted gamma distribution with three moments.

P. W. Mielke, K. J. Berry. Permutation Methods: A Distance Function Approach. Springer (2007).
https://doi.org/10.1007/978-0-387-69813-7
"""

import numpy as np

# Below this skewness the distribution is normal to rounding.
_SYMMETRIC = 1e-4


def upper_tail(z: float, skewness: float) -> float:
    """Return the probability of a standardised value of at least z."""
    from scipy.special import gammainc, gammaincc, ndtr

    if not np.isfinite(z):
        return 0.0 if z > 0 else 1.0
    if abs(skewness) < _SYMMETRIC:
        return float(ndtr(-z))
    shape = 4.0 / skewness**2
    if skewness > 0:
        return float(gammaincc(shape, max(0.0, shape + z * shape**0.5)))
    return float(gammainc(shape, max(0.0, shape - z * shape**0.5)))
