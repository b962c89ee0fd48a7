"""Loops over the labels of an ensemble: codes of a byte, packed bits, overlaps and votes."""

import numpy as np
from numba import int64, uint32, uint64

from clusterwise.kernels.jit import jit

# The number of codes that fit in one word, one bit for each.
FEW = 64
# The number of objects whose labels are transposed at once; rows of words are padded to it.
BLOCK = 64
# Words of each row of bits that stay in the cache while overlaps are counted.
_STRETCH = 4096
# Objects whose codes stay in the cache while all clusterings are read.
_OBJECTS = 256

_EACH = np.uint64(0x0101010101010101)
_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH = np.uint64(0x8080808080808080)
_GATHER = np.uint64(0x0102040810204080)
_HALVES = np.uint64(0x00000000FFFFFFFF)
_QUARTERS = np.uint64(0x0000FFFF0000FFFF)
_EIGHTHS = np.uint64(0x00FF00FF00FF00FF)
_TWOS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


@jit
def _narrow_rows(labels, lows, start, end, bytes_, masks, spread):
    """Write rows of labels as bytes; collect the values as bits, and the OR of all values."""
    for i in range(start, end):
        for j in range(labels.shape[1]):
            value = uint64(labels[i, j]) - lows[j]
            spread[j] |= value
            masks[j] |= uint64(1) << (value & uint64(63))
            bytes_[i - start, j] = np.uint8(value)


@jit
def _swap(words, a, b, shift, mask):
    x = words[a]
    y = words[b]
    moved = ((x >> shift) ^ y) & mask
    words[b] = y ^ moved
    words[a] = x ^ (moved << shift)


@jit
def narrow_rows(labels, lows, eights, masks, spread):
    """Write labels (n × m) minus the lowest of their column as bytes (m × n), eight in a word.

    ``lows`` may be guessed from a sample, so that one pass is enough: the guess was right if
    ``spread`` stays below 64.
    """
    n, m = labels.shape
    wide = (m + 7) // 8
    rows = np.zeros((BLOCK, 8 * wide), np.uint8)
    row_words = rows.view(np.uint64)
    words = np.empty(8, np.uint64)
    for start in range(0, n, BLOCK):
        _narrow_rows(labels, lows, start, min(start + BLOCK, n), rows, masks, spread)
        for q in range(wide):
            for b in range(8):
                for t in range(8):
                    words[t] = row_words[8 * b + t, q]
                # Eight words of eight bytes: rows become columns.
                for t in range(4):
                    _swap(words, t, t + 4, uint64(32), _HALVES)
                for t in range(2):
                    _swap(words, t, t + 2, uint64(16), _QUARTERS)
                    _swap(words, t + 4, t + 6, uint64(16), _QUARTERS)
                for t in range(0, 8, 2):
                    _swap(words, t, t + 1, uint64(8), _EIGHTHS)
                for t in range(8):
                    if 8 * q + t < m:
                        eights[8 * q + t, start // 8 + b] = words[t]


@jit
def narrow_column(labels, low, codes):
    """Write the labels of one clustering as bytes; return the values as bits, and their OR."""
    mask = uint64(0)
    spread = uint64(0)
    for i in range(labels.size):
        value = uint64(labels[i]) - low
        spread |= value
        mask |= uint64(1) << (value & uint64(63))
        codes[i] = np.uint8(value)
    return mask, spread


@jit
def pack_bits(eights, words):
    """Write a bit for each object and code 0, 1, …, from codes of a byte, eight in a word."""
    for code in range(words.shape[0]):
        pattern = uint64(code) * _EACH
        for w in range(words.shape[1]):
            word = uint64(0)
            for b in range(8):
                other = eights[8 * w + b] ^ pattern
                # The high bit of every byte that is zero: the objects with this code.
                equal = ~(((other & _SEVEN) + _SEVEN) | other) & _HIGH
                word |= (((equal >> uint64(7)) * _GATHER) >> uint64(56)) << uint64(8 * b)
            words[code, w] = word


@jit
def count_ones(word):
    """Return the number of bits that are set; compiles to the processor's own instruction."""
    word = word - ((word >> uint64(1)) & _TWOS)
    word = (word & _FOURS) + ((word >> uint64(2)) & _FOURS)
    word = (word + (word >> uint64(4))) & _NIBBLES
    return (word * _EACH) >> uint64(56)


@jit
def _count_both(ours, theirs):
    total = uint64(0)
    for w in range(ours.size):
        total += count_ones(ours[w] & theirs[w])
    return int64(total)


@jit
def count_bits(ours, theirs, table):
    """Count the objects that each cluster of ours shares with each of theirs, by AND and popcount.

    Theirs, which are many, are read from memory once; a stretch of ours stays in the cache.
    """
    for start in range(0, ours.shape[1], _STRETCH):
        end = min(start + _STRETCH, ours.shape[1])
        for c in range(theirs.shape[0]):
            for k in range(ours.shape[0]):
                table[k, c] += _count_both(ours[k, start:end], theirs[c, start:end])


@jit
def count_label_pairs(labels, codes, counts):
    """Count objects by label (rows) and code (columns); -1 is missing.

    The first row and the first column of ``counts`` are for missing ones. Two tables are used
    alternately, because consecutive additions to the same cell would wait for each other.
    """
    width = uint64(counts.shape[2])
    first = counts[0].ravel()
    second = counts[1].ravel()
    one = uint64(1)
    n = uint64(labels.size)
    even = n - n % uint64(2)
    for i in range(uint64(0), even, uint64(2)):
        first[uint64(labels[i] + 1) * width + uint64(codes[i] + 1)] += uint32(1)
        second[uint64(labels[i + one] + 1) * width + uint64(codes[i + one] + 1)] += uint32(1)
    if even < n:
        first[uint64(labels[even] + 1) * width + uint64(codes[even] + 1)] += uint32(1)


@jit
def add_label_pairs(labels, codes, weights, sums):
    """Add the weights of objects by label and code."""
    for i in range(labels.size):
        sums[labels[i] + 1, codes[i] + 1] += weights[i]


@jit
def count_raw_labels(positions, labels, lows, capacity, counts):
    """Count objects by position and value in each column of raw labels (n × m), in one pass.

    ``counts`` has ``capacity`` cells, a power of two, for each column. Returns the OR of all
    values; the counts are complete if it is below ``capacity``.
    """
    spread = uint64(0)
    inside = uint64(capacity - 1)
    for i in range(labels.shape[0]):
        row = counts[positions[i]]
        for j in range(uint64(labels.shape[1])):
            value = uint64(labels[i, j]) - lows[j]
            spread |= value
            row[j * uint64(capacity) + (value & inside)] += uint32(1)
    return spread


@jit
def count_cluster_overlaps(codes, first, weights, start, stop, overlaps):
    """Count the objects start…stop that any two clusters of an ensemble share.

    ``first`` is the index of the first cluster of each clustering. The counts are added to the
    lower triangle of ``overlaps`` (clusters × clusters).
    """
    m = codes.shape[0]
    known = np.empty((_OBJECTS, m), np.int64)
    many = np.empty(_OBJECTS, np.int64)
    for begin in range(start, stop, _OBJECTS):
        size = min(_OBJECTS, stop - begin)
        many[:size] = 0
        for i in range(m):
            for x in range(size):
                code = codes[i, begin + x]
                if code >= 0:
                    known[x, many[x]] = first[i] + code
                    many[x] += 1
        for x in range(size):
            weight = weights[begin + x]
            for i in range(many[x]):
                row = known[x, i]
                for j in range(i + 1):
                    overlaps[row, known[x, j]] += weight


@jit
def sum_squared_overlaps(labels, one, size, sums):
    """Sum the squared cells of the contingency tables of clustering ``one`` and each later one.

    ``labels`` is m × n, with labels 0 … ``size`` - 1; both triangles of ``sums`` are filled.
    """
    m, n = labels.shape
    table = np.zeros(size * size, np.uint32)
    for other in range(one, m):
        for i in range(n):
            table[uint64(labels[one, i]) * uint64(size) + uint64(labels[other, i])] += uint32(1)
        total = int64(0)
        if table.size <= n:
            for cell in range(table.size):
                total += int64(table[cell]) * int64(table[cell])
                table[cell] = uint32(0)
        else:
            # Most cells are empty: visit and clear only the others.
            for i in range(n):
                cell = uint64(labels[one, i]) * uint64(size) + uint64(labels[other, i])
                total += int64(table[cell]) * int64(table[cell])
                table[cell] = uint32(0)
        sums[one, other] = total
        sums[other, one] = total


@jit
def count_votes(codes, first, joins, weights, votes):
    """Add the votes of every clustering to ``votes`` (objects × clusters).

    ``joins`` is the cluster that each cluster of the ensemble votes for.
    """
    m, n = codes.shape
    for begin in range(0, n, _OBJECTS):
        end = min(begin + _OBJECTS, n)
        for i in range(m):
            for x in range(begin, end):
                code = codes[i, x]
                if code >= 0:
                    votes[x, joins[first[i] + code]] += weights[first[i] + code]
