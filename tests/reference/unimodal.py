"""Unimodal densities by isotonic regressions for every mode."""

from math import log

import numpy as np
from scipy.optimize import isotonic_regression


def unimodal_by_definition(frequencies, widths):
    """Heights of largest likelihood; the interval of the mode belongs to both sides."""
    found = []
    for mode in range(len(frequencies)):
        up, down = slice(mode + 1), slice(mode, None)
        left = isotonic_regression(frequencies[up], weights=widths[up]).x
        right = isotonic_regression(frequencies[down], weights=widths[down], increasing=False).x
        heights = np.concatenate([left[:-1], [max(left[-1], right[0])], right[1:]])
        found.append(heights / (heights @ widths))
    return max(found, key=lambda heights: sum(map(log, heights)))


def largest_likelihood(frequencies, widths):
    """The largest log-likelihood of all unimodal densities, by the last interval that increases."""
    found = []
    for split in range(len(frequencies) + 1):
        up, down = slice(split), slice(split, None)
        heights = []
        if split:
            heights += isotonic_regression(frequencies[up], weights=widths[up]).x.tolist()
        if split < len(frequencies):
            right = isotonic_regression(frequencies[down], weights=widths[down], increasing=False).x
            heights += right.tolist()
        heights = np.array(heights)
        # Left and right increase and decrease on their own: one of both ends is the mode.
        found.append(sum(map(log, heights / (heights @ widths))))
    return max(found)
