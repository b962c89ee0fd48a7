"""The smallest size of a cluster: as numbers of objects, within bounds, or chosen by the guard."""

from math import ceil

from clusterwise._utils.errors import InputError

# Fractions of the objects are rounded up to whole objects, but not by rounding errors: 0.07 * 100
# is 7.000000000000001.
_ROUNDING = 1e-12
# The guard against very small clusters: a cluster has at least this fraction of all objects, or
# this fraction of an average cluster if that is less, and at least two objects.
_FRACTION_OF_ALL = 0.05
_FRACTION_OF_AVERAGE = 0.25
_FEWEST = 2


def as_n_objects(size: float, n: float) -> int:
    """Return a cluster size as a whole number of objects; below 1 it is a fraction of all n."""
    objects = size * n if 0 < size < 1 else size
    return ceil(objects - _ROUNDING * abs(objects))


def least_size(min_cluster_size: float | None, count: int, n: int) -> int:
    """Return the smallest number of objects of a cluster; below 1 it is a fraction of all."""
    if min_cluster_size is None:
        return 1
    least = as_n_objects(min_cluster_size, n)
    if not 0 <= least <= n // count:
        raise InputError(
            f"min_cluster_size={min_cluster_size!r} is out of range for {count} clusters of "
            f"{n} objects; use a size from 1 to {n // count}, or a fraction below 1."
        )
    return max(1, least)


def guard_size(n: int, clusters: int) -> int:
    """Return the smallest size of a cluster that the guard accepts.

    It is 5 % of the objects, or a quarter of an average cluster if that is less, and at least 2
    (1 if there are not two objects for each cluster).
    """
    fraction = min(_FRACTION_OF_ALL, _FRACTION_OF_AVERAGE / clusters)
    return max(1, min(n // clusters, max(_FEWEST, as_n_objects(fraction, n))))
