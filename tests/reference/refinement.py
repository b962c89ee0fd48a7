"""What refining is by definition: densities one by one, and all labels of a few objects."""

from collections import Counter
from itertools import product
from math import comb, exp, factorial, log, pi, prod

import numpy as np
from scipy.stats import multivariate_normal

LEAST = 1e-6
LOOSE = 0.5


def numbers_by_definition(numbers, given, shares):
    """Log densities, n × K, and the price of parameters, by the kind of noise that BIC prefers.

    An object with shares of clusters (K × n) is as many objects, one in each, that weigh as much.
    """
    clusters = len(shares)
    weights = np.sqrt(shares.ravel())[:, None]
    known = np.hstack([np.eye(codes.max() + 1)[codes] for codes in given])
    own = np.repeat(np.eye(clusters), len(numbers), axis=0)
    marks = np.hstack([np.tile(known, (clusters, 1)), own])
    copies = np.tile(numbers, (clusters, 1))
    added = np.linalg.lstsq(weights * marks, weights * copies, rcond=None)[0]
    rest = numbers - known @ added[:-clusters]
    centres = added[-clusters:]
    chance = weights * (copies - marks @ added)
    n, width = numbers.shape
    least = LEAST * np.diag(numbers.var(axis=0))
    full = chance.T @ chance / n + least
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
        price = 0.5 * count * log(n)
        # Where the floor of variances hardly counts, the mean distance is the same for all kinds.
        cost = 0.5 * n * np.linalg.slogdet(cov)[1] + price
        found.append((cost, np.array(values), price))
    _, values, price = min(found, key=lambda each: each[0])
    return values, price


def names_by_definition(names, joint, shares):
    """Log chances, n × K, and the price, of one feature, by what BIC lets it hang on."""
    n, clusters, values = len(names), len(shares), sorted(set(names))
    found = []
    for on_given, on_cluster in product([False, True], repeat=2):

        def place(g, k, on_given=on_given, on_cluster=on_cluster):
            return g if on_given else None, k if on_cluster else None

        seen = Counter()
        for x, g, each in zip(names, joint, shares.T, strict=True):
            for k, share in enumerate(each):
                seen[place(g, k), x] += share

        def chance(where, name, seen=seen):
            here = sum(seen[where, each] for each in values)
            return (seen[where, name] + 0.5) / (here + 0.5 * len(values))

        places = (max(joint) + 1 if on_given else 1) * (clusters if on_cluster else 1)
        price = 0.5 * places * (len(values) - 1) * log(n)
        own = sum(share * log(chance(*where)) for where, share in seen.items())
        table = [
            [log(chance(place(g, k), x)) for k in range(clusters)]
            for g, x in zip(joint, names, strict=True)
        ]
        found.append((price - own, np.array(table), price))
    _, table, price = min(found, key=lambda each: each[0])
    return table, price


def followers_by_definition(features, shares):
    """Log chances, n × K, and the price, of names that hang on the cluster alone.

    Clusters have a value each and errors are as likely in all features, or in each as likely as
    they are there, or every value has its chance, as BIC has it. The kind comes last.
    """
    clusters, n = shares.shape
    seen = []
    for names in features:
        counts = [Counter() for _ in range(clusters)]
        for x, each in zip(names, shares.T, strict=True):
            for k, share in enumerate(each):
                counts[k][x] += share
        seen.append(counts)
    own = [[max(each, key=lambda x: (each[x], -x)) for each in counts] for counts in seen]
    sizes = [len(set(names)) for names in features]
    wrong = [
        sum(sum(each.values()) - each[x] for each, x in zip(counts, values, strict=True))
        for counts, values in zip(seen, own, strict=True)
    ]
    many = len(features)
    one = (sum(wrong) + 0.5) / (many * n + 1)
    errors = {"one": [one] * many, "each": [(count + 0.5) / (n + 1) for count in wrong]}

    def chance(kind, r, k, x):
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
                    sum(log(chance(kind, r, k, x)) for r, x in enumerate(row))
                    for k in range(clusters)
                ]
                for row in zip(*features, strict=True)
            ]
        )
        price = 0.5 * count * log(n)
        found.append((price - (table * shares.T).sum(), table, price, kind))
    return min(found, key=lambda each: each[0])[1:]


def settle_by_definition(values, joint, shares, designs):
    """The mean of all ways to meet, weighted by how likely each makes the objects.

    ``designs`` are the shares and evidences of two designs: clusters have like shares in one, and
    the shares that chance makes likely in the other.
    """
    clusters, n = values.shape
    own = dict(enumerate(shares.mean(axis=1)))
    chance, chance_worth = _take_each(values, [own] * n)
    even, even_worth = _take_each(values, [dict.fromkeys(own, 1 / clusters)] * n)
    known = Counter(joint.tolist())
    hang = {g: dict(enumerate(shares[:, joint == g].mean(axis=1))) for g in known}
    _, hang_worth = _take_each(values, [hang[g] for g in joint.tolist()])
    free = (clusters - 1) / 2
    # A share p makes the size of a cell normal with mean p times its objects.
    told = sum(size**2 / LOOSE for size in known.values())
    drawn, planned = given_by_definition(list(known.values()))
    ways = [
        (chance, chance_worth - free * log(n)),
        (even, even_worth + drawn),
        (chance, hang_worth - sum(free * log(size) for size in known.values())),
        (designs[0].shares, designs[0].evidence + planned),
        (designs[1].shares, designs[1].evidence - free * log(told)),
    ]
    best = max(worth for _, worth in ways)
    total = sum(exp(worth - best) for _, worth in ways)
    return sum(exp(worth - best) / total * shares for shares, worth in ways)


def given_by_definition(sizes):
    """How much likelier the sizes of given clusters are by half, if they are drawn or planned.

    Else all ways to share out objects are as likely as each other.
    """
    n, count = sum(sizes), len(sizes)
    anyhow = 1 / comb(n + count - 1, count - 1)
    drawn = factorial(n) // prod(factorial(size) for size in sizes) / count**n
    # The sizes of all but one cluster, if all vary as much, and add up.
    cov = LOOSE * (np.eye(count - 1) - 1 / count)
    mean = np.full(count - 1, n / count)
    planned = multivariate_normal.pdf(sizes[1:], mean, cov) if count > 1 else 1.0
    return [log(0.5 + 0.5 * likely / anyhow) for likely in (drawn, planned)]


def _take_each(values, chances):
    """Shares, K × n, and the evidence, if every object takes a cluster with its own chances."""
    shares, worth = np.zeros(values.shape), 0.0
    for i, each in enumerate(chances):
        weights = [exp(values[k, i]) * each[k] for k in range(len(values))]
        shares[:, i] = np.array(weights) / sum(weights)
        worth += log(sum(weights))
    return shares, worth


def meet_by_definition(values, wanted):
    """Shares, K × n, and evidence of objects, over all labels by their sizes; sizes are loose."""
    clusters, n = values.shape
    total = _weigh_all(_ways(values), wanted)
    shares = np.zeros((clusters, n))
    for i in range(n):
        others = _ways(np.delete(values, i, axis=1))
        for k in range(clusters):
            with_it = {_more(sizes, k): weight for sizes, weight in others.items()}
            shares[k, i] = exp(values[k, i]) * _weigh_all(with_it, wanted) / total
    arrangements = factorial(n) / prod(factorial(round(size)) for size in wanted)
    return shares, log(total / arrangements)


def _ways(values):
    """How likely objects are all together, by the sizes of clusters."""
    ways = {(0,) * len(values): 1.0}
    for column in np.exp(values).T:
        after = {}
        for sizes, weight in ways.items():
            for k, value in enumerate(column):
                place = _more(sizes, k)
                after[place] = after.get(place, 0.0) + weight * value
        ways = after
    return ways


def _more(sizes, k):
    return (*sizes[:k], sizes[k] + 1, *sizes[k + 1 :])


def _weigh_all(ways, wanted):
    return sum(weight * _loose(np.array(sizes) - wanted) for sizes, weight in ways.items())


def _loose(apart):
    """The density of sizes around the wanted ones, in all coordinates but the first."""
    count = apart.size - 1
    # Independent noise of every size, less what it does to their sum.
    cov = LOOSE * (np.eye(count) - 1 / (count + 1))
    value = apart[1:] @ np.linalg.solve(cov, apart[1:])
    return exp(-0.5 * value) / ((2 * pi) ** count * np.linalg.det(cov)) ** 0.5
