"""Definitions of the stability of clusters, object by object."""

from fractions import Fraction

NOISE, NOT_DRAWN = -1, -2


def jaccard(one: set, other: set) -> Fraction:
    """The Jaccard index; 0 for two empty sets, as in Hennig's clusterboot."""
    return Fraction(len(one & other), len(one | other)) if one | other else Fraction(0)


def clusters_of(labels, objects):
    """The objects of each cluster, by its label."""
    found = {}
    for i in objects:
        if labels[i] >= 0:
            found.setdefault(labels[i], set()).add(i)
    return found


def recovery(codes, size, copies):
    """Best Jaccard index, partner (if lost) and votes, each from its definition."""
    jaccards, partners = [], []
    votes = [[0] * (size + 1) for _ in codes]
    for copy in copies:
        drawn = [i for i, label in enumerate(copy) if label != NOT_DRAWN]
        own = {k: {i for i in drawn if codes[i] == k} for k in range(size)}
        found = clusters_of(copy, drawn)
        best = [max((jaccard(own[k], one) for one in found.values()), default=Fraction(0))
                for k in range(size)]  # fmt: skip
        jaccards.append(best)
        partners.append(
            [partner(k, own, found) if best[k] < Fraction(1, 2) else NOT_DRAWN for k in range(size)]
        )
        for i in drawn:
            votes[i][vote(found.get(copy[i], set()), own, size)] += 1
    return jaccards, partners, votes


def partner(k, own, found):
    """What most of the objects of a lost cluster are merged with."""
    if not own[k]:
        return NOT_DRAWN
    noise = own[k] - set().union(*found.values())
    if 2 * len(noise) > len(own[k]):
        return NOISE
    for one in found.values():
        if 2 * len(own[k] & one) > len(own[k]):
            others = {j: len(own[j] & one) for j in own if j != k}
            most = max(others.values(), default=0)
            return min(j for j, count in others.items() if count == most) if most else NOT_DRAWN
    return NOT_DRAWN


def vote(one, own, size):
    """The cluster of the data that a cluster of a copy resembles most; ``size`` for noise."""
    scores = [jaccard(own[k], one) for k in range(size)]
    return max(range(size), key=lambda k: (scores[k], -k)) if max(scores) > 0 else size
