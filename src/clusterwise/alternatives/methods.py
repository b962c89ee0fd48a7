"""The methods of :func:`cluster_again` by name, and limits that the command shares.

This module imports nothing heavy: the command lists the names in its help.
"""

from typing import Literal, get_args

Method = Literal[
    "auto",
    "cib",
    "coala",
    "coalacat",
    "condens",
    "maximus",
    "metaclusterer",
    "mincentropy",
    "naive",
    "orthogonal",
]
METHODS: tuple[str, ...] = get_args(Method)

# The estimator of each method but "auto".
ESTIMATORS = {
    "cib": "CIB",
    "coala": "COALA",
    "coalacat": "COALACat",
    "condens": "CondEns",
    "maximus": "MAXIMUS",
    "metaclusterer": "MetaClusterer",
    "mincentropy": "MinCEntropy",
    "naive": "NaiveAlternative",
    "orthogonal": "OrthogonalAlternative",
}

# With more objects than this, nothing is computed whose time grows with the square of their number
# if it can be avoided: COALA clusters prototypes, and Dunn's index uses centroids.
MANY_OBJECTS = 10_000
PROTOTYPES = 1_000


# Features are scaled for these metrics. Others do not depend on units, or depend on where 0 is.
SCALED_METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev")


def choose_dunn(n: int) -> Literal["dunn", "dunn_centroids"]:
    """Return the form of Dunn's index for this number of objects."""
    return "dunn" if n <= MANY_OBJECTS else "dunn_centroids"
