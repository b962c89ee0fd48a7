"""Contingency tables with given row and column sums: random ones, and all of them.

Tables have the distribution of two clusterings whose labels are permuted at random. Row by row, the
cells are drawn from hypergeometric distributions: of the objects that are left, as many as the
column still needs. So the work depends on the number of cells, not on that of objects.
"""

import numpy as np

from clusterwise.kernels.jit import jit

# Samples of at most this many objects are drawn object by object.
FEW = 10
# The constants of the rectangle that encloses the ratio of uniforms: 2√(2/e) and 3 - 2√(3/e).
_WIDTH, _EXTRA = 1.7155277699214135, 0.8989161620588988
# log x! of the first integers; from there on Stirling's series is precise to rounding.
_LOG_FACTORIALS = np.append(0.0, np.cumsum(np.log(np.arange(1.0, 128.0))))
_HALF_LOG_TAU = 0.9189385332046728


@jit
def log_factorial(x):
    """Return log x!."""
    if x < 128:
        return _LOG_FACTORIALS[x]
    inverse = 1.0 / x
    square = inverse * inverse
    series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0))
    return (x + 0.5) * np.log(x) - x + _HALF_LOG_TAU + series


@jit
def draw_hypergeometric(good, bad, sample, rng):
    """Draw the number of good objects in a random sample of good and bad ones.

    By the ratio of uniforms (E. Stadlober, Journal of Computational and Applied Mathematics 31,
    1990, 181-189, https://doi.org/10.1016/0377-0427(90)90349-5).
    """
    total = good + bad
    if sample <= FEW:
        found = 0
        for drawn in range(sample):
            if rng.random() * (total - drawn) < good - found:
                found += 1
        return found
    if total - sample <= FEW:
        return good - draw_hypergeometric_rest(good, bad, total - sample, rng)
    fewer, more = min(good, bad), max(good, bad)
    size = min(sample, total - sample)
    share = fewer / total
    centre = size * share + 0.5
    deviation = np.sqrt((total - size) * float(size) * share * (1.0 - share) / (total - 1.0) + 0.5)
    width = _WIDTH * deviation + _EXTRA
    mode = int((size + 1.0) * ((fewer + 1.0) / (total + 2.0)))
    at_mode = (
        log_factorial(mode)
        + log_factorial(fewer - mode)
        + log_factorial(size - mode)
        + log_factorial(more - size + mode)
    )
    bound = min(min(size, fewer) + 1.0, np.floor(centre + 16.0 * deviation))
    while True:
        u = rng.random()
        x = centre + width * (rng.random() - 0.5) / u
        if x < 0.0 or x >= bound:
            continue
        found = int(x)
        log_weight = at_mode - (
            log_factorial(found)
            + log_factorial(fewer - found)
            + log_factorial(size - found)
            + log_factorial(more - size + found)
        )
        if u * (4.0 - u) - 3.0 <= log_weight:
            break
        if u * (u - log_weight) < 1.0 and 2.0 * np.log(u) <= log_weight:
            break
    if good > bad:
        found = size - found
    return found if size == sample else good - found


@jit
def draw_hypergeometric_rest(good, bad, rest, rng):
    """Draw the number of good objects among a few that are left out of a sample."""
    found = 0
    for drawn in range(rest):
        if rng.random() * (good + bad - drawn) < good - found:
            found += 1
    return found


@jit
def draw_table(row_sums, column_sums, rng, left, table):
    """Draw a table; ``left`` is room for what the columns still need."""
    height, width = table.shape
    total = 0
    for column in range(width):
        left[column] = column_sums[column]
        total += column_sums[column]
    for row in range(height - 1):
        sample, rest = row_sums[row], total
        for column in range(width - 1):
            if sample == 0:
                table[row, column] = 0
                continue
            count = draw_hypergeometric(left[column], rest - left[column], sample, rng)
            table[row, column] = count
            rest -= left[column]
            sample -= count
            left[column] -= count
        table[row, width - 1] = sample
        left[width - 1] -= sample
        total -= row_sums[row]
    for column in range(width):
        table[height - 1, column] = left[column]


@jit
def list_tables(row_sums, column_sums, tables, log_weights):
    """Write all tables and the logarithms of their relative probabilities; return their number.

    The number is one more than there is room for if the tables do not fit. Cells are set in
    row-major order, each to all values that the row, the column and the cells after it allow.
    """
    height, width = row_sums.size, column_sums.size
    size = height * width
    table = np.zeros((height, width), np.int64)
    high = np.zeros(size, np.int64)
    row_left, column_left = row_sums.copy(), column_sums.copy()
    found = 0
    cell = 0
    entering = True
    while cell >= 0:
        if cell == size:
            if found == len(tables):
                return found + 1
            weight = 0.0
            for row in range(height):
                for column in range(width):
                    tables[found, row, column] = table[row, column]
                    weight -= log_factorial(table[row, column])
            log_weights[found] = weight
            found += 1
            cell -= 1
            entering = False
            continue
        row, column = cell // width, cell % width
        if entering:
            after = 0  # what the cells to the right can take
            for other in range(column + 1, width):
                after += column_left[other]
            low = max(0, row_left[row] - after)
            if row == height - 1:
                low = column_left[column]
            high[cell] = min(row_left[row], column_left[column])
            table[row, column] = low
            if low <= high[cell]:
                row_left[row] -= low
                column_left[column] -= low
                cell += 1
            else:
                table[row, column] = 0
                cell -= 1
                entering = False
        elif table[row, column] < high[cell]:
            table[row, column] += 1
            row_left[row] -= 1
            column_left[column] -= 1
            cell += 1
            entering = True
        else:
            row_left[row] += table[row, column]
            column_left[column] += table[row, column]
            table[row, column] = 0
            cell -= 1
    return found
