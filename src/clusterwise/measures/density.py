r"""Measures that compare the density profiles of two clusterings.

They are based on the features, so the two clusterings may be of different objects.
With :math:`V_k` the profile of cluster k (its counts in all bins of all features),
:math:`\mathrm{sim}(a, b) = \max_\rho \sum_k V_k \cdot V'_{\rho(k)}` over all matchings.
"""

from math import sqrt
from typing import Any, Literal, Unpack

from clusterwise._utils.errors import InputError
from clusterwise.inputs.binning.binning import Binning, Method
from clusterwise.inputs.clusterings import Align, LabelOptions, Missing, Noise
from clusterwise.inputs.features import take_rows
from clusterwise.inputs.labels import read_label_pair, read_labels
from clusterwise.measures._label_options import (
    documented,
    first_changed,
    label_options,
    warn_of_matching,
)
from clusterwise.measures._profile_products import (
    Kernel,
    MatchingKind,
    ProfileMatching,
    apply_kernel,
    kernel_products,
    match,
    pair_products,
    products,
    sample_profile,
)
from clusterwise.summaries.profile.profile import DensityProfile, require_same_binning

Size = Literal["as-is", "sample"]
# Different profiles of fewer than 10^11 objects differ by more than this from a score of 1.
_ROUNDING = 1e-12


@documented
def adco_score(
    a: Any,
    b: Any,
    X: Any = None,
    *,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    size: Size = "as-is",
    profile: Literal["features", "pairs"] = "features",
    kernel: Kernel = "linear",
    matching: MatchingKind = "one-to-one",
    random_state: Any = None,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""ADCO: the similarity of the density profiles of two clusterings.

    .. math:: ADCO(a, b) = \frac{\mathrm{sim}(a, b)}{\max(\mathrm{sim}(a, a), \mathrm{sim}(b, b))}

    Symmetric, from 0 to 1. 1 if and only if the profiles are equal up to the order of clusters;
    different clusterings may have equal profiles, since objects with equal features are
    exchangeable. 1 if neither clustering has objects, 0 if one of them has none.

    Parameters
    ----------
    a, b : array-like of shape (n,), or DensityProfile
        Labels or memberships of the objects in ``X``; or two profiles with the same binning, of
        any objects.
    X : array-like or frame of shape (n, R), optional
        The features, if ``a`` and ``b`` are labels.
    binning : Binning or {"width", "auto", "frequency", "mdl", "nominal"}, default="width"
        A fitted binning, or the method to fit one to ``X`` (``"mdl"`` with ``a`` as classes).
    n_bins : int, default=10
        Bins per feature, if a binning is fitted.
    size : {"as-is", "sample"}, default="as-is"
        ADCO decreases with the ratio of the numbers of objects: profiles (1, 1) and (100, 100)
        score 0.01. ``"sample"`` first draws a stratified sample of the larger clustering; the
        score is then random, but still symmetric for a fixed seed.
    profile : {"features", "pairs"}, default="features"
        ``"pairs"`` compares the joint profiles of all pairs of features, which depend on the
        association of features, with the same range and properties; it needs ``X`` and takes R
        times as long.
    kernel : {"linear", "poly", "rbf"} or callable, default="linear"
        The dot product, its square, a Gaussian of the distance, or any positive definite
        function of two arrays of profiles. With all of them the score is symmetric, 1 for equal
        profiles, and at least 0 for nonnegative kernels.
    matching : {"one-to-one", "soft"}, default="one-to-one"
        ``"soft"`` matches clusters by an optimal transport plan between clusters of equal
        weight, so that no cluster is left out if the numbers of clusters differ. The value is
        the same if they do not, with the same range and properties.
    random_state : int, RandomState or Generator, optional
        Seed of the sample.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    adco_distance : The corresponding distance.
    profile_cosine_score : Independent of the numbers of objects.

    References
    ----------
    .. [1] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density
       profiles and its application to the discovery of alternate clusterings. Data Mining
       and Knowledge Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z

    Examples
    --------
    Two clusterings that disagree on most pairs, but have the same profiles:

    >>> from clusterwise import adco_score, rand_score
    >>> names = [["Bob"], ["Bob"], ["Alice"], ["Alice"]]
    >>> adco_score([1, 2, 1, 2], [2, 1, 1, 2], names)
    1.0
    >>> round(rand_score([1, 2, 1, 2], [2, 1, 1, 2]), 2)
    0.33
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    if profile == "pairs":
        found = _match_pairs(a, b, X, binning, n_bins, kernel, matching, options)
    else:
        first, second = read_profiles(a, b, X, binning=binning, n_bins=n_bins, **options)
        first, second = _equalize_sizes(first, second, size, random_state)
        found = match_profiles(first, second, kernel, matching)
    largest = max(found.own_a, found.own_b)
    return min(1.0, found.similarity / largest) if largest else 1.0


@documented
def adco_distance(
    a: Any,
    b: Any,
    X: Any = None,
    *,
    metric: bool = False,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    size: Size = "as-is",
    profile: Literal["features", "pairs"] = "features",
    kernel: Kernel = "linear",
    matching: MatchingKind = "one-to-one",
    random_state: Any = None,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""ADCO distance: 1 - ADCO, or a variant that is a metric.

    ``1 - ADCO`` is no metric: the profiles (0, 1, 1, 5), (0, 0, 4, 3) and (1, 1, 5, 0) violate
    the triangle inequality by 2/9. With ``metric=True`` it is ``2 - ADCO`` for different
    profiles and 0 for equal ones, which is a metric.

    Parameters
    ----------
    a, b : array-like of shape (n,), or DensityProfile
        As in :func:`adco_score`.
    X : array-like or frame of shape (n, R), optional
        As in :func:`adco_score`.
    metric : bool, default=False
        Return the variant that is a metric.
    binning, n_bins, size, profile, kernel, matching, random_state
        As in :func:`adco_score`.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, or to 2 with ``metric=True``; lower is more similar.

    See Also
    --------
    adco_score : The similarity.

    References
    ----------
    .. [1] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density
       profiles and its application to the discovery of alternate clusterings. Data Mining
       and Knowledge Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z

    Examples
    --------
    Equal profiles have distance 0 in both variants, others at least 1 in the second:

    >>> from clusterwise import adco_distance
    >>> X = [[1.0], [2.0], [9.0], [10.0]]
    >>> adco_distance([0, 0, 1, 1], [1, 1, 0, 0], X, metric=True)
    0.0
    >>> adco_distance([0, 0, 1, 1], [0, 1, 0, 1], X, n_bins=2)
    0.5
    >>> adco_distance([0, 0, 1, 1], [0, 1, 0, 1], X, n_bins=2, metric=True)
    1.5
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    score = adco_score(
        a,
        b,
        X,
        binning=binning,
        n_bins=n_bins,
        size=size,
        profile=profile,
        kernel=kernel,
        matching=matching,
        random_state=random_state,
        **options,
    )
    if not metric:
        return 1.0 - score
    return 0.0 if score >= 1.0 - _ROUNDING else 2.0 - score


@documented
def profile_cosine_score(
    a: Any,
    b: Any,
    X: Any = None,
    *,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> float:
    r"""Cosine of the density profiles of two clusterings, with clusters matched one to one.

    .. math:: \frac{\mathrm{sim}(a, b)}{\sqrt{\mathrm{sim}(a, a)\, \mathrm{sim}(b, b)}}

    Symmetric, from 0 to 1, at least ADCO. It depends on proportions only, so it does not
    decrease if one clustering has more objects than the other.

    Parameters
    ----------
    a, b : array-like of shape (n,), or DensityProfile
        As in :func:`adco_score`.
    X : array-like or frame of shape (n, R), optional
        As in :func:`adco_score`.
    binning : Binning or {"width", "auto", "frequency", "mdl", "nominal"}, default="width"
        As in :func:`adco_score`.
    n_bins : int, default=10
        Bins per feature, if a binning is fitted.
    {label_options}

    Returns
    -------
    float
        From 0 to 1, higher is more similar.

    See Also
    --------
    adco_score : Depends on the numbers of objects too.

    References
    ----------
    .. [1] E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density
       profiles and its application to the discovery of alternate clusterings. Data Mining
       and Knowledge Discovery 21 (2010) 427-471. https://doi.org/10.1007/s10618-009-0164-z

    Examples
    --------
    A hundred times as many objects with the same proportions:

    >>> from clusterwise import Binning, DensityProfile, adco_score, profile_cosine_score
    >>> binning = Binning(n_bins=2).fit([[0.0], [1.0]])
    >>> few = DensityProfile.from_data([[0.0], [1.0]], [0, 0], binning=binning)
    >>> many = DensityProfile.from_data([[0.0], [1.0]] * 100, [0] * 200, binning=binning)
    >>> adco_score(few, many), profile_cosine_score(few, many)
    (0.01, 1.0)
    """
    options = label_options(sample_weight, noise, noise_label, align, missing)
    first, second = read_profiles(a, b, X, binning=binning, n_bins=n_bins, **options)
    found = match_profiles(first, second)
    norm = sqrt(found.own_a * found.own_b)
    if not norm:
        return 1.0 if found.own_a == found.own_b else 0.0
    return min(1.0, found.similarity / norm)


def read_profiles(
    a: Any,
    b: Any,
    X: Any = None,
    *,
    binning: Binning | Method = "width",
    n_bins: int = 10,
    **options: Unpack[LabelOptions],
) -> tuple[DensityProfile, DensityProfile]:
    """Return two ready profiles, or those of two clusterings of the same data."""
    ready = [isinstance(side, DensityProfile) for side in (a, b)]
    if all(ready):
        extra = "X" if X is not None else first_changed(options)
        if extra is not None:
            raise InputError(f"a and b are ready profiles; leave {extra} out.")
        require_same_binning(a, b)
        return a, b
    if any(ready) or X is None:
        raise InputError("pass two clusterings and X, or two ready DensityProfiles.")
    binning = fit_binning(X, a, binning, n_bins, options.get("missing", "error"))
    first, second = read_label_pair(a, b, **options)
    warn_of_matching(first.matched)
    from_data = DensityProfile.from_data
    return from_data(X, first, binning=binning), from_data(X, second, binning=binning)


def fit_binning(
    X: Any, a: Any, binning: Binning | Method, n_bins: int, missing: Missing = "error"
) -> Binning:
    """Fit a binning to X, for MDL with the clusters of a as classes; or return the fitted one."""
    if isinstance(binning, Binning):
        return binning
    if binning != "mdl":
        return Binning(binning, n_bins).fit(X)
    classes = read_labels(a, missing=missing)
    if classes.memberships is not None:
        raise InputError(
            "binning='mdl' needs hard labels as classes, but a is soft; use another binning."
        )
    rows = X if classes.kept is None else take_rows(X, classes.kept)
    return Binning(binning, n_bins).fit(rows, classes.codes.positions())


def match_profiles(
    a: DensityProfile,
    b: DensityProfile,
    kernel: Kernel = "linear",
    matching: MatchingKind = "one-to-one",
) -> ProfileMatching:
    """Return the best matching of the clusters of two profiles."""
    if callable(kernel):
        return match(kernel_products(a, b, kernel), matching)
    return match(apply_kernel(products(a, b), kernel), matching)


def _match_pairs(
    a: Any, b: Any, X: Any, binning: Any, n_bins: int, kernel: Kernel, matching: MatchingKind,
    options: LabelOptions,
) -> ProfileMatching:  # fmt: skip
    if X is None:
        raise InputError("profile='pairs' needs labels and X; profiles are of single features.")
    if callable(kernel):
        raise InputError("profile='pairs' takes a kernel by name; use 'linear', 'poly' or 'rbf'.")
    labels = read_label_pair(a, b, **options)
    if any(
        one.memberships is not None or one.weights is not None or one.kept is not None
        for one in labels
    ):
        raise InputError("profile='pairs' takes hard labels without weights; leave those out.")
    binning = fit_binning(X, a, binning, n_bins, options.get("missing", "error"))
    return match(apply_kernel(pair_products(X, labels[0], labels[1], binning), kernel), matching)


def _equalize_sizes(
    a: DensityProfile, b: DensityProfile, size: Size, random_state: Any
) -> tuple[DensityProfile, DensityProfile]:
    if size == "as-is" or a.n == b.n:
        return a, b
    if a.n > b.n:
        return sample_profile(a, int(b.n), random_state), b
    return a, sample_profile(b, int(a.n), random_state)
