"""The unimodal density that fits frequencies best, used by the evidence for alternatives."""

import numpy as np

from clusterwise.kernels.jit import jit


@jit
def _pool(frequencies, widths, start, step, count, heights, block_widths, block_sizes):
    """Find the best increasing heights of ``count`` intervals, by pooling adjacent violators.

    The intervals begin at ``start`` and go on by ``step``. The heights of blocks of equal height,
    their widths and numbers of intervals are written to the last three arrays. Returns the number
    of blocks.
    """
    blocks = 0
    for i in range(count):
        at = start + i * step
        mass, width, size = frequencies[at] * widths[at], widths[at], 1
        while blocks > 0 and heights[blocks - 1] * width >= mass:
            blocks -= 1
            mass += heights[blocks] * block_widths[blocks]
            width += block_widths[blocks]
            size += block_sizes[blocks]
        heights[blocks] = mass / width
        block_widths[blocks] = width
        block_sizes[blocks] = size
        blocks += 1
    return blocks


@jit
def fit_unimodal(frequencies, widths, out):
    """Write the unimodal heights of largest likelihood to ``out``.

    Heights increase up to the mode and decrease after it, each side by isotonic regression of the
    frequencies (densities in intervals of equal probability) weighted by the widths. The interval
    of the mode belongs to both sides and gets the larger height; heights are scaled to a total
    probability of 1.
    """
    size = frequencies.size
    heights, block_widths = np.empty(size), np.empty(size)
    block_sizes = np.empty(size, np.int64)
    trial = np.empty(size)
    best = -np.inf
    for mode in range(size):
        blocks = _pool(frequencies, widths, 0, 1, mode + 1, heights, block_widths, block_sizes)
        at = 0
        for block in range(blocks):
            for _ in range(block_sizes[block]):
                trial[at] = heights[block]
                at += 1
        top = trial[mode]
        blocks = _pool(
            frequencies, widths, size - 1, -1, size - mode, heights, block_widths, block_sizes
        )
        at = size - 1
        for block in range(blocks):
            for _ in range(block_sizes[block]):
                trial[at] = heights[block]
                at -= 1
        trial[mode] = max(trial[mode], top)
        total, log_sum = 0.0, 0.0
        for i in range(size):
            total += trial[i] * widths[i]
            log_sum += np.log(trial[i])
        log_sum -= size * np.log(total)
        if log_sum > best:
            best = log_sum
            for i in range(size):
                out[i] = trial[i] / total
