"""Cluster again: one call for people in a hurry."""

from importlib import import_module
from typing import Any, Literal, NamedTuple

from sklearn.base import clone

from clusterwise._utils.errors import InputError
from clusterwise.alternatives.base import (
    FIRST_CLUSTERS,
    Alternative,
    StandaloneAlternative,
    make_first_clustering,
)
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.portfolio import find_auto
from clusterwise.alternatives.results import (
    FoundClusterings,
    QualityChoice,
    describe_found,
    guard_size,
    warn_of_degenerate,
)
from clusterwise.inputs.features import read_features
from clusterwise.measures.dq import Dissimilarity

# Beyond this many objects what grows with their square is left out, where there is a way around.
_MANY = 10_000
_PROTOTYPES = 1_000


class _Method(NamedTuple):
    """The name of an estimator, and the quality that suits the data it is for."""

    estimator: str
    quality: str = "dunn"


_METHODS = {
    "cib": _Method("CIB"),
    "coala": _Method("COALA"),
    "coalacat": _Method("COALACat", quality="entropy"),
    "condens": _Method("CondEns"),
    "maximus": _Method("MAXIMUS"),
    "metaclusterer": _Method("MetaClusterer"),
    "mincentropy": _Method("MinCEntropy"),
    "naive": _Method("NaiveAlternative"),
    "orthogonal": _Method("OrthogonalAlternative"),
}


def cluster_again(
    X: Any,
    given: Any,
    method: str | Alternative = "auto",
    *,
    n: int | None = None,
    n_clusters: int | None = None,
    min_cluster_size: float | Literal["guard"] | None = "guard",
    quality: QualityChoice | None = None,
    dissimilarity: Dissimilarity | None = None,
    progress: bool | None = None,
    **options: Any,
) -> FoundClusterings:
    """Find other clusterings of the same objects: good ones that differ from the given one.

    Nothing is scaled: if features have different units, scale them first, or those with
    large numbers decide alone.

    Parameters
    ----------
    X : array-like or frame of shape (n_objects, R)
        The objects.
    given : array-like of shape (n_objects,) or (n_objects, m), or None
        The clustering that is known, or several side by side. If None, one is made first.
    method : str or estimator, default="auto"
        ``"auto"`` tries several methods: :class:`~clusterwise.OrthogonalAlternative`,
        :class:`~clusterwise.CondEns`, :class:`~clusterwise.MinCEntropy` and
        :class:`~clusterwise.MAXIMUS`, and where none of them finds anything clear (DQ below 0.89),
        MAXIMUS in some of the features, or of their independent components. All labels are
        refined: up to three times objects are shared out anew among clusters, by a model in which
        what is given and the cluster each add their part, to numbers with normal noise, or to the
        chances of names; the more it shows that clusters meet what is given as evenly as in a
        planned experiment, the more that is kept to. In the end every object takes its likeliest
        cluster. What is then found more than once (variation of information below a quarter of both
        entropies) counts once, by the one that makes the objects likeliest. The Pareto front of
        quality and dissimilarity is returned, in steps of 0.05, and first of all the likeliest of
        those whose DQ is within 0.05 of the largest.
        One of ``"cib"``, ``"coala"``, ``"coalacat"`` (for categorical data), ``"condens"``,
        ``"maximus"``, ``"metaclusterer"``, ``"mincentropy"``, ``"naive"`` and ``"orthogonal"`` runs
        this method alone. Or pass an estimator, whose own parameters count where none is passed
        here.
    n : int, optional
        How many alternatives to find: one by default, or with ``"auto"`` all on the front. Fewer
        are returned, with a warning, if no more are worth having.
    n_clusters : int, optional
        How many clusters each has; as many as the first given clustering has by default.
    min_cluster_size : int, float, None or "guard", default="guard"
        Clusters that are smaller join their nearest: objects, or a share of them below 1. Methods
        as published often set one strange object apart from all the rest; None lets them.
        The guard asks for 5 % of the objects, or a quarter of an average cluster if that is
        less, and at least 2 objects. It only warns where a method has no such parameter, or an
        estimator comes with its own.
    quality, dissimilarity : str or callable
        As for :func:`~clusterwise.dq_score`. Quality is ``"dunn"`` by default, ``"entropy"`` for
        COALACat, and ``"dunn_centroids"`` for more than 10,000 objects, since the time of
        ``"dunn"`` grows with the square of their number; dissimilarity is ``"jaccard"``. With
        ``"auto"`` they are ``"canonical"`` and ``"adjusted_mutual_info_score"``, which
        compare fairly what is found in all features and what in some, and clusters of any size.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.
    **options
        Further parameters of the estimator, such as ``omega`` or ``metric``. COALA of more than
        10,000 objects takes 1,000 prototypes, unless ``prototypes`` says otherwise. ``"auto"`` has
        ``random_state``, ``budget``: no method begins after so many seconds, 60 by default, and
        ``refine``: False leaves labels as they were found, takes those that are most like the
        others of their kind, and puts the largest DQ first. So do more than 1,000 given clusters,
        or 25 million pairs of an object and a cluster.

    Returns
    -------
    FoundClusterings
        A list of :class:`FoundClustering`, those with the largest DQ first (but for the first one
        of ``"auto"``) and degenerate ones last. All are scored against what is given, not against
        each other.

    Raises
    ------
    InputError
        If the method or an option is unknown, or the data cannot be clustered.

    See Also
    --------
    tradeoff_curve : How much quality a more different clustering costs.

    Examples
    --------
    Four groups of three at the corners of a square, known as left and right:

    >>> import numpy as np
    >>> from clusterwise import cluster_again
    >>> corners = np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 3, axis=0)
    >>> X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    >>> given = np.repeat(["left", "right"], 6)
    >>> found = cluster_again(X, given, random_state=0)
    >>> found[0].labels
    array([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
    >>> found
    1 alternative to what is given
           DQ  quality  dissimilarity  effective  sizes  found by
    0  0.9933   0.9868              1       2.00  6, 6   OrthogonalAlternative

    By one method, and the measures of its paper:

    >>> cluster_again(X, given, "coala")
    1 alternative to what is given
           DQ  quality  dissimilarity  effective  sizes  found by
    0  0.7723   0.7960         0.7500       2.00  6, 6   COALA
    """
    if n is not None and n < 1:
        raise InputError(f"n={n!r} alternatives; ask for at least one.")
    if "n_alternatives" in options:
        raise InputError("n_alternatives is called n here; pass n.")
    asked_for = {
        "method": None if method == "auto" else method,
        "n": n,
        "n_clusters": n_clusters,
        "quality": quality,
        "dissimilarity": dissimilarity,
    }
    told = {name: value for name, value in asked_for.items() if value is not None} | options
    if min_cluster_size != "guard":
        told["min_cluster_size"] = min_cluster_size
    if method == "auto":
        size = min_cluster_size
        if size == "guard":
            size = _guard(X, given, n_clusters)
        front = find_auto(
            X, given, n=n, n_clusters=n_clusters, min_cluster_size=size, quality=quality,
            dissimilarity=dissimilarity, progress=progress, options={**options},
        )  # fmt: skip
        front.parameters = told
        return front
    n = n or 1
    model = _make(method)
    asked = {**options, **_about_sizes(model, method, min_cluster_size, X, given, n_clusters)}
    if n > 1 or isinstance(method, str):
        asked["n_alternatives"] = n
    if n_clusters is not None:
        asked["n_clusters"] = n_clusters
    shared = {"progress": progress, "quality": quality}
    known = model.get_params()
    asked |= {name: v for name, v in shared.items() if v is not None and name in known}
    many = read_features(X).n > _MANY
    if many and method == "coala" and asked.get("metric", "euclidean") == "euclidean":
        asked.setdefault("prototypes", _PROTOTYPES)
    _set(model, asked)
    model.fit(X, _first(model, X) if given is None else given)
    chosen = _suited(model, many=many) if quality is None else quality
    seen = model.judged(X)
    found = [
        describe_found(seen, model, labels, chosen, dissimilarity or "jaccard")
        for labels in model.alternatives_
    ]
    if min_cluster_size == "guard":
        warn_of_degenerate(found)
    best_first = sorted(found, key=lambda one: (one.degenerate, -one.dq))
    return FoundClusterings(best_first, given=model.given_, parameters=told)


def _make(method: str | Alternative) -> Alternative:
    """A fresh estimator."""
    if isinstance(method, Alternative):
        return clone(method)
    if method not in _METHODS:
        raise InputError(
            f"there is no method {method!r}; use one of auto, {', '.join(_METHODS)}, or an "
            "estimator of alternatives."
        )
    estimators = import_module("clusterwise.alternatives")
    model: Alternative = getattr(estimators, _METHODS[method].estimator)()
    return model


def _set(model: Alternative, asked: dict[str, Any]) -> None:
    known = model.get_params()
    for name in asked:
        if name not in known:
            raise InputError(
                f"{type(model).__name__} has no parameter {name!r}; use {', '.join(known)}."
            )
    model.set_params(**asked)


def _first(model: Alternative, X: Any) -> Any:
    """A first clustering for estimators that would do without one; others make their own."""
    if not isinstance(model, StandaloneAlternative):
        return None
    return make_first_clustering(model.judged(X), model.n_clusters, model.random_state).codes.T


def _about_sizes(
    model: Alternative, method: Any, asked: Any, X: Any, given: Any, n_clusters: int | None
) -> dict[str, Any]:
    """The parameter for small clusters: nothing, if the estimator has none and none is asked."""
    known = "min_cluster_size" in model.get_params()
    if asked == "guard":
        guarded = known and isinstance(method, str)
        return {"min_cluster_size": _guard(X, given, n_clusters)} if guarded else {}
    return {"min_cluster_size": asked} if known or asked is not None else {}


def _guard(X: Any, given: Any, n_clusters: int | None) -> float:
    """The size that a cluster must have by default."""
    n = read_features(X).n
    if n_clusters is None:
        n_clusters = FIRST_CLUSTERS if given is None else read_given(given, n).sizes[0]
    return guard_size(n, n_clusters)


def _suited(model: Alternative, *, many: bool) -> str:
    """The quality that goes with the data that an estimator is for, and with their number."""
    qualities = {home.estimator: home.quality for home in _METHODS.values()}
    suited = qualities.get(type(model).__name__, "dunn")
    vectors = model.get_params().get("metric", "euclidean") not in ("gower", "precomputed")
    return "dunn_centroids" if many and vectors and suited == "dunn" else suited
