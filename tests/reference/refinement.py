"""Refinement by definition: densities one by one, and sums over all labels of a few objects."""

from collections import Counter
from itertools import product
from math import comb, exp, factorial, log, pi, prod

import numpy as np
from scipy.stats import multivariate_normal

LEAST_VARIANCE = 1e-6
CELL_VARIANCE = 0.5


def gaussian_by_definition(numeric, given, responsibilities):
    """Log densities, n × K, and the BIC penalty, by the residual covariance that BIC prefers.

    An object with responsibilities (K × n) is K weighted copies, one in each cluster.
    """
    clusters = len(responsibilities)
    weights = np.sqrt(responsibilities.ravel())[:, None]
    known = np.hstack([np.eye(codes.max() + 1)[codes] for codes in given])
    own = np.repeat(np.eye(clusters), len(numeric), axis=0)
    marks = np.hstack([np.tile(known, (clusters, 1)), own])
    copies = np.tile(numeric, (clusters, 1))
    added = np.linalg.lstsq(weights * marks, weights * copies, rcond=None)[0]
    rest = numeric - known @ added[:-clusters]
    centres = added[-clusters:]
    residuals = weights * (copies - marks @ added)
    n, width = numeric.shape
    least = LEAST_VARIANCE * np.diag(numeric.var(axis=0))
    full = residuals.T @ residuals / n + least
    kinds = [
        (np.eye(width) * np.diag(full).mean(), 1),
        (np.diag(np.diag(full)), width),
        (full, width * (width + 1) // 2),
    ]
    found = []
    for cov, count in kinds:
        values = [
            [multivariate_normal.logpdf(row, centre, cov) for centre in centres] for row in rest
        ]
        penalty = 0.5 * count * log(n)
        # Where the floor of variances hardly matters, the mean distance is the same for all.
        cost = 0.5 * n * np.linalg.slogdet(cov)[1] + penalty
        found.append((cost, np.array(values), penalty))
    _, values, penalty = min(found, key=lambda each: each[0])
    return values, penalty


def categorical_by_definition(column, joint, responsibilities):
    """Log probabilities, n × K, and the penalty of one feature; BIC chooses the dependence."""
    n, clusters, values = len(column), len(responsibilities), sorted(set(column))
    found = []
    for on_given, on_cluster in product([False, True], repeat=2):

        def cell(g, k, on_given=on_given, on_cluster=on_cluster):
            return g if on_given else None, k if on_cluster else None

        seen = Counter()
        for x, g, each in zip(column, joint, responsibilities.T, strict=True):
            for k, part in enumerate(each):
                seen[cell(g, k), x] += part

        def probability(where, value, seen=seen):
            here = sum(seen[where, each] for each in values)
            return (seen[where, value] + 0.5) / (here + 0.5 * len(values))

        cells = (max(joint) + 1 if on_given else 1) * (clusters if on_cluster else 1)
        penalty = 0.5 * cells * (len(values) - 1) * log(n)
        own = sum(part * log(probability(*where)) for where, part in seen.items())
        table = [
            [log(probability(cell(g, k), x)) for k in range(clusters)]
            for g, x in zip(joint, column, strict=True)
        ]
        found.append((penalty - own, np.array(table), penalty))
    _, table, penalty = min(found, key=lambda each: each[0])
    return table, penalty


def joint_by_definition(features, responsibilities):
    """Log probabilities, n × K, and the penalty of features that depend on the cluster alone.

    Clusters have a mode and one error rate for all features, or one per feature, or every value
    has its probability, as BIC prefers. The model comes last.
    """
    clusters, n = responsibilities.shape
    seen = []
    for column in features:
        counts = [Counter() for _ in range(clusters)]
        for x, each in zip(column, responsibilities.T, strict=True):
            for k, part in enumerate(each):
                counts[k][x] += part
        seen.append(counts)
    own = [[max(each, key=lambda x: (each[x], -x)) for each in counts] for counts in seen]
    sizes = [len(set(column)) for column in features]
    wrong = [
        sum(sum(each.values()) - each[x] for each, x in zip(counts, values, strict=True))
        for counts, values in zip(seen, own, strict=True)
    ]
    many = len(features)
    one = (sum(wrong) + 0.5) / (many * n + 1)
    errors = {"one": [one] * many, "each": [(count + 0.5) / (n + 1) for count in wrong]}

    def probability(kind, r, k, x):
        if kind == "own":
            return (seen[r][k][x] + 0.5) / (sum(seen[r][k].values()) + 0.5 * sizes[r])
        error = errors[kind][r]
        return 1 - error if x == own[r][k] else error / (sizes[r] - 1)

    found = []
    counted = {"one": 1, "each": many, "own": sum(clusters * (size - 1) for size in sizes)}
    for kind, count in counted.items():
        table = np.array(
            [
                [
                    sum(log(probability(kind, r, k, x)) for r, x in enumerate(row))
                    for k in range(clusters)
                ]
                for row in zip(*features, strict=True)
            ]
        )
        penalty = 0.5 * count * log(n)
        found.append((penalty - (table * responsibilities.T).sum(), table, penalty, kind))
    return min(found, key=lambda each: each[0])[1:]


def average_by_definition(values, joint, responsibilities, designs):
    """The responsibilities averaged over all priors, weighted by evidence.

    ``designs`` are the posteriors of two designs: with equal proportions, and with those of the
    independent prior.
    """
    clusters, n = values.shape
    own = dict(enumerate(responsibilities.mean(axis=1)))
    independent, independent_evidence = _independent(values, [own] * n)
    even, even_evidence = _independent(values, [dict.fromkeys(own, 1 / clusters)] * n)
    known = Counter(joint.tolist())
    by_cell = {g: dict(enumerate(responsibilities[:, joint == g].mean(axis=1))) for g in known}
    _, dependent_evidence = _independent(values, [by_cell[g] for g in joint.tolist()])
    free = (clusters - 1) / 2
    # With proportion p the size of a cell is normal with mean p times its objects.
    information = sum(size**2 / CELL_VARIANCE for size in known.values())
    drawn, designed = size_odds_by_definition(list(known.values()))
    posteriors = [
        (independent, independent_evidence - free * log(n)),
        (even, even_evidence + drawn),
        (independent, dependent_evidence - sum(free * log(size) for size in known.values())),
        (designs[0].responsibilities, designs[0].evidence + designed),
        (designs[1].responsibilities, designs[1].evidence - free * log(information)),
    ]
    best = max(evidence for _, evidence in posteriors)
    total = sum(exp(evidence - best) for _, evidence in posteriors)
    return sum(
        exp(evidence - best) / total * responsibilities for responsibilities, evidence in posteriors
    )


def size_odds_by_definition(sizes):
    """Log odds of the sizes of given clusters, if they are drawn or equal by design.

    Otherwise all compositions are equally likely.
    """
    n, count = sum(sizes), len(sizes)
    uniform = 1 / comb(n + count - 1, count - 1)
    drawn = factorial(n) // prod(factorial(size) for size in sizes) / count**n
    # The sizes of all but one cluster, which add up to n.
    cov = CELL_VARIANCE * (np.eye(count - 1) - 1 / count)
    mean = np.full(count - 1, n / count)
    designed = multivariate_normal.pdf(sizes[1:], mean, cov) if count > 1 else 1.0
    return [log(0.5 + 0.5 * likely / uniform) for likely in (drawn, designed)]


def _independent(values, priors):
    """Responsibilities, K × n, and the evidence of independent objects with their own priors."""
    responsibilities, evidence = np.zeros(values.shape), 0.0
    for i, each in enumerate(priors):
        weights = [exp(values[k, i]) * each[k] for k in range(len(values))]
        responsibilities[:, i] = np.array(weights) / sum(weights)
        evidence += log(sum(weights))
    return responsibilities, evidence


def posterior_by_definition(values, wanted):
    """Responsibilities, K × n, and the evidence, summed over all labels by their sizes."""
    clusters, n = values.shape
    total = _sum_weighted(_by_sizes(values), wanted)
    responsibilities = np.zeros((clusters, n))
    for i in range(n):
        others = _by_sizes(np.delete(values, i, axis=1))
        for k in range(clusters):
            with_it = {_with_one_more(sizes, k): weight for sizes, weight in others.items()}
            responsibilities[k, i] = exp(values[k, i]) * _sum_weighted(with_it, wanted) / total
    arrangements = factorial(n) / prod(factorial(round(size)) for size in wanted)
    return responsibilities, log(total / arrangements)


def _by_sizes(values):
    """The likelihood of all labels, summed by cluster sizes."""
    ways = {(0,) * len(values): 1.0}
    for column in np.exp(values).T:
        after = {}
        for sizes, weight in ways.items():
            for k, value in enumerate(column):
                place = _with_one_more(sizes, k)
                after[place] = after.get(place, 0.0) + weight * value
        ways = after
    return ways


def _with_one_more(sizes, k):
    return (*sizes[:k], sizes[k] + 1, *sizes[k + 1 :])


def _sum_weighted(ways, wanted):
    return sum(weight * _density(np.array(sizes) - wanted) for sizes, weight in ways.items())


def _density(apart):
    """The density of sizes around the wanted ones, in all coordinates but the first."""
    count = apart.size - 1
    # Independent noise of every size, less what it does to their sum.
    cov = CELL_VARIANCE * (np.eye(count) - 1 / (count + 1))
    value = apart[1:] @ np.linalg.solve(cov, apart[1:])
    return exp(-0.5 * value) / ((2 * pi) ** count * np.linalg.det(cov)) ** 0.5
