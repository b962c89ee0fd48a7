"""Consensus from its definitions, slowly, for the tests.

An ensemble is n × m labels as a list of lists; None is missing.
"""

from itertools import combinations, permutations, product

import numpy as np
from hypothesis import strategies as st


def clusters(ensemble):
    """All clusters of an ensemble as (clustering, label, set of objects)."""
    n, m = len(ensemble), len(ensemble[0])
    columns = [[row[j] for row in ensemble] for j in range(m)]
    return [
        (j, label, {x for x in range(n) if columns[j][x] == label})
        for j in range(m)
        for label in sorted(set(columns[j]) - {None})
    ]


def shared(ensemble):
    """How many objects any two clusters share."""
    sets = [members for _, _, members in clusters(ensemble)]
    return [[len(a & b) for b in sets] for a in sets]


def jaccard(ensemble):
    """Jaccard's measure for any two clusters."""
    sets = [members for _, _, members in clusters(ensemble)]
    return [[len(a & b) / len(a | b) for b in sets] for a in sets]


def co_association(ensemble, weights=None):
    """How often, by weight, any two objects are together."""
    n, m = len(ensemble), len(ensemble[0])
    weights = [1] * m if weights is None else weights
    table = np.zeros((n, n))
    for x, y in product(range(n), repeat=2):
        for a, b, weight in zip(ensemble[x], ensemble[y], weights, strict=True):
            if a is not None and a == b:
                table[x, y] += weight
    return table


def cluster_confidences(ensemble, weights=None, theta=0.4):
    """exp(-H / theta) of each cluster, H its mean entropy in bits over the clusterings (ECI).

    A clustering counts by its weight and by the proportion of the cluster that it labels.
    """
    m = len(ensemble[0])
    weights = [1] * m if weights is None else weights
    found = []
    for _, _, objects in clusters(ensemble):
        total = known_weight = 0.0
        for j in range(m):
            labels = [ensemble[x][j] for x in objects if ensemble[x][j] is not None]
            proportions = [labels.count(label) / len(labels) for label in set(labels)]
            entropy = -sum(p * np.log2(p) for p in proportions)
            total += weights[j] * len(labels) / len(objects) * entropy
            known_weight += weights[j] * len(labels) / len(objects)
        found.append(np.exp(-total / known_weight / theta))
    return found


def locally_weighted_co_association(ensemble, weights=None, theta=0.4):
    """The confidence of common clusters, by weight, of the clusterings that know both objects."""
    n, m = len(ensemble), len(ensemble[0])
    weights = [1] * m if weights is None else weights
    confidences = cluster_confidences(ensemble, weights, theta)
    table = np.zeros((n, n))
    for (j, _, objects), one in zip(clusters(ensemble), confidences, strict=True):
        for x, y in product(objects, repeat=2):
            table[x, y] += weights[j] * one
    for x, y in product(range(n), repeat=2):
        known = sum(
            weights[j]
            for j in range(m)
            if ensemble[x][j] is not None and ensemble[y][j] is not None
        )
        table[x, y] /= known or 1
    return table


def disagreements(labels, ensemble, weights=None):
    """Pairs, by weight, on which labels and the clusterings that know both objects disagree."""
    n, m = len(ensemble), len(ensemble[0])
    weights = [1] * m if weights is None else weights
    total = 0.0
    for x, y in combinations(range(n), 2):
        for a, b, weight in zip(ensemble[x], ensemble[y], weights, strict=True):
            if a is not None and b is not None and (a == b) != (labels[x] == labels[y]):
                total += weight
    return total


def known_pairs(ensemble, weights=None):
    """Pairs, by weight, that the clusterings know."""
    n, m = len(ensemble), len(ensemble[0])
    weights = [1] * m if weights is None else weights
    return sum(
        weights[j]
        for x, y in combinations(range(n), 2)
        for j in range(m)
        if ensemble[x][j] is not None and ensemble[y][j] is not None
    )


def partitions(n, most=None):
    """All clusterings of n objects into at most ``most`` clusters."""
    if n == 0:
        yield []
        return
    for labels in partitions(n - 1, most):
        used = max(labels, default=-1) + 1
        for k in range(min(used + 1, n if most is None else most)):
            yield [*labels, k]


def agreements(names, ensemble, weights=None):
    """Pairs of votes for the same cluster; ``names`` are dicts from labels to clusters."""
    weights = [1] * len(ensemble[0]) if weights is None else weights
    return sum(
        weights[i] * weights[j] * (names[i][row[i]] == names[j][row[j]])
        for row in ensemble
        for i, j in combinations(range(len(row)), 2)
        if row[i] is not None and row[j] is not None
    )


def most_agreements(ensemble, count):
    """The most pairs of votes that any one-to-one renaming of all clusterings has."""
    kinds = [sorted({row[j] for row in ensemble} - {None}) for j in range(len(ensemble[0]))]
    ways = [
        [
            dict(zip(labels, chosen, strict=True))
            for chosen in permutations(range(count), len(labels))
        ]
        for labels in kinds
    ]
    return max(agreements(names, ensemble) for names in product(*ways))


def meta_votes(ensemble, meta, count):
    """Mean indicator of each object in the clusters of each meta-cluster (MCLA)."""
    groups = [[] for _ in range(count)]
    for (_, _, members), group in zip(clusters(ensemble), meta, strict=True):
        groups[group].append(members)
    return [
        [np.mean([x in members for members in group]) if group else 0.0 for group in groups]
        for x in range(len(ensemble))
    ]


def refined_colours(ensemble, weights=None):
    """Colours of the objects, refined until they tell apart what counting can tell apart.

    A colour is the rank of all that is known of an object, a cluster or a clustering.
    """
    n, m = len(ensemble), len(ensemble[0])
    factors = [1] * m if weights is None else list(weights)
    sets = [(j, objects) for j, _, objects in clusters(ensemble)]
    rows, members, groups = [0] * n, factors, [0] * len(sets)
    before = 0
    while len({*rows}) + len({*members}) + len({*groups}) > before:
        before = len({*rows}) + len({*members}) + len({*groups})
        groups = _ranks(
            (group, members[j], *sorted(rows[x] for x in objects))
            for group, (j, objects) in zip(groups, sets, strict=True)
        )
        owned = list(zip(groups, sets, strict=True))
        members = _ranks(
            (members[j], *sorted(group for group, (i, _) in owned if i == j)) for j in range(m)
        )
        rows = _ranks(
            (rows[x], *sorted((members[j], group) for group, (j, objects) in owned if x in objects))
            for x in range(n)
        )
    return rows


def _ranks(keys):
    keys = list(keys)
    order = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [order[key] for key in keys]


@st.composite
def ensembles(draw, *, objects=8, members=4, clusters=3, missing=True):
    """Small ensembles; every clustering knows some object."""
    n, m = draw(st.integers(1, objects)), draw(st.integers(1, members))
    label = st.integers(0, clusters - 1)
    if missing:
        label = st.one_of(label, label, label, st.none())
    row = st.lists(label, min_size=m, max_size=m)
    ensemble = draw(st.lists(row, min_size=n, max_size=n))
    for j in range(m):
        if all(row[j] is None for row in ensemble):
            ensemble[draw(st.integers(0, n - 1))][j] = 0
    return ensemble


def columns(ensemble):
    """One list of labels for each clustering, as estimators take them."""
    return [list(column) for column in zip(*ensemble, strict=True)]


def planted(n, m, k, noise=0.2, seed=0):
    """Classes, and noisy copies of them under other names."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, k, n)
    members = [
        np.where(rng.random(n) < noise, rng.integers(0, k, n), rng.permutation(k)[classes])
        for _ in range(m)
    ]
    return np.array(members).T, classes


@st.composite
def labelled_ensembles(draw):
    """Labels and an ensemble, some labels missing; one cluster and single objects among them."""
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    labels = random.integers(0, draw(st.sampled_from([1, 3, 100])), n).tolist()
    ensemble = random.integers(0, draw(st.sampled_from([1, 3, 50])), (n, m)).astype(float)
    ensemble[random.random((n, m)) < draw(st.sampled_from([0, 0.3]))] = np.nan
    ensemble[0] = 0
    return labels, ensemble


def normalised_objective(labels, together, total):
    """Normalised φ with k1 = 1 and k2 = -1, from the weights by which objects are together."""
    sets = [np.flatnonzero(labels == k) for k in range(max(labels) + 1)]

    def inner(one):
        pairs = [together[x, y] / total for x, y in combinations(one, 2)]
        return np.mean(pairs) if pairs else 0.0

    if len(sets) == 1:
        return 1.0 if inner(sets[0]) >= 1 else 0.0
    value = 0.0
    for one in sets:
        nearest = max(together[np.ix_(one, other)].mean() for other in sets if other is not one)
        value += len(one) / len(labels) * (inner(one) - nearest / total)
    return value


def bipartite_angles(ensemble, weights=None):
    """Angles of the singular values of the normalised objects × clusters matrix, ascending."""
    weights = [1] * len(ensemble[0]) if weights is None else weights
    columns = [
        [weights[j] * (x in objects) for x in range(len(ensemble))]
        for j, _, objects in clusters(ensemble)
    ]
    graph = np.array(columns, float).T
    graph /= np.sqrt(np.outer(graph.sum(axis=1), graph.sum(axis=0)))
    return np.arccos(np.clip(np.linalg.svd(graph, compute_uv=False), 0, 1))
