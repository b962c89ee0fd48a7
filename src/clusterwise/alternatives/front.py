"""Pareto fronts: what is best if several things count."""

import numpy as np

from clusterwise.inputs.encoding import Array


def pareto_front(values: Array) -> Array:
    """Places of the rows on the front: no other is as good in all columns and better in one.

    Rows with equal values are all on the front, or none is.
    """
    no_worse = (values[:, None] >= values).all(axis=2)
    better = (values[:, None] > values).any(axis=2)
    return np.flatnonzero(~(no_worse & better).any(axis=0))
