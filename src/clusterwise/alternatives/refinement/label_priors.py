"""How clusters meet what is given: as chance has it, or as somebody planned it.

In a design every combination of clusters occurs as often as their sizes ask for: so many faces of
each person in each pose. Where objects are hard to tell apart, it helps to know that. Whether
there is one the objects say themselves: by how likely all of them together are, with it and
without it. So do the sizes of given clusters, which are all the same in many a plan.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from clusterwise.inputs.encoding import Array

# The variance of how often clusters meet in a design: it need not be a whole number, nor exact.
_LOOSE = 0.5
# A design is looked for only where combinations of clusters have so many objects on average.
_FEWEST = 5
_STEPS = 60
_EXACT = 1e-6


class Meeting(NamedTuple):
    """Objects in clusters, as something has it.

    ``shares`` say how likely each cluster is for each object, K × n; ``evidence`` is the logarithm
    of how likely all objects are.
    """

    shares: Array
    evidence: float

    def plus(self, evidence: float) -> "Meeting":
        """The same with so much more evidence."""
        return self._replace(evidence=self.evidence + evidence)


def settle(values: Array, joint: Array, shares: Array) -> Array:
    """How likely each cluster is for each object, K × n.

    ``values`` are logarithms of how likely objects are in clusters, K × n; ``joint`` are
    the codes of what is given, and ``shares`` those so far. All ways in which clusters may meet
    have a say, each as much as it makes the objects likely.
    """
    together, mixed = -np.inf, np.zeros_like(values)
    for way in _list_ways(values, joint, shares):
        before, together = together, float(np.logaddexp(together, way.evidence))
        mixed *= np.exp(before - together)
        mixed += way.shares * np.exp(way.evidence - together)
    return mixed


def _list_ways(values: Array, joint: Array, shares: Array) -> Iterator[Meeting]:
    """One after the other, since each is as large as the values."""
    by_chance = meet_by_chance(values, shares)
    likely = by_chance.shares.mean(axis=1)
    sizes = np.bincount(joint)
    enough = joint.size >= _FEWEST * sizes.size * len(values)
    if enough:
        # What hangs on what is given is no reason to become more like it.
        evidence = np.logaddexp(by_chance.evidence, _depend(values, joint, shares))
        by_chance = by_chance._replace(evidence=float(evidence))
    yield by_chance
    yield meet_evenly(values).plus(_favour(_draw_sizes(sizes), sizes))
    if enough:
        even = np.full(len(values), 1.0 / len(values))
        yield meet_by_design(values, joint, even).plus(_favour(_plan_sizes(sizes), sizes))
        # The sizes of cells are all but certain in it, so that they tell more about shares (BIC).
        told = float((sizes.astype(float) ** 2).sum()) / _LOOSE
        yield meet_by_design(values, joint, likely).plus(-_price(values, told))


def _favour(likely: float, sizes: Array) -> float:
    """How much sizes of given clusters speak for what would make them so likely (logarithms).

    They speak against it by half at most: clusters that are found may be of one size, by
    chance or by a plan, where those that are given are of any.
    """
    n, count = int(sizes.sum()), sizes.size
    anyhow = gammaln(n + 1) + gammaln(count) - gammaln(n + count)
    return float(np.logaddexp(0.0, likely - anyhow) - np.log(2.0))


def _draw_sizes(sizes: Array) -> float:
    """How likely sizes are if every object takes a cluster by chance (logarithm)."""
    n = int(sizes.sum())
    return float(gammaln(n + 1) - gammaln(sizes + 1).sum() - n * np.log(sizes.size))


def _plan_sizes(sizes: Array) -> float:
    """How likely sizes are if they are to be the same (logarithm)."""
    apart = sizes - sizes.mean()
    spread = (sizes.size - 1) * np.log(2 * np.pi * _LOOSE) - np.log(sizes.size)
    return -0.5 * float(apart @ apart / _LOOSE + spread)


def meet_by_chance(values: Array, shares: Array) -> Meeting:
    """Clusters have their mean shares, whatever is given."""
    met = _weigh(values, np.log(shares.mean(axis=1))[:, None])
    return met.plus(-_price(values, values.shape[1]))


def meet_evenly(values: Array) -> Meeting:
    """Clusters have like shares, whatever is given."""
    return _weigh(values, np.full((len(values), 1), -np.log(len(values))))


def _depend(values: Array, joint: Array, shares: Array) -> float:
    """The evidence if chances hang on what is given."""
    table = np.stack([np.bincount(joint, share) for share in shares])
    sizes = np.bincount(joint)
    with np.errstate(divide="ignore"):
        chances = np.log(table / sizes)
    price = 0.5 * (len(values) - 1) * float(np.log(sizes).sum())
    return _weigh(values, np.take(chances, joint, axis=1)).evidence - price


def _price(values: Array, information: float) -> float:
    """What shares of clusters cost, if objects tell so much about each (BIC)."""
    return 0.5 * (len(values) - 1) * float(np.log(information))


def meet_by_design(values: Array, joint: Array, shares: Array) -> Meeting:
    """Clusters have their shares of everything that is given."""
    found = Meeting(np.empty_like(values), 0.0)
    for cell in range(int(joint.max()) + 1):
        here = np.flatnonzero(joint == cell)
        part = meet(np.take(values, here, axis=1), here.size * shares)
        found.shares[:, here] = part.shares
        found = Meeting(found.shares, found.evidence + part.evidence)
    return found


def meet(values: Array, wanted: Array) -> Meeting:
    """Objects among which clusters have about the wanted sizes.

    Prices on clusters make the sizes that are to be expected the wanted ones. What the objects'
    shares of clusters are among all labels with these sizes, and the evidence, follow from
    them but for an approximation, that of the saddle point.
    """
    priced, prices = find_prices(values, wanted)
    # Sizes add up, so that the first one follows from the others.
    contrast = np.eye(wanted.size)[1:] - 1.0 / wanted.size
    spread = contrast @ _vary(priced.shares) @ contrast.T
    _, volume = np.linalg.slogdet(2 * np.pi * spread)
    arrangements = gammaln(wanted.sum() + 1) - gammaln(wanted + 1).sum()
    evidence = _judge(priced, prices, wanted) - 0.5 * float(volume) - float(arrangements)
    return Meeting(priced.shares, evidence)


def find_prices(values: Array, wanted: Array) -> tuple[Meeting, Array]:
    """Where a smooth convex function of prices is least, by Newton's method."""
    prices = np.zeros(wanted.size)
    here = _weigh(values, prices[:, None])
    for _ in range(_STEPS):
        slope = here.shares.sum(axis=1) - wanted + _LOOSE * prices
        if np.abs(slope).max() <= _EXACT:
            break
        step = np.linalg.solve(_vary(here.shares), slope)
        value = _judge(here, prices, wanted)
        while True:
            there = _weigh(values, (prices - step)[:, None])
            if _judge(there, prices - step, wanted) <= value or np.abs(step).max() <= _EXACT:
                break
            step /= 2
        here, prices = there, prices - step
    return here, prices


def _judge(priced: Meeting, prices: Array, wanted: Array) -> float:
    """What prices are to make least."""
    return priced.evidence - float(wanted @ prices) + 0.5 * _LOOSE * float(prices @ prices)


def _vary(shares: Array) -> Array:
    """The covariances of sizes, if every object takes a cluster by chance."""
    return np.diag(shares.sum(axis=1) + _LOOSE) - shares @ shares.T


def _weigh(values: Array, weights: Array) -> Meeting:
    """Every object takes a cluster by chance; weights are logarithms."""
    shares = values + weights
    top = shares.max(axis=0)
    shares -= top
    np.exp(shares, out=shares)
    total = shares.sum(axis=0)
    shares /= total
    return Meeting(shares, float(np.log(total).sum() + top.sum()))
