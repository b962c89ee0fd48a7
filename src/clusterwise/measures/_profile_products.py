"""Products and kernels of density profiles, their matchings, and samples of profiles."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.labels import Labels
from clusterwise.measures._transport_solver import solve_transport
from clusterwise.summaries.contingency.assignment import best_matching
from clusterwise.summaries.contingency.cells import DenseCells, unit_of_weights
from clusterwise.summaries.profile.profile import DensityProfile, require_same_binning

Kernel = Literal["linear", "poly", "rbf"] | Callable[[Array, Array], Array]
MatchingKind = Literal["one-to-one", "soft"]


class ProfileProducts(NamedTuple):
    """Dot products of the profiles of all clusters of a and b, and of each with itself."""

    cross: Array
    own_a: Array
    own_b: Array


class ProfileMatching(NamedTuple):
    """The similarity by the best matching, and that of each clustering with itself."""

    similarity: float
    own_a: float
    own_b: float
    plan: Array


def products(a: DensityProfile, b: DensityProfile) -> ProfileProducts:
    """Return the products of two profiles with the same bins, up to a common factor.

    The factor is 1 unless weights are so large that products could overflow.
    """
    require_same_binning(a, b)
    unit = unit_of_weights(float(max(a.n, b.n)))
    first, second = a.counts.astype(np.float64) / unit, b.counts.astype(np.float64) / unit
    return ProfileProducts(
        first @ second.T, (first * first).sum(axis=1), (second * second).sum(axis=1)
    )


def pair_products(X: Any, a: Labels, b: Labels, binning: Binning) -> ProfileProducts:
    """Return the products of the joint profiles of all pairs of features.

    Joint profiles have a cell for each pair of bins of each pair of features, O(R²Q²) in all.
    They are computed for one pair of features at a time and not stored.
    """
    codes = binning.bins(X).codes
    clusterings = [
        (labels.codes.exact().positions(), labels.codes.exact().size) for labels in (a, b)
    ]
    (_, height), (_, width) = clusterings
    cross, own_a, own_b = np.zeros((height, width)), np.zeros(height), np.zeros(width)
    for r in range(len(codes)):
        for s in range(r):
            joint = codes[r].astype(np.int64) * binning.features[s].size + codes[s]
            bins, joint = np.unique(joint, return_inverse=True)
            first, second = (
                np.bincount(labels * bins.size + joint, minlength=k * bins.size)
                .reshape(k, bins.size)
                .astype(np.float64)
                for labels, k in clusterings
            )
            cross += first @ second.T
            own_a += (first * first).sum(axis=1)
            own_b += (second * second).sum(axis=1)
    used_a, used_b = own_a > 0, own_b > 0
    return ProfileProducts(cross[np.ix_(used_a, used_b)], own_a[used_a], own_b[used_b])


def apply_kernel(found: ProfileProducts, kernel: Kernel) -> ProfileProducts:
    """Apply a kernel to the products: their square, or a Gaussian of the distance.

    The squared width of the Gaussian is the mean squared norm of all profiles.
    """
    if kernel == "linear":
        return found
    if kernel == "poly":
        return ProfileProducts(found.cross**2, found.own_a**2, found.own_b**2)
    squared_norms = np.concatenate([found.own_a, found.own_b])
    width = squared_norms.mean() if squared_norms.size else 1.0
    distance = found.own_a[:, None] + found.own_b - 2 * found.cross
    ones = np.ones_like
    return ProfileProducts(np.exp(-distance / width), ones(found.own_a), ones(found.own_b))


def kernel_products(
    a: DensityProfile, b: DensityProfile, kernel: Callable[[Array, Array], Array]
) -> ProfileProducts:
    """Return the values of a kernel function of two arrays of profiles, clusters × bins each."""
    require_same_binning(a, b)
    first, second = a.counts.astype(np.float64), b.counts.astype(np.float64)
    cross = np.asarray(kernel(first, second), np.float64)
    if cross.shape != (len(first), len(second)):
        raise InputError(
            f"kernel returned shape {cross.shape}, not {(len(first), len(second))}; it must return "
            "a value for each pair of rows."
        )
    return ProfileProducts(cross, np.diag(kernel(first, first)), np.diag(kernel(second, second)))


def match(found: ProfileProducts, matching: MatchingKind) -> ProfileMatching:
    """Return the matching with the largest similarity.

    ``"one-to-one"`` is an assignment of min(K, J) pairs; ``"soft"`` an optimal transport plan
    between clusters of equal weight, 1/K and 1/J.
    """
    height, width = found.cross.shape
    plan = np.zeros((height, width))
    if matching == "one-to-one":
        best = best_matching(DenseCells(found.cross))
        plan[best.rows, best.columns] = 1.0
        own_a, own_b = float(found.own_a.sum()), float(found.own_b.sum())
        return ProfileMatching(float(best.overlap), own_a, own_b, plan)
    transport = solve_transport(np.ones(height), np.ones(width), DenseCells(found.cross))
    plan[transport.rows, transport.columns] = transport.amounts
    own_a, own_b = (float(own.mean()) if own.size else 0.0 for own in (found.own_a, found.own_b))
    return ProfileMatching(float((plan * found.cross).sum()), own_a, own_b, plan)


def sample_profile(profile: DensityProfile, n: int, random_state: Any = None) -> DensityProfile:
    """Return the profile of a stratified sample of n objects.

    Clusters keep their proportions. Objects are drawn without replacement, independently for
    each feature, since a profile does not contain the joint distribution of features.
    """
    if profile.counts.dtype.kind == "f":
        raise InputError("size='sample' needs integer counts; leave fractional weights out.")
    random = as_generator(random_state)
    exact = profile.sizes * (n / profile.n)
    sizes = np.floor(exact).astype(np.int64)
    # The largest remainders get the objects that rounding down left over.
    for k in np.argsort(sizes - exact, kind="stable")[: n - int(sizes.sum())]:
        sizes[k] += 1
    counts = np.zeros_like(profile.counts)
    offsets = profile.binning.offsets
    for k, size in enumerate(sizes.tolist()):
        for begin, end in pairwise(offsets.tolist()):
            counts[k, begin:end] = random.multivariate_hypergeometric(
                profile.counts[k, begin:end], size
            )
    outside = np.zeros(len(profile.binning.features), np.int64)
    kept = np.flatnonzero(sizes)
    return DensityProfile(counts[kept], profile.names[kept], profile.binning, outside, outside)
