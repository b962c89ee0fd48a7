"""The sums of large matrices need little memory of their own."""

import tracemalloc

import numpy as np

from clusterwise import SoftOverlap


def test_no_large_temporary():
    """A million objects, ten clusters each: the matrices are 160 MB, the sums need little."""
    rng = np.random.default_rng(2)
    a, b = (rng.random((1_000_000, 10), np.float32) for _ in range(2))
    a /= a.sum(axis=1, keepdims=True)
    b /= b.sum(axis=1, keepdims=True)
    SoftOverlap.from_memberships(a[:100], b[:100])
    tracemalloc.start()
    try:
        overlap = SoftOverlap.from_memberships(a, b)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert overlap.n == 1_000_000
    assert peak < 1 << 26
