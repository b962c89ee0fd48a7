"""Loops that reduce blocks of distances to one number per column.

In row i only the columns from ``first + i`` on count, so that a block on the diagonal has each
pair once, and no object with itself.
"""

from clusterwise.kernels.jit import jit


@jit
def fold_smallest(block, first, smallest):
    """Update the smallest distance of each column."""
    for i in range(block.shape[0]):
        line = block[i]
        for j in range(max(0, first + i), line.size):
            smallest[j] = min(smallest[j], line[j])


@jit
def fold_largest(block, first, largest):
    """Update the largest distance of each column."""
    for i in range(block.shape[0]):
        line = block[i]
        for j in range(max(0, first + i), line.size):
            largest[j] = max(largest[j], line[j])


@jit
def fold_sum(block, first, sums):
    """Update the sum of each column."""
    for i in range(block.shape[0]):
        line = block[i]
        for j in range(max(0, first + i), line.size):
            sums[j] += line[j]
