r"""Moments of the number of pairs within clusters of both clusterings, under permutation.

With :math:`x^{\underline r} = x (x-1) \cdots (x-r+1)`, the number of ordered pairs is
:math:`Y = \sum_{kj} n_{kj}^{\underline 2}`. A power of it counts tuples of pairs; grouped by which
of their objects coincide, the objects form connected components, of which each has to be within a
cluster of a and within one of b. For components of :math:`r, s, \ldots` objects with
:math:`v` objects in all, this has the probability
:math:`S_a(r, s, \ldots) S_b(r, s, \ldots) / (n^{\underline v})^2`, where :math:`S` counts the
choices of different objects with each component within a cluster. So

.. math::
    E[Y] &= \frac{S_2 S'_2}{n^{\underline 2}}, \qquad
    E[Y^2] = \frac{2 S_2 S'_2}{n^{\underline 2}} + \frac{4 S_3 S'_3}{n^{\underline 3}}
        + \frac{S_{22} S'_{22}}{n^{\underline 4}}, \\
    E[Y^3] &= \frac{4 S_2 S'_2}{n^{\underline 2}} + \frac{32 S_3 S'_3}{n^{\underline 3}}
        + \frac{32 S_4 S'_4 + 6 S_{22} S'_{22}}{n^{\underline 4}}
        + \frac{12 S_{32} S'_{32}}{n^{\underline 5}} + \frac{S_{222} S'_{222}}{n^{\underline 6}}

with the numbers of ways in which two or three pairs coincide. The mean and the variance are those
of Hubert and Arabie (1985). All sums are integers and the moments are exact fractions, since
central moments are small differences of large numbers.
"""

from fractions import Fraction
from math import perm
from typing import NamedTuple

import numpy as np

from clusterwise.inputs.encoding import Array


class Moments(NamedTuple):
    """The mean, standard deviation and skewness of a value by chance."""

    mean: float
    deviation: float
    skewness: float


class _Choices(NamedTuple):
    """Numbers of choices of different objects, by the sizes of their components."""

    two: int
    three: int
    four: int
    two_two: int
    three_two: int
    two_two_two: int


def pair_moments(row_sums: Array, column_sums: Array) -> Moments:
    """Return the moments of the number of ordered pairs within clusters of both clusterings."""
    n = int(row_sums.sum())
    a, b = _count_choices(row_sums), _count_choices(column_sums)
    two = _ratio(a.two * b.two, n, 2)
    three = _ratio(a.three * b.three, n, 3)
    two_two = _ratio(a.two_two * b.two_two, n, 4)
    mean = two
    second = 2 * two + 4 * three + two_two
    third = 4 * two + 32 * three + 32 * _ratio(a.four * b.four, n, 4) + 6 * two_two
    third += 12 * _ratio(a.three_two * b.three_two, n, 5)
    third += _ratio(a.two_two_two * b.two_two_two, n, 6)
    variance = second - mean**2
    if not variance:
        return Moments(float(mean), 0.0, 0.0)
    central = third - 3 * mean * second + 2 * mean**3
    deviation = float(variance) ** 0.5
    return Moments(float(mean), deviation, float(central / variance) / deviation)


def _ratio(choices: int, n: int, objects: int) -> Fraction:
    return Fraction(choices, perm(n, objects)) if choices else Fraction(0)


def _count_choices(sizes: Array) -> _Choices:
    distinct, times = np.unique(sizes, return_counts=True)
    pairs = list(zip(distinct.tolist(), times.tolist(), strict=True))

    def total(*objects: int) -> int:
        """Return the sum over clusters of the product of falling factorials of their sizes."""
        found = 0
        for size, count in pairs:
            product = count
            for each in objects:
                product *= perm(size, each)
            found += product
        return found

    two, three, four = total(2), total(3), total(4)
    two_two = two**2 - total(2, 2)  # in two different clusters
    apart = two**3 - 3 * two * total(2, 2) + 2 * total(2, 2, 2)  # in three
    four_two = four * two - total(4, 2)
    return _Choices(
        two=two,
        three=three,
        four=four,
        two_two=two_two + four,
        three_two=three * two - total(3, 2) + total(5),
        two_two_two=apart + 3 * four_two + total(6),
    )
