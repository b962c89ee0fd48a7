"""Measures adjusted for chance, by several models of random clusterings."""

from collections.abc import Callable
from math import isfinite, log
from typing import Any, Literal

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Integer
from clusterwise._utils.random import as_generator
from clusterwise.inputs.clusterings import Align, Missing, Noise
from clusterwise.inputs.encoding import Array
from clusterwise.measures._label_options import contingency, documented, label_options
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.permutation import (
    FEWEST_PERMUTATIONS,
    ChanceLevel,
    chance_levels,
)
from clusterwise.measures.chance.random_sizes import (
    ExpectedSizes,
    draw_sizes_of_all,
    draw_sizes_with_fixed_number,
    sizes_of_all,
    sizes_with_fixed_number,
)
from clusterwise.measures.chance.statistics import (
    FORMULAS,
    MOST_CELLS,
    require_counts,
    similarity,
    stack_statistics,
    statistics_of,
    wanted_statistics,
    x_log_x,
)
from clusterwise.summaries.contingency.contingency import Contingency

Model = Literal["permutation", "fixed_number", "all", "multinomial"]
Adjustment = Literal["index", "standardized", "p_value"]
Reference = Literal["a", "b"]


@documented(n_permutations=Integer(FEWEST_PERMUTATIONS))
def adjusted(
    measure: str,
    a: Any,
    b: Any = None,
    *,
    model: Model = "permutation",
    reference: Reference | None = None,
    adjustment: Adjustment = "index",
    n_permutations: int = 500,
    random_state: Any = 0,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Adjust a measure of two clusterings for chance.

    .. math:: \frac{S(a, b) - E[S]}{\max S - E[S]}

    with the expected value of a model of random clusterings. It is 0 in expectation for random
    clusterings and 1 for equal ones, also if the measure is a distance.

    Which model is right depends on how the clusterings were made [1]_: ``"permutation"`` keeps the
    sizes of all clusters, ``"fixed_number"`` their number (as k-means does), and ``"all"`` neither.
    With the permutation model, the Rand index becomes :func:`adjusted_rand_score`, the mutual
    information :func:`adjusted_mutual_info_score`; its standardized form is the SMI [2]_, and the
    p-value form of the Rand index is PMI₂ [3]_, but for the weight of ties. With
    ``model="multinomial"``, the Rand index becomes MARI [4]_.

    Parameters
    ----------
    measure : str
        A measure of labels from :func:`list_measures`.
    a, b : {hard}
    model : {"permutation", "fixed_number", "all", "multinomial"}, default="permutation"
        The random clusterings: the labels of the objects are permuted; or both clusterings are
        drawn from all clusterings of the objects with as many clusters, or from all clusterings; or
        the labels of the objects are independent, with the proportions of the clusters.
    reference : {"a", "b"}, optional
        The clustering that is known and not random (one-sided). By default both are random. It
        makes no difference to ``"permutation"``, and is not defined for ``"multinomial"``.
    adjustment : {"index", "standardized", "p_value"}, default="index"
        As above; or the number of standard deviations above the expected value; or the probability
        that random clusterings are less similar. The last two are for ``"permutation"`` only.
    n_permutations : int, default=500
        The number of random clusterings, where the expected value is not known in closed form. It
        is with ``"permutation"`` for measures of pairs and of information, and with the other
        models for the Rand index and the Mirkin distance, and except for ``"multinomial"`` for the
        mutual information and the variation of information.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random clusterings.
    {label_options}

    Returns
    -------
    float
        The adjusted measure; higher is more similar.

    Notes
    -----
    The largest mutual information is taken as the mean of the entropies in the permutation and
    multinomial models, of the logarithms of the numbers of clusters in ``"fixed_number"``, and of
    that of the number of objects in ``"all"`` [1]_. If random clusterings also reach the largest
    value, the adjusted value is 1 for those and 0 for others.

    References
    ----------
    .. [1] A. J. Gates, Y.-Y. Ahn. The impact of random models on clustering similarity. JMLR 18
       (2017) 1-28. https://jmlr.org/papers/v18/17-039.html
    .. [2] S. Romano, J. Bailey, V. Nguyen, K. Verspoor. Standardized mutual information for
       clustering comparisons: one step further in adjustment for chance. ICML (2014) 1143-1151.
       https://proceedings.mlr.press/v32/romano14.html
    .. [3] K. Klede, T. Altstidl, D. Zanca, B. Eskofier. p-value adjustment for monotonous,
       unbiased, and fast clustering comparison. NeurIPS (2023).
       https://openreview.net/forum?id=htkdwc6jDB
    .. [4] M. Sundqvist, J. Chiquet, G. Rigaill. Adjusting the adjusted Rand index: a multinomial
       story. Computational Statistics 38 (2023) 327-347.
       https://doi.org/10.1007/s00180-022-01230-7

    Examples
    --------
    The Fowlkes-Mallows index of independent clusterings is well above 0; the adjusted one is not:

    >>> from clusterwise import adjusted, fowlkes_mallows_score
    >>> a, b = [0, 0, 0, 1, 1, 1, 0, 1], [0, 1, 0, 1, 0, 1, 1, 0]
    >>> round(fowlkes_mallows_score(a, b), 3), round(adjusted("fowlkes_mallows_score", a, b), 3)
    (0.333, -0.167)

    The Rand index by two models of chance:

    >>> a, b = [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1]
    >>> round(adjusted("rand_score", a, b), 3)
    0.324
    >>> round(adjusted("rand_score", a, b, model="all"), 3)
    0.125
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    _check_combination(measure, model, reference, adjustment)
    table = contingency(a, b, options)
    require_counts(table)
    if table.n < 2:
        return 1.0
    random = as_generator(random_state)
    value = find_measure(measure).function(table)
    if model == "permutation":
        level = chance_levels(table, [measure], n_permutations, random)[measure]
        if adjustment != "index" and not isfinite(level.p_value):
            raise _too_large(measure, *table.shape)
        if adjustment == "p_value":
            return 1.0 - level.p_value
        if adjustment == "standardized":
            return _standardize(measure, value, level)
        expected = level.expected
    elif model == "multinomial":
        expected = _expected_multinomial(measure, table, n_permutations, random)
    else:
        expected = _expected(measure, table, model, reference, n_permutations, random)
    if not isfinite(expected):
        raise _too_large(measure, *table.shape)
    best = _best(measure, table, model)
    if abs(best - expected) <= 1e-13 * max(abs(best), abs(expected)):
        return float(value == best)
    return (value - expected) / (best - expected)


def _check_combination(
    measure: str, model: Model, reference: Reference | None, adjustment: Adjustment
) -> None:
    """Raise an error for arguments that cannot be combined."""
    if find_measure(measure).needs_data:
        raise InputError(f"{measure} takes features; adjusted takes measures of labels only.")
    if adjustment != "index" and model != "permutation":
        raise InputError(f"adjustment={adjustment!r} needs model='permutation'.")
    if reference is not None and model == "multinomial":
        raise InputError("model='multinomial' has no one-sided form; leave reference out.")


def _standardize(measure: str, value: float, level: ChanceLevel) -> float:
    """Return by how many standard deviations a value is more similar than expected."""
    closer = float(similarity(measure, value) - similarity(measure, level.expected))
    return closer / level.deviation if level.deviation else 0.0


def _too_large(measure: str, height: float, width: float) -> InputError:
    return InputError(
        f"the chance level of {measure} needs tables of all {height:.0f} x {width:.0f} clusters, "
        f"more than {MOST_CELLS}; use a measure whose expected value is known, such as rand_score."
    )


def _best(measure: str, table: Contingency, model: Model) -> float:
    """Return the value of equal clusterings."""
    if measure != "mutual_info_score":
        return 0.0 if find_measure(measure).direction == "distance" else 1.0
    if model == "fixed_number":
        return (log(table.shape[0]) + log(table.shape[1])) / 2
    return log(table.n) if model == "all" else (table.entropies.a + table.entropies.b) / 2


def _expected_multinomial(
    measure: str, table: Contingency, n_permutations: int, random: np.random.Generator
) -> float:
    """Return the expected value for independent labels.

    That of pair counts is estimated without bias from pairs of pairs of four different objects.
    """
    n = int(table.n)
    if measure in ("rand_score", "mirkin_distance") and n >= 4:
        rows, columns, counts = table.nonzero
        a, b = (np.asarray(s, np.float64) for s in (table.row_sums, table.column_sums))
        counts = np.asarray(counts, np.float64)
        pairs = [float((one * (one - 1)).sum()) / 2 for one in (a, b, counts)]
        sharing = float((counts * (a[rows] - 1) * (b[columns] - 1)).sum())
        both = pairs[0] * pairs[1] + pairs[2] - sharing
        all_pairs = n * (n - 1) / 2
        both /= all_pairs * (n - 2) * (n - 3) / 2
        different = (pairs[0] + pairs[1]) / all_pairs - 2 * both
        return 1 - different if measure == "rand_score" else different * n * (n - 1)
    if table.shape[0] * table.shape[1] > MOST_CELLS:
        raise _too_large(measure, *table.shape)
    share = np.outer(table.row_sums / n, table.column_sums / n)

    def draw() -> Array:
        drawn: Array = random.multinomial(n, share.ravel()).reshape(share.shape)
        return drawn

    return _mean_of_random_tables(measure, draw, n_permutations)


def _expected(
    measure: str,
    table: Contingency,
    model: Model,
    reference: Reference | None,
    n_permutations: int,
    random: np.random.Generator,
) -> float:
    """Return the expected value for clusterings with random sizes, or with those of a reference."""
    n = int(table.n)
    known = [np.rint(one).astype(np.int64) for one in (table.row_sums, table.column_sums)]
    if measure in (
        "rand_score",
        "mirkin_distance",
        "mutual_info_score",
        "variation_of_information",
    ):
        sides = [
            _known_sizes(sizes) if side == reference else _random_sizes(n, sizes.size, model)
            for side, sizes in zip(("a", "b"), known, strict=True)
        ]
        return _in_closed_form(measure, sides[0], sides[1], n)

    def draw_sizes(side: str, sizes: Array) -> Array:
        if side == reference:
            return sizes
        if model == "all":
            return draw_sizes_of_all(n, random)
        return draw_sizes_with_fixed_number(n, sizes.size, random)

    def draw() -> Array:
        from clusterwise.kernels.random_tables import draw_table

        rows, columns = draw_sizes("a", known[0]), draw_sizes("b", known[1])
        if rows.size * columns.size > MOST_CELLS:
            raise _too_large(measure, rows.size, columns.size)
        drawn = np.empty((rows.size, columns.size), np.int64)
        draw_table(rows, columns, random, np.empty(columns.size, np.int64), drawn)
        return drawn

    return _mean_of_random_tables(measure, draw, n_permutations)


def _mean_of_random_tables(measure: str, draw: Callable[[], Array], n_permutations: int) -> float:
    wanted = wanted_statistics([measure])
    found = []
    for _ in range(n_permutations):
        table = Contingency.from_table(draw())
        statistics = statistics_of(table, wanted)
        if measure == "adjusted_mutual_info_score":
            statistics = statistics._replace(expected_information=table.expected_information)
        found.append(statistics)
    return float(np.mean(FORMULAS[measure].value(stack_statistics(found))))


def _known_sizes(sizes: Array) -> ExpectedSizes:
    distinct, times = np.unique(sizes, return_counts=True)
    return ExpectedSizes(distinct, times.astype(np.float64))


def _random_sizes(n: int, k: int, model: Model) -> ExpectedSizes:
    return sizes_of_all(n) if model == "all" else sizes_with_fixed_number(n, k)


def _in_closed_form(measure: str, a: ExpectedSizes, b: ExpectedSizes, n: int) -> float:
    """Return the expected value of a measure that follows from pairs or entropies."""
    if measure in ("rand_score", "mirkin_distance"):
        pairs = float(n) * (n - 1)
        together_a, together_b = (one.sum(one.sizes * (one.sizes - 1.0)) / pairs for one in (a, b))
        different = together_a + together_b - 2 * together_a * together_b
        return 1 - different if measure == "rand_score" else different * pairs
    logs_a, logs_b = (one.sum(x_log_x(one.sizes.astype(np.float64))) for one in (a, b))
    mutual = _expected_information(a, b, logs_a, logs_b, n)
    if measure == "mutual_info_score":
        return mutual
    return 2 * log(n) - (logs_a + logs_b) / n - 2 * mutual


def _expected_information(
    a: ExpectedSizes, b: ExpectedSizes, logs_a: float, logs_b: float, n: int
) -> float:
    """Return the expected mutual information of random clusterings with these expected sizes.

    If the labels of one are independent, its overlaps with clusters of the other are binomial.
    """
    from clusterwise.kernels.expected_mutual_info import expected_information

    if a.n_labels is None:
        a, b = b, a
    if a.n_labels is None:
        first, second = a.sizes.astype(np.float64), b.sizes.astype(np.float64)
        return float(expected_information(first, a.counts, second, b.counts, float(n)))
    if b.n_labels is None:
        cells = a.n_labels * b.sum(
            np.array([_binomial_logs(size, 1 / a.n_labels) for size in b.sizes.tolist()])
        )
    else:
        both = a.n_labels * b.n_labels
        cells = both * _binomial_logs(n, 1 / both)
    return log(n) + (cells - logs_a - logs_b) / n


def _binomial_logs(n: int, p: float) -> float:
    """Return the expected value of x log x for a binomial x."""
    from scipy.stats import binom

    middle, width = n * p, 12 * (n * p * (1 - p)) ** 0.5 + 40
    numbers = np.arange(max(0, int(middle - width)), min(n, int(middle + width)) + 1)
    return float(binom(n, p).pmf(numbers) @ x_log_x(numbers.astype(np.float64)))
