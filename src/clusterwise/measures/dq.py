"""How good *and* how different an alternative to known clusterings is."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import Noise
from clusterwise.inputs.distances import Distances
from clusterwise.inputs.encoding import is_sequence_label
from clusterwise.inputs.features import read_features
from clusterwise.measures.catalogue import Measure, find_measure
from clusterwise.measures.quality import find_quality
from clusterwise.summaries.contingency.contingency import Contingency

Dissimilarity = str | Callable[[Any, Any], float]

_SHORT_NAMES = {"jaccard": "pair_jaccard_score"}


class DQ(NamedTuple):
    """How different and how good an alternative is, and the harmonic mean of the two."""

    dissimilarity: float
    quality: float
    dq: float


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
    r"""DQ: the harmonic mean of how different an alternative is and how good.

    .. math:: DQ = \frac{2 d q}{d + q}

    with the dissimilarity d, from 0 to 1, and the quality q. It is large only if both are. 0 or
    more, and at most 2d; at most 1 if the quality is, which Dunn's index and Calinski and
    Harabasz's need not be. An infinite quality (see :func:`dunn_score`) gives 2d.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), or Distances
        The objects.
    given : array-like of shape (n,) or (n, m), or list of m array-likes of shape (n,)
        The clustering that is known, or several, a column for each. Of several the one that is
        most like the alternative counts: a mean would let it be a copy of one of them.
    alternative : array-like of shape (n,)
        The clustering to judge.
    dissimilarity : str or callable, default="jaccard"
        A measure of ``list_measures()`` by name; ``"jaccard"`` is short for
        ``"pair_jaccard_score"``. Similarities s count as 1 - s, distances as the share of
        the largest value for n objects, and values below 0 (worse than chance) as 0. Or a
        function of two clusterings that says how different they are, from 0 to 1.
    quality : str or callable, default="dunn"
        A quality by name, see :func:`~clusterwise.measures.quality.quality_score`. Those that
        may be negative, or of which less is better, are turned: the silhouette s to
        (1 + s)/2, Davies and Bouldin's v to 1/(1 + v). Or a function of X and labels, from
        0 on, of which more is better.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        Objects labelled ``noise_label`` are one cluster, a cluster each, or left out.
    noise_label : default=-1
        The label that means noise.
    **options
        Options of the quality, such as ``metric``, ``between`` and ``within``.

    Returns
    -------
    float
        0 or more, higher is better.

    See Also
    --------
    dq_parts : The same with both parts.

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
    Four groups, at the corners of a rectangle. Given left and right, an alternative is top and
    bottom:

    >>> from clusterwise import dq_parts, dq_score
    >>> X = [[0, 0], [0, 1], [0, 8], [0, 9], [9, 0], [9, 1], [9, 8], [9, 9]]
    >>> given, other = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    >>> round(dq_score(X, given, other), 2)
    0.79

    DQ is fooled as Dunn's index is: with one object far away, to set it apart from all the rest
    scores more than top and bottom, whether it belongs to the bottom or is a third cluster:

    >>> X, given = [*X, [40, 0]], [*given, 1]
    >>> [round(value, 2) for value in dq_parts(X, given, [*other, 0])]
    [0.77, 0.17, 0.29]
    >>> [round(value, 2) for value in dq_parts(X, given, [*other, 2])]
    [0.83, 0.77, 0.8]
    >>> [round(value, 2) for value in dq_parts(X, given, [0, 0, 0, 0, 0, 0, 0, 0, 1])]
    [0.62, 2.44, 0.99]
    """
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
    """Dissimilarity, quality and their harmonic mean; everything as in :func:`dq_score`.

    Parameters
    ----------
    X, given, alternative, dissimilarity, quality, noise, noise_label
        As in :func:`dq_score`.
    **options
        Options of the quality.

    Returns
    -------
    DQ
        ``dissimilarity``, ``quality`` (as it enters the mean) and ``dq``.

    Examples
    --------
    The same groups in another way, and in the same way under other names:

    >>> from clusterwise import dq_parts
    >>> dq_parts([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], [0, 1, 0, 1])
    DQ(dissimilarity=1.0, quality=1.0, dq=1.0)
    >>> dq_parts([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], ["a", "a", "b", "b"])
    DQ(dissimilarity=0.0, quality=1.0, dq=0.0)
    """
    label_options = {"noise": noise, "noise_label": noise_label}
    if callable(quality):
        good = float(quality(X, alternative, **options))
    else:
        found = find_quality(quality, options)
        good = found.merit(found.function(X, alternative, **label_options, **options))
    if not good >= 0:
        raise InputError(f"the quality is {good}, but DQ needs one from 0 on; use another.")
    n = X.n if isinstance(X, Distances) else read_features(X).n
    different = min(
        _dissimilarity(X, one, alternative, dissimilarity, label_options) for one in _each(given, n)
    )
    return DQ(different, good, harmonic_mean(different, good))


def harmonic_mean(first: float, second: float) -> float:
    """Of two numbers from 0 on, either of which may be infinite."""
    return 2.0 / (1.0 / first + 1.0 / second) if first and second else 0.0


def _dissimilarity(
    X: Any, given: Any, alternative: Any, kind: Dissimilarity, label_options: dict[str, Any]
) -> float:
    if callable(kind):
        value = float(kind(given, alternative))
        if not 0 <= value <= 1:
            raise InputError(f"the dissimilarity is {value}, but DQ needs one from 0 to 1.")
        return value
    measure = find_measure(_SHORT_NAMES.get(kind, kind))
    return _share(measure, X, given, alternative, label_options)


def _share(
    measure: Measure, X: Any, given: Any, alternative: Any, label_options: dict[str, Any]
) -> float:
    """A measure from 0, equal, to 1, as different as can be."""
    table = Contingency.from_labels(given, alternative, **label_options)
    largest = measure.upper_end(table.n)
    if not isfinite(largest):
        raise InputError(f"{measure.name} has no largest value, which DQ needs; use another.")
    if not measure.needs_data:
        value = measure.function(table)
    elif isinstance(X, Distances):
        raise InputError(f"{measure.name} looks at the features; pass them, not Distances.")
    else:
        value = measure.function(given, alternative, X, **label_options)
    if not largest:  # there is one clustering of so few objects
        return 0.0
    share = min(1.0, max(0.0, value / largest))
    return share if measure.direction == "distance" else 1.0 - share


def _each(given: Any, n: int) -> Sequence[Any]:
    """The given clusterings one by one: columns of an array or frame, or a list of them."""
    if isinstance(given, list | tuple) and given and is_sequence_label(given[0]):
        if any(len(one) != n for one in given) and len(given) == n:
            return list(zip(*given, strict=True))
        return given
    if len(getattr(given, "shape", ())) != 2:
        return [given]
    if hasattr(given, "columns"):
        return [given[name] for name in getattr(given, "column_names", given.columns)]
    return list(np.asarray(given).T)
