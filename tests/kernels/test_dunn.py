"""Reductions of blocks of distances, against plain Python; also run with NUMBA_DISABLE_JIT=1."""

import math

import numpy as np
import pytest

from clusterwise.kernels.dunn import fold_largest, fold_smallest, fold_sum


@pytest.mark.parametrize("first", [-7, 0, 2, 9])
@pytest.mark.parametrize(
    ("kernel", "fold", "start"),
    [(fold_smallest, min, math.inf), (fold_largest, max, 0.0), (fold_sum, None, 0.25)],
    ids=["smallest", "largest", "sum"],
)
def test_folds(kernel, fold, start, first):
    block = np.random.default_rng(0).random((5, 7))
    folded = np.full(7, start)
    kernel(block, first, folded)
    for j in range(7):
        value = start
        for i in range(5):
            if j >= first + i:
                value = value + block[i, j] if fold is None else fold(value, block[i, j])
        assert folded[j] == value
