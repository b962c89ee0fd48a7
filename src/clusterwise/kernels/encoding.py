"""Loops that encode values as integers: ranges of integers, and a hash table for other values."""

import numpy as np
from numba import uint64

from clusterwise.kernels.jit import jit

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@jit
def value_range(values):
    """Return the smallest and the largest value of a non-empty integer array."""
    low = values[0]
    high = values[0]
    for i in range(values.size):
        low = min(low, values[i])
        high = max(high, values[i])
    return low, high


@jit
def _rehash(hashes, used, capacity):
    larger = np.full(capacity, -1, np.int64)
    mask = uint64(capacity - 1)
    for code in range(used):
        slot = hashes[code] & mask
        while larger[slot] >= 0:
            slot = (slot + uint64(1)) & mask
        larger[slot] = code
    return larger


@jit
def hash_rows(rows, codes):
    """Number the distinct rows of a 2-D array of words by first appearance.

    Fills ``codes`` and returns the first object of each distinct row.
    """
    capacity = 1024
    table = np.full(capacity, -1, np.int64)
    hashes = np.empty(capacity, np.uint64)
    firsts = np.empty(capacity, np.int64)
    used = 0
    width = rows.shape[1]
    for i in range(rows.shape[0]):
        value = uint64(width)
        for word in range(width):
            value ^= uint64(rows[i, word])
            value ^= value >> uint64(32)  # words of floats differ in their upper bits only
            value *= _MULTIPLIER
            value ^= value >> uint64(29)
        mask = uint64(capacity - 1)
        slot = value & mask
        while True:
            code = table[slot]
            if code < 0:
                code = used
                table[slot] = code
                hashes[code] = value
                firsts[code] = i
                used += 1
                break
            if hashes[code] == value:
                same = True
                for word in range(width):
                    if rows[firsts[code], word] != rows[i, word]:
                        same = False
                        break
                if same:
                    break
            slot = (slot + uint64(1)) & mask
        codes[i] = code
        if 2 * used > capacity:
            capacity *= 4
            table = _rehash(hashes, used, capacity)
            more_hashes = np.empty(capacity, np.uint64)
            more_hashes[:used] = hashes[:used]
            hashes = more_hashes
            more_firsts = np.empty(capacity, np.int64)
            more_firsts[:used] = firsts[:used]
            firsts = more_firsts
    return firsts[:used].copy()
