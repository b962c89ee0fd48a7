"""Equal objects, which no method can tell apart: how many distinct ones there are."""

from collections.abc import Iterable, Iterator

import numpy as np

from clusterwise._utils.warnings import warn_user
from clusterwise.inputs.distances import Distances
from clusterwise.inputs.encoding import Array

# The number of values that are compared at a time.
_BLOCK = 1 << 16


def warn_of_equal_objects(found: int, n_clusters: int, *, compared_by: str = "") -> None:
    """Warn if there are fewer distinct objects than clusters.

    ``compared_by`` says by what the objects are compared, if not by the features.
    """
    by = compared_by and f" by {compared_by}"
    if found >= n_clusters:
        return
    if found == 1:
        message = (
            f"all objects of X are equal{by}, so that clusters are arbitrary; pass features that "
            "vary."
        )
    else:
        message = (
            f"X has {found} distinct objects{by} for {n_clusters} clusters, so that equal objects "
            f"are split or clusters are missing; use n_clusters={found} or less."
        )
    warn_user(message)


def count_distinct(rows: Iterable[bytes], enough: int) -> int:
    """Return the number of distinct rows, or ``enough`` if there are as many."""
    seen = set()
    for row in rows:
        seen.add(row)
        if len(seen) >= enough:
            break
    return len(seen)


def rows_of(matrix: Array) -> Iterator[bytes]:
    """Return the rows of a matrix; two of them are equal if their numbers are."""
    step = max(1, _BLOCK // max(1, matrix.shape[1]))
    for start in range(0, len(matrix), step):
        # There are two zeros, of which addition leaves one.
        for row in np.ascontiguousarray(matrix[start : start + step]) + 0:
            yield row.tobytes()


def count_apart(distances: Distances, enough: int) -> int:
    """Return the number of objects with distances above 0, or ``enough`` if there are as many."""
    left = np.arange(distances.n)
    found = 0
    while left.size and found < enough:
        left = left[distances.between(left[:1], left)[0] > 0]
        found += 1
    return found
