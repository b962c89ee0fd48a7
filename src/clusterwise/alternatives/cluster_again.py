"""Find alternatives to given clusterings, in one call."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from clusterwise._utils.arguments import check_arguments, check_parameters
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_random_state
from clusterwise.alternatives.about import find_about
from clusterwise.alternatives.base import (
    FIRST_CLUSTERS,
    Alternative,
)
from clusterwise.alternatives.evidence.scored import add_evidence
from clusterwise.alternatives.feature_scaling import scale_problem
from clusterwise.alternatives.found_clustering import warn_of_degenerate
from clusterwise.alternatives.given import LEFT_OUT, MADE_NAME, Given, read_given_labels
from clusterwise.alternatives.lazy_frames.extension import extend_alternatives
from clusterwise.alternatives.lazy_frames.frame_sample import FrameSample, draw_frame_sample
from clusterwise.alternatives.lazy_frames.label_rule import LeftOut
from clusterwise.alternatives.methods import (
    ESTIMATORS,
    MANY_OBJECTS,
    PROTOTYPES,
    Method,
)
from clusterwise.alternatives.minimum_size import guard_size
from clusterwise.alternatives.named_columns import resolve_columns, select_objects_and_given
from clusterwise.alternatives.portfolio.run_portfolio import search_portfolio
from clusterwise.alternatives.portfolio.sample_search import DISSIMILARITY, QUALITY
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.results import FoundClusterings
from clusterwise.alternatives.scoring import QualityChoice, Scorer, fit_and_score
from clusterwise.inputs.clusterings import Missing, Noise
from clusterwise.inputs.columns.frame_dates import date_columns
from clusterwise.inputs.columns.typed_frame import type_frame
from clusterwise.inputs.distances import read_numbers
from clusterwise.inputs.encoding import MISSING_LABEL, Array
from clusterwise.inputs.features import Features, has_rows, read_features, take_rows
from clusterwise.inputs.frames import as_lazy
from clusterwise.inputs.series import index_of, library_of, names_of
from clusterwise.measures.dq import Dissimilarity

# The parameters of method="auto" that no estimator has.
_PORTFOLIO_PARAMETERS = ("budget", "refine", "n_permutations")


@check_arguments
def cluster_again(
    X: Any,
    given: Any,
    method: Method | Alternative = "auto",
    *,
    features: Sequence[str] | None = None,
    n_alternatives: int | None = None,
    n_clusters: int | None = None,
    min_cluster_size: float | None = None,
    guard: bool = True,
    scale: bool | None = None,
    quality: QualityChoice | None = None,
    dissimilarity: Dissimilarity | None = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    missing: Missing = "error",
    random_state: Any = None,
    progress: bool | None = None,
    **params: Any,
) -> FoundClusterings:
    """Find alternatives to a given clustering: clusterings of good quality that differ from it.

    Numeric features are scaled to unit variance by default, so that their units do not matter
    (see ``scale``).

    Parameters
    ----------
    X : array-like or frame of shape (n_objects, R)
        The objects. Strings in a frame are read as :func:`~clusterwise.describe_columns` says:
        numbers such as ``1.005,96 €`` are numeric and dates are days, while identifiers and
        text are left out, with a warning. A lazy frame (DuckDB, Polars, Ibis, Dask or PySpark) is
        searched in a random sample; see the notes.
    given : array-like of shape (n_objects,) or (n_objects, m), str, list of str or None
        The given clustering, or several as columns. If ``X`` is a frame: the name of its column; if
        it is lazy, or ``features`` are passed, also a list of names. If None, one is made first.
    method : str or estimator, default="auto"
        ``"auto"`` runs a portfolio of methods: :class:`~clusterwise.OrthogonalAlternative`,
        also of principal components scaled to unit variance, :class:`~clusterwise.CondEns`,
        :class:`~clusterwise.MAXIMUS` and :class:`~clusterwise.MinCEntropy`; if none of them finds a
        clear alternative (DQ of at least 0.89), also MAXIMUS in subspaces of the features, and of
        their independent components. All labels are then refined by EM steps of a mixture model
        with the given clusters as covariates, and those with the largest evidence are chosen (see
        Notes). Of more than 2,000 objects (more if there are many features or given clusters) a
        sample is searched, and the clusters are extended to all objects by the mixture model.
        ``"cib"``, ``"coala"``, ``"coalacat"`` (for categorical data), ``"condens"``,
        ``"maximus"``, ``"metaclusterer"``, ``"mincentropy"``, ``"naive"`` and ``"orthogonal"`` run
        one method. Or pass an estimator, which keeps its own parameters unless they are passed
        here.
    features : list of str, optional
        If ``X`` is a frame and ``given`` are columns of it: the columns of the features; all others
        by default.
    n_alternatives : int, optional
        The number of alternatives. By default the estimator's own, which is 1, and with ``"auto"``
        all that are convincing, up to 5. Fewer are returned, with a warning, if the method finds no
        more.
    n_clusters : int, optional
        The number of clusters. By default ``"auto"`` chooses it for each alternative, by the
        integrated classification likelihood (ICL); other methods find as many clusters as the first
        given clustering has.
    min_cluster_size : int or float, optional
        The smallest size of a cluster; below 1 it is a fraction of all objects.
        Objects of smaller clusters join the nearest other cluster. By default the estimator's own,
        subject to ``guard``.
    guard : bool, default=True
        Whether ``min_cluster_size`` is set if it is not passed, and degenerate alternatives are
        warned of: many methods, as published, separate single outlying objects from all others.
        The size is 5 % of the objects, rounded up, or a quarter of an average cluster if that is
        less, and at least 2 objects, if there are two for each cluster. An estimator that is passed
        keeps its own size.
    scale : bool, optional
        Whether numeric features are scaled to mean 0 and standard deviation 1 before the search and
        for the scores. By default they are, except for metrics of COALA other than
        ``"euclidean"``, ``"sqeuclidean"``, ``"cityblock"`` and ``"chebyshev"``. It has no effect
        where units do not matter (``"coalacat"``, ``metric="gower"`` or ``"precomputed"``, and
        ``relation="rows"`` of CIB), nor beside categorical features, where numeric ones are always
        scaled. The estimators themselves scale nothing. If all features have the same unit, and
        those that vary little matter less, use ``scale=False``.
    quality, dissimilarity : str or callable, optional
        As for :func:`~clusterwise.dq_score`. By default quality is ``"dunn"``, ``"entropy"`` for
        COALACat, and ``"dunn_centroids"`` for more than 10,000 objects, since the time of
        ``"dunn"`` grows with the square of their number; dissimilarity is ``"jaccard"``. With
        ``"auto"`` they are ``"canonical"`` and ``"adjusted_mutual_info_score"``, which
        are comparable between alternatives in all features and in subspaces, and between clusters
        of different sizes.
    noise : {"cluster", "drop"}, default="cluster"
        Objects with ``noise_label`` in the given clustering are a cluster, or they are left out of
        the search and have the label -1 in the result.
    noise_label : default=-1
        The label of noise in the given clustering.
    missing : {"error", "drop", "label"}, default="error"
        Missing labels of the given clustering are an error, their objects are left out, or they
        are a cluster.
    random_state : int, RandomState, Generator or None, default=None
        The seed of the method.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.
    **params
        Further parameters of the estimator, such as ``omega`` or ``metric``. COALA with more than
        10,000 objects uses 1,000 prototypes, unless ``prototypes`` is passed. ``"auto"`` has three
        parameters: ``budget``, the seconds after which no further method or repeated search begins
        (60 by default), while what was found is still refined and extended to all objects;
        ``refine``: False keeps labels as the methods found them, as is done with more than 1,000
        given clusters; and ``n_permutations``, the number of data sets with features permuted
        within the given clusters on which the search is repeated (0 by default): a convincing
        alternative has more evidence than 95 % of them. One that is a single feature has not, since
        permuting keeps it. Each takes as long as the search itself.

    Returns
    -------
    FoundClusterings
        A list of :class:`FoundClustering`, those of ``"auto"`` in the order in which they were
        chosen, others by decreasing DQ and degenerate ones last. With ``"auto"`` the list is empty
        if no alternative is convincing; the best attempts are in its ``unconvincing``. Those of a
        lazy frame have the labels of its ``sample``, and ``predict`` to label all objects.

    Raises
    ------
    InputError
        If the method or a parameter is unknown, or the data cannot be clustered.

    See Also
    --------
    tradeoff_curve : Quality against dissimilarity of COALA for several thresholds.

    Notes
    -----
    The evidence for an alternative is the log-likelihood of a mixture of normal distributions with
    a common covariance and the given clusters as covariates, minus that of one cluster. Without
    clusters, a feature may have any unimodal distribution, and features may be correlated (a
    Gaussian copula), so that skew, heavy tails, correlation and few distinct values are not taken
    for clusters. The extended BIC penalises the numbers of clusters and of features that differ
    between them. The number of clusters is that of the largest ICL: the evidence minus the entropy
    of the clusters that objects may belong to, so that clusters that are not normal are seldom cut
    into parts that overlap. An alternative is convincing if its evidence is positive, in addition
    to the given clusterings and to the alternatives before it, and if at least four of five
    searches from other seeds on 90 % of the objects (1,000 at most) find it again, with an adjusted
    Rand index of at least 0.75. ``python -m experiments.evidence`` shows how often noise is
    convincing.

    Of a lazy frame, one scan counts the objects of each given cluster, and one draws a random
    sample of 2,000 to 10,000 objects with at least three of each given cluster, if it has them. The
    sample is searched as if it were all data. A mixture model is then fitted to each alternative,
    and one scan counts the objects that it assigns to each cluster. Only the counts and the sample
    leave the engine. The model is a rule of a few numbers that engines compute as an expression,
    and that can be pickled. Features are numbers, booleans and strings of at most 100 categories.
    Missing numbers are replaced by the mean of the sample, and missing categories are a category.
    Spark, Dask and Ibis draw the same sample for a seed only if the partitions are the same.

    Examples
    --------
    Four groups of three at the corners of a square; left and right are given:

    >>> import numpy as np
    >>> from clusterwise import cluster_again
    >>> corners = np.repeat([[0, 0], [0, 9], [9, 0], [9, 9]], 3, axis=0)
    >>> X = corners + np.tile([[0, 0], [0, 1], [1, 0]], (4, 1))
    >>> given = np.repeat(["left", "right"], 6)
    >>> found = cluster_again(X, given, random_state=0)
    >>> found[0].labels
    array([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
    >>> found
    1 alternative to the given clustering
           DQ  quality  dissimilarity  ...
    0  0.9933   0.9868              1  ...
    <BLANKLINE>
    Features that separate the clusters best, with scores from 0 (chance) to 1
    the given clustering  score  0   score
    x0                     0.99  x1   0.99
    x1                     0.00  x0   0.00
    <BLANKLINE>
    Found one alternative with 2 clusters (6, 6). It is unrelated to the given clustering (adjusted
    Rand -0.10). It is the feature "x1" cut into two intervals: 0 to 1 and 9 to 10. If that is not
    news, leave the feature out. The number of clusters is not clear: 3 would be about as good. It
    is more than noise (log evidence 8). It was found again in 5 of 5 searches. The given clustering
    is about x0. Features were scaled to unit variance.

    One method, scored by the measures of its paper:

    >>> print(cluster_again(X, given, "coala")[0].summary())
    COALA found 2 clusters (6, 6): quality 0.7960, dissimilarity 0.7500, DQ 0.7723. It is about x1.

    A table in a database, which may be larger than memory; the labels stay there:

    >>> import duckdb
    >>> table = duckdb.sql(
    ...     "SELECT i % 2 AS segment, 9 * (i % 2) + hash(i) % 100 / 50 AS income, "
    ...     "9 * (i // 2 % 2) + hash(-i) % 100 / 50 AS age FROM range(6000) t(i)"
    ... )
    >>> found = cluster_again(table, "segment", n_clusters=2, random_state=0)
    >>> print(found.sentences()[-2])
    Searched in a sample of 2,000 of 6,000 objects: scores are those of the sample, sizes those of
    all objects.
    >>> found[0].predict(table, column="new").columns
    ['segment', 'income', 'age', 'new']
    """
    arguments = {
        "method": method,
        "features": features,
        "n_alternatives": n_alternatives,
        "n_clusters": n_clusters,
        "min_cluster_size": min_cluster_size,
        "guard": guard,
        "scale": scale,
        "quality": quality,
        "dissimilarity": dissimilarity,
        "noise": noise,
        "noise_label": noise_label,
        "missing": missing,
        "random_state": random_state,
    }
    label_options = {"noise": noise, "noise_label": noise_label, "missing": missing}
    sample: FrameSample | None = None
    if as_lazy(X) is not None:
        _require_auto(method)
        random_state = as_random_state(random_state)
        columns = resolve_columns(X, given, features, "given")
        sample = draw_frame_sample(X, columns, LeftOut(noise, noise_label, missing), random_state)
        X, given = sample.objects, sample.codes
        label_options = {"noise": "cluster", "noise_label": noise_label, "missing": "error"}
    else:
        X, given = select_objects_and_given(X, given, features, "given")
        if not has_rows(X):
            read_features(X)  # raises: the objects must be a table
        X = type_frame(X)
    guarded = guard and min_cluster_size is None
    model: Alternative | None = None
    named: Features | None
    if method == "auto":
        check_parameters(params, _PORTFOLIO_PARAMETERS, cluster_again, "method='auto'")
        problem, kept = _read_problem(X, given, label_options, _read_features)
        named = _named_features(problem)
        problem, scaling = scale_problem(problem, scale)
        found, unconvincing, known = search_portfolio(
            problem, n_alternatives=n_alternatives, n_clusters=n_clusters,
            min_cluster_size=min_cluster_size, guard=guard, quality=quality,
            dissimilarity=dissimilarity, random_state=random_state, progress=progress,
            is_sample=sample is not None, **params,
        )  # fmt: skip
        codes = known.codes
        if sample is not None:
            scorer = Scorer(
                problem, codes, quality or QUALITY, dissimilarity or DISSIMILARITY, as_points=True
            )
            found, unconvincing = extend_alternatives(sample, problem, scorer, found, unconvincing)
    else:
        model = _make_estimator(method)
        shared = {
            "n_alternatives": n_alternatives,
            "n_clusters": n_clusters,
            "min_cluster_size": min_cluster_size,
            "random_state": random_state,
        }
        passed = params | {k: v for k, v in shared.items() if v is not None}
        check_parameters(passed, model.get_params(), cluster_again, type(model).__name__)
        model.set_params(**passed)
        _set_if_known(model, progress=progress, quality=quality)
        problem, kept = _read_problem(
            X, given, label_options, lambda X: model._read(X, None), model
        )
        named = None if _is_precomputed(model) else _named_features(problem)
        problem, scaling = scale_problem(problem, scale, model)
        if isinstance(method, str):
            _set_defaults(model, problem, guarded, params)
        found, unconvincing = fit_and_score(model, problem, quality, dissimilarity), []
        codes = model.given_
        if named is not None:
            # What was given, or the clustering that the estimator made first.
            known = problem.given or Given(codes, tuple(int(one.max()) + 1 for one in codes))
            found = add_evidence(found, problem.with_given(known))
        if guarded:
            warn_of_degenerate(found)
    given_about = None
    if named is not None:
        found, unconvincing = (
            [replace(one, about=find_about(named, one.labels)) for one in each]
            for each in (found, unconvincing)
        )
        given_about = [find_about(named, one) for one in codes]
    if kept is not None:
        n = _count_rows(X)
        found, unconvincing = (
            [replace(one, labels=_spread(one.labels, kept, n)) for one in each]
            for each in (found, unconvincing)
        )
        codes = np.array([_spread(one, kept, n) for one in codes])
    metrics = params.get("metric"), getattr(method, "metric", None)
    return FoundClusterings(
        found,
        given=codes,
        unconvincing=unconvincing,
        given_names=_names_of_given(given, sample),
        given_clusters=_clusters_of_given(problem.given, sample),
        given_about=given_about,
        scaling=scaling,
        parameters=_passed(arguments) | params,
        index=next((i for i in map(index_of, (X, given)) if i is not None), None),
        library=library_of(X) or library_of(given),
        data=None if "precomputed" in metrics else X,
        sample=None if sample is None else sample.rows.to_native(),
        n_objects=None if sample is None else sample.n,
    )


_DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(cluster_again).parameters.items()
    if parameter.default is not parameter.empty
}


def _passed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that are not the defaults of :func:`cluster_again`."""
    return {
        name: value
        for name, value in arguments.items()
        if value is not _DEFAULTS[name]
        and not (isinstance(value, str | int) and value == _DEFAULTS[name])
    }


def _require_auto(method: str | Alternative) -> None:
    """Refuse estimators for a lazy frame."""
    if method == "auto":
        return
    name = ESTIMATORS[method] if isinstance(method, str) else type(method).__name__
    hint = (
        "use method='auto', or COALA(prototypes=300).fit(X, given)"
        if name == "COALA"
        else "use method='auto', or collect a sample of it"
    )
    raise InputError(f"X is a lazy frame, but {name} needs objects in memory; {hint}.")


def _names_of_given(given: Any, sample: FrameSample | None) -> Sequence[str] | None:
    if sample is not None:
        return [one.name for one in sample.given]
    return [MADE_NAME] if given is None else names_of(given)


def _clusters_of_given(
    given: Given | None, sample: FrameSample | None
) -> Sequence[list[Any]] | None:
    """Return the names of the clusters of each given clustering."""
    if given is None or given.names is None:
        return None
    if sample is None:
        return given.names
    known = ([*one.values, MISSING_LABEL] for one in sample.given)
    return [[own[k] for k in codes] for own, codes in zip(known, given.names, strict=True)]


def _make_estimator(method: str | Alternative) -> Alternative:
    """Return a new estimator."""
    if isinstance(method, Alternative):
        return clone(method)
    estimators = import_module("clusterwise.alternatives")
    model: Alternative = getattr(estimators, ESTIMATORS[method])()
    return model


def _set_if_known(model: Alternative, **params: Any) -> None:
    """Set parameters that are not None, if the estimator has them."""
    known = model.get_params()
    model.set_params(**{k: v for k, v in params.items() if v is not None and k in known})


def _set_defaults(
    model: Alternative, problem: AlternativeProblem, guarded: bool, params: Mapping[str, Any]
) -> None:
    """Set the parameters of a named method that depend on the data."""
    if guarded:
        _set_if_known(model, min_cluster_size=_guard_size(problem, model.n_clusters))
    many = problem.n > MANY_OBJECTS
    if many and "prototypes" not in params and model.get_params().get("metric") == "euclidean":
        _set_if_known(model, prototypes=PROTOTYPES)


def _guard_size(problem: AlternativeProblem, n_clusters: int | None) -> int:
    """Return the smallest size of a cluster that the guard accepts."""
    if n_clusters is None:
        n_clusters = FIRST_CLUSTERS if problem.given is None else problem.given.sizes[0]
    return guard_size(problem.n, n_clusters)


def _read_features(X: Any) -> AlternativeProblem:
    features = read_features(X)
    return AlternativeProblem(X, features.n, validated=features)


def _read_problem(
    X: Any,
    given: Any,
    label_options: dict[str, Any],
    read: Callable[[Any], AlternativeProblem],
    model: Alternative | None = None,
) -> tuple[AlternativeProblem, Array | None]:
    """Read the objects and the given clusterings.

    Returns the problem of the objects that are not left out, and their indices; None for all.
    """
    if given is None:
        return _read(read, X, model), None
    if label_options["noise"] == "cluster" and label_options["missing"] == "error":
        problem = _read(read, X, model)
        labels = read_given_labels(given, problem.n, **label_options)
        return problem.with_given(labels.given), None
    labels = read_given_labels(given, _count_rows(X), **label_options)
    if labels.kept is not None:
        X = take_rows(X, labels.kept)
        if _is_precomputed(model):
            X = np.asarray(X)[:, labels.kept]
    return _read(read, X, model).with_given(labels.given), labels.kept


def _read(
    read: Callable[[Any], AlternativeProblem], X: Any, model: Alternative | None
) -> AlternativeProblem:
    """Read the objects; instead of errors of scikit-learn and NumPy, name what is wrong with X."""
    try:
        return read(X)
    except InputError:
        raise
    except (TypeError, ValueError) as error:
        if not _is_precomputed(model) and not sparse.issparse(X):
            why = f"{type(model).__name__} needs numbers"
            read_numbers(read_features(X), why, 'use method="auto"')
        first, *_ = str(error).splitlines()
        raise InputError(f"X cannot be clustered: {first.rstrip('.:')}.") from None


def _is_precomputed(model: Alternative | None) -> bool:
    """Return whether X has the distances between the objects, not their features."""
    return getattr(model, "metric", None) == "precomputed"


def _named_features(problem: AlternativeProblem) -> Features:
    """Return the features with the names of the caller's columns."""
    features = problem.features
    names = names_of(problem.X)
    if features.labelled or names is None or len(names) != len(features.names):
        return features
    return replace(features, names=names, dates=frozenset(date_columns(problem.X)))


def _count_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _spread(labels: Array, kept: Array, n: int) -> Array:
    """Return the labels of all objects; those that were left out of the search have -1."""
    every = np.full(n, LEFT_OUT, labels.dtype)
    every[kept] = labels
    return every
