"""DQ: quality of an alternative clustering combined with its dissimilarity from given ones."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise, as_hard_clustering
from clusterwise.inputs.distances import Distances
from clusterwise.inputs.encoding import is_sequence_label, refuse_sparse
from clusterwise.inputs.features import read_features
from clusterwise.measures.catalogue import Measure, find_measure
from clusterwise.measures.quality import find_quality
from clusterwise.summaries.contingency.contingency import Contingency

Dissimilarity = str | Callable[[Any, Any], float]

_SHORT_NAMES = {"jaccard": "pair_jaccard_score"}


class DQ(NamedTuple):
    """Dissimilarity and quality of an alternative, and their harmonic mean."""

    dissimilarity: float
    quality: float
    dq: float


@check_arguments
def dq_score(
    X: Any,
    given: Any,
    alternative: Any,
    *,
    dissimilarity: Dissimilarity = "jaccard",
    quality: str | Callable[..., float] = "dunn",
    noise: Noise = "cluster",
    noise_label: Any = -1,
    **options: Any,
) -> float:
    r"""DQ: the harmonic mean of the dissimilarity and the quality of an alternative clustering.

    .. math:: DQ = \frac{2 d q}{d + q}

    with the dissimilarity d, from 0 to 1, and the quality q. It is large only if both are. At
    least 0 and at most 2d; at most 1 if the quality is, which Dunn's index and the
    Calinski-Harabasz index need not be. An infinite quality (see :func:`dunn_score`) gives 2d.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), or Distances
        The objects.
    given : array-like of shape (n,) or (n, m), or list of m array-likes of shape (n,)
        The given clustering, or several, one per column. Of several, the one most similar to
        the alternative counts: with a mean, a copy of one of them could score well.
    alternative : array-like of shape (n,)
        The clustering to be scored.
    dissimilarity : str or callable, default="jaccard"
        A measure of ``list_measures()`` by name; ``"jaccard"`` is short for
        ``"pair_jaccard_score"``. Similarities s count as 1 - s, distances are divided by their
        largest value for n objects, and values below 0 (worse than chance) count as 0. Or a
        function of two clusterings that returns a dissimilarity from 0 to 1.
    quality : str or callable, default="dunn"
        A quality by name, see :func:`~clusterwise.measures.quality.quality_score`. Qualities
        that may be negative, or of which lower is better, are transformed: the silhouette s to
        (1 + s)/2, the Davies-Bouldin index v to 1/(1 + v). Or a function of X and labels with
        values of at least 0, higher is better.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Treat objects labelled ``noise_label`` as one cluster, as singleton clusters, or drop
        them.
    noise_label : default=-1
        The label of noise.
    **options
        Options of the quality, such as ``metric``, ``between`` and ``within``.

    Returns
    -------
    float
        0 or more, higher is better.

    See Also
    --------
    dq_parts : DQ with its two parts.

    Notes
    -----
    The papers that define DQ write the Jaccard index where the dissimilarity is meant ("a higher
    value indicates higher dissimilarity"); here it is 1 minus the index.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    Four groups at the corners of a rectangle. Given the clustering into left and right, top and
    bottom is an alternative:

    >>> from clusterwise import dq_parts, dq_score
    >>> X = [[0, 0], [0, 1], [0, 8], [0, 9], [9, 0], [9, 1], [9, 8], [9, 9]]
    >>> given, other = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> round(dq_score(X, given, other), 2)
    0.79

    DQ is as sensitive to outliers as Dunn's index: separating one outlier from all other objects
    scores higher than top and bottom, whether it belongs to the bottom or is a third cluster:

    >>> X, given = [*X, [40, 0]], [*given, 1]
    >>> [round(value, 2) for value in dq_parts(X, given, [*other, 0])]
    [0.77, 0.17, 0.29]
    >>> [round(value, 2) for value in dq_parts(X, given, [*other, 2])]
    [0.83, 0.77, 0.8]
    >>> [round(value, 2) for value in dq_parts(X, given, [0, 0, 0, 0, 0, 0, 0, 0, 1])]
    [0.62, 2.44, 0.99]
    """
    if not callable(quality):
        find_quality(quality, options, dq_score)  # errors name this function, not dq_parts
    return dq_parts(
        X,
        given,
        alternative,
        dissimilarity=dissimilarity,
        quality=quality,
        noise=noise,
        noise_label=noise_label,
        **options,
    ).dq


@check_arguments
def dq_parts(
    X: Any,
    given: Any,
    alternative: Any,
    *,
    dissimilarity: Dissimilarity = "jaccard",
    quality: str | Callable[..., float] = "dunn",
    noise: Noise = "cluster",
    noise_label: Any = -1,
    **options: Any,
) -> DQ:
    """Dissimilarity and quality of an alternative, and their harmonic mean DQ.

    Parameters
    ----------
    X, given, alternative, dissimilarity, quality, noise, noise_label
        As in :func:`dq_score`.
    **options
        Options of the quality.

    Returns
    -------
    DQ
        ``dissimilarity``, ``quality`` (transformed) and ``dq``.

    Examples
    --------
    An independent clustering, and the given one with other labels:

    >>> from clusterwise import dq_parts
    >>> dq_parts([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], [0, 1, 0, 1])
    DQ(dissimilarity=1.0, quality=1.0, dq=1.0)
    >>> dq_parts([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], ["a", "a", "b", "b"])
    DQ(dissimilarity=0.0, quality=1.0, dq=0.0)
    """
    label_options = {"noise": noise, "noise_label": noise_label}
    as_hard_clustering(alternative, "alternative")  # to name it in errors
    if callable(quality):
        q = float(quality(X, alternative, **options))
    else:
        found = find_quality(quality, options, dq_parts)
        q = found.merit(found.function(X, alternative, **label_options, **options))
    if not q >= 0:
        raise InputError(f"the quality is {q}, but DQ needs at least 0; use another quality.")
    n = X.n if isinstance(X, Distances) else read_features(X).n
    clusterings = _clusterings(given, n)
    if not clusterings:
        raise InputError("given has no columns; pass at least one clustering.")
    d = min(
        _dissimilarity(X, one, alternative, dissimilarity, label_options) for one in clusterings
    )
    return DQ(d, q, harmonic_mean(d, q))


def harmonic_mean(first: float, second: float) -> float:
    """Return the harmonic mean of two nonnegative numbers, which may be infinite."""
    return 2.0 / (1.0 / first + 1.0 / second) if first and second else 0.0


def _dissimilarity(
    X: Any, given: Any, alternative: Any, kind: Dissimilarity, label_options: dict[str, Any]
) -> float:
    if callable(kind):
        value = float(kind(given, alternative))
        if not 0 <= value <= 1:
            raise InputError(f"the dissimilarity is {value}, but DQ needs one from 0 to 1.")
        return value
    measure = find_measure(_SHORT_NAMES.get(kind, kind), "dissimilarity")
    return _normalized(measure, X, given, alternative, label_options)


def _normalized(
    measure: Measure, X: Any, given: Any, alternative: Any, label_options: dict[str, Any]
) -> float:
    """Return a measure as a dissimilarity from 0 to 1."""
    given = as_hard_clustering(given, "given")
    table = Contingency.from_labels(given, alternative, **label_options)
    largest = measure.upper_end(table.n)
    if not isfinite(largest):
        raise InputError(f"{measure.name} has no largest value; use a bounded measure for DQ.")
    if not measure.needs_data:
        value = measure.function(table)
    elif isinstance(X, Distances):
        raise InputError(f"{measure.name} needs features; pass them in place of Distances.")
    else:
        value = measure.function(given, alternative, X, **label_options)
    if not largest:  # with one object there is a single clustering
        return 0.0
    scaled = min(1.0, max(0.0, value / largest))
    return scaled if measure.direction == "distance" else 1.0 - scaled


def _clusterings(given: Any, n: int) -> Sequence[Any]:
    """Return the given clusterings: columns of an array or frame, or a list of them."""
    if isinstance(given, list | tuple) and given and is_sequence_label(given[0]):
        if any(len(one) != n for one in given) and len(given) == n:
            return list(zip(*given, strict=True))
        return given
    if len(getattr(given, "shape", ())) != 2:
        return [given]
    refuse_sparse(given, "given")
    if hasattr(given, "columns"):
        return [given[name] for name in getattr(given, "column_names", given.columns)]
    return list(np.asanyarray(given).T)  # masked labels are missing
