"""Loops over pairs of objects: blocks of distances, and a square matrix filled from them.

``transposed`` has a row per feature, so that the inner loops run over objects and are
vectorised.
"""

import numpy as np

from clusterwise.kernels.jit import jit

# Objects whose features stay in the first-level cache while the rows of a block are read.
CHUNK = 512
# Side of the squares that are transposed when both triangles of a matrix are written.
SQUARE = 16


@jit
def euclidean(x, transposed, start, stop, out):
    """Compute the distances of the rows of x to the columns start…stop of ``transposed``.

    Squares are added feature by feature, never as |x|² + |y|² - 2xy, which cancels: equal
    differences have equal distances, and equal objects have distance 0.
    """
    features = transposed.shape[0]
    fours = features - features % 4
    for at in range(start, stop, CHUNK):
        end = min(at + CHUNK, stop)
        for i in range(x.shape[0]):
            line = out[i, at - start : end - start]
            line[:] = 0.0
            for r in range(0, fours, 4):
                a, b, c, d = x[i, r], x[i, r + 1], x[i, r + 2], x[i, r + 3]
                first, second = transposed[r, at:end], transposed[r + 1, at:end]
                third, fourth = transposed[r + 2, at:end], transposed[r + 3, at:end]
                for j in range(line.size):
                    total = line[j] + (a - first[j]) ** 2
                    total += (b - second[j]) ** 2
                    total += (c - third[j]) ** 2
                    line[j] = total + (d - fourth[j]) ** 2
            for r in range(fours, features):
                a, first = x[i, r], transposed[r, at:end]
                for j in range(line.size):
                    line[j] += (a - first[j]) ** 2
            for j in range(line.size):
                line[j] = np.sqrt(line[j])


@jit
def gower(numeric, codes, other_numeric, other_codes, ranges, out):
    """Compute Gower's distances; all tables have a row per feature and a column per object.

    Missing numeric values are NaN, missing codes negative.
    """
    common = np.empty(out.shape[1])
    for i in range(out.shape[0]):
        line = out[i]
        line[:] = 0.0
        common[:] = 0.0
        for r in range(numeric.shape[0]):
            value, others, span = numeric[r, i], other_numeric[r], ranges[r]
            if value != value:
                continue
            for j in range(line.size):
                difference = abs(value - others[j]) / span
                known = difference == difference
                line[j] += difference if known else 0.0
                common[j] += 1.0 if known else 0.0
        for r in range(codes.shape[0]):
            code, other = codes[r, i], other_codes[r]
            if code < 0:
                continue
            for j in range(line.size):
                known = other[j] >= 0
                line[j] += 1.0 if known and other[j] != code else 0.0
                common[j] += 1.0 if known else 0.0
        for j in range(line.size):
            line[j] = line[j] / common[j] if common[j] > 0.0 else 1.0


@jit
def write_block(block, top, left, out):
    """Write a block of distances into a square matrix, and its mirror image.

    The block lies on or above the diagonal; on the diagonal only its upper triangle counts.
    """
    height, width = block.shape
    for i in range(height):
        for j in range(width):
            out[top + i, left + j] = block[i, j]
    for column in range(0, width, SQUARE):
        for row in range(0, height, SQUARE):
            for j in range(column, min(column + SQUARE, width)):
                for i in range(row, min(row + SQUARE, height, left + j - top)):
                    out[left + j, top + i] = block[i, j]
