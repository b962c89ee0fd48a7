"""Quality against dissimilarity of COALA, for several thresholds."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.export import finite_or_none, to_frame
from clusterwise._utils.lazy import load_display
from clusterwise._utils.memory import allocate_table, check_table
from clusterwise._utils.progress import track
from clusterwise._utils.results import Result
from clusterwise._utils.tables import TextTable, format_count, format_number
from clusterwise.alternatives.alternative_sentences import Scaling, say_scaling
from clusterwise.alternatives.base import check_n_objects, resolve_n_clusters
from clusterwise.alternatives.coala.coala import COALA
from clusterwise.alternatives.coala.cutting import cut, join_nearest
from clusterwise.alternatives.coala.merging import agglomerate
from clusterwise.alternatives.distinct_objects import count_apart, warn_of_equal_objects
from clusterwise.alternatives.feature_scaling import scale_problem
from clusterwise.alternatives.given import read_given
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.results import pareto_front
from clusterwise.alternatives.scoring import QualityChoice, Scorer
from clusterwise.alternatives.sizes import Sizes, describe_sizes
from clusterwise.inputs.columns.typed_frame import type_frame
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import read_features
from clusterwise.measures.dq import DQ, Dissimilarity

# Fig. 7 of the paper goes from 0 to 1.
_OMEGAS = tuple(step / 10 for step in range(11))
_PUBLISHED = 0.6
_HEADER = ("omega", "quality", "dissimilarity", "DQ", "dissimilar merges", "clusters", "")


class _Point(NamedTuple):
    """The result of one threshold."""

    labels: Array
    merges: int
    sizes: Sizes
    scores: DQ


class TradeoffCurve(Result):
    """The result of :func:`tradeoff_curve`.

    Attributes
    ----------
    omegas : ndarray of shape (m,)
        The thresholds, in the order given.
    labels : ndarray of shape (m, n)
        The alternative of each threshold.
    quality, dissimilarity, dq : ndarray of shape (m,)
        Its quality, its dissimilarity from the given clustering, and their harmonic mean.
    n_dissimilar_merges : ndarray of shape (m,)
        The number of dissimilar merges.
    effective_n_clusters : ndarray of shape (m,)
        The exponential of the entropy of the cluster sizes.
    degenerate : ndarray of bool of shape (m,)
        Whether nearly all objects are in one cluster.
    scaling : {"standard", "none"} or None
        Whether features were scaled to unit variance; None where units do not matter.
    """

    def __init__(
        self,
        omegas: Array,
        points: Sequence[_Point],
        names: tuple[str, str],
        scaling: Scaling | None = None,
    ) -> None:
        self.omegas = omegas
        self.labels = np.array([point.labels for point in points])
        self.quality = np.array([point.scores.quality for point in points])
        self.dissimilarity = np.array([point.scores.dissimilarity for point in points])
        self.dq = np.array([point.scores.dq for point in points])
        self.n_dissimilar_merges = np.array([point.merges for point in points])
        self.effective_n_clusters = np.array([point.sizes.effective for point in points])
        self.degenerate = np.array([point.sizes.degenerate for point in points])
        self.scaling: Scaling | None = scaling
        self._names = names

    @property
    def pareto(self) -> Array:
        """The indices of the thresholds on the Pareto front of quality and dissimilarity.

        Degenerate clusterings are left out, because qualities such as Dunn's index are large for
        them. Thresholds with equal values are all on the front, or none is.
        """
        sound = np.flatnonzero(~self.degenerate)
        both = np.column_stack([self.quality, self.dissimilarity])[sound]
        return sound[pareto_front(both)]

    @property
    def suggested(self) -> float | None:
        """The threshold with the largest DQ among those whose clustering is not degenerate.

        Ties are broken by the smaller distance from the 0.6 of the paper, and then by the smaller
        threshold. None, if all clusterings are degenerate.
        """
        sound = np.flatnonzero(~self.degenerate)
        if not sound.size:
            return None
        best = self.omegas[sound[self.dq[sound] == self.dq[sound].max()]]
        return min(best.tolist(), key=lambda omega: (round(abs(omega - _PUBLISHED), 12), omega))

    def _sentences(self) -> list[str]:
        """Describe the suggested threshold and the Pareto front."""
        tried = f"{format_count(self.omegas.size, 'threshold')} tried"
        suggested = self.suggested
        if suggested is None:
            return [
                f"{tried}: all clusterings are degenerate, with nearly all objects in one cluster.",
                "Use min_cluster_size, such as 0.05, for larger clusters.",
                *say_scaling(self.scaling),
            ]
        best = int(np.flatnonzero(self.omegas == suggested)[0])
        scores = ", ".join(
            f"{name} {format_number(float(values[best]))}"
            for name, values in (
                ("quality", self.quality),
                ("dissimilarity", self.dissimilarity),
                ("DQ", self.dq),
            )
        )
        parts = [
            f"{tried}: omega = {suggested:g} has the largest DQ ({scores}).",
            f"{_count_are(self.pareto.size)} on the Pareto front of quality and dissimilarity.",
        ]
        if self.degenerate.any():
            parts.append(f"{_count_are(int(self.degenerate.sum()))} degenerate.")
        return [*parts, *say_scaling(self.scaling)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON, without labels."""
        quality, dissimilarity = self._names
        columns = {
            name: [finite_or_none(value) for value in values.tolist()]
            for name, values in self._columns().items()
        }
        return {
            "quality_measure": quality,
            "dissimilarity_measure": dissimilarity,
            "scaling": self.scaling,
            **columns,
            "pareto": self.pareto.tolist(),
            "suggested": self.suggested,
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per threshold, and whether it is on the Pareto front."""
        columns = {name: values.tolist() for name, values in self._columns().items()}
        front = np.isin(np.arange(self.omegas.size), self.pareto).tolist()
        return to_frame({**columns, "pareto": front}, library)

    def text_table(self) -> TextTable:
        """Return the curve as a table."""
        front, suggested = set(self.pareto.tolist()), self.suggested
        rows = []
        for i, omega in enumerate(self.omegas.tolist()):
            notes = ["degenerate"] if self.degenerate[i] else []
            notes += ["Pareto"] if i in front else []
            notes += ["suggested"] if omega == suggested else []
            scores = (self.quality[i], self.dissimilarity[i], self.dq[i])
            rows.append(
                [
                    f"{omega:g}",
                    *(format_number(float(score)) for score in scores),
                    str(self.n_dissimilar_merges[i]),
                    f"{self.effective_n_clusters[i]:.2f}",
                    ", ".join(notes),
                ]
            )
        quality, dissimilarity = self._names
        title = f"Quality by {quality}, dissimilarity by {dissimilarity}"
        return TextTable(_HEADER, rows, title, left=frozenset({6}), spare=4)

    def plot(self, *, ax: Any = None, chosen: float | None = None) -> Any:
        """Plot quality against dissimilarity, and the Pareto front.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes; a new figure by default.
        chosen : float, optional
            The threshold to mark; the suggested one by default.

        Returns
        -------
        TradeoffDisplay
        """
        return load_display("TradeoffDisplay").from_curve(self, chosen=chosen).plot(ax=ax)

    def _columns(self) -> dict[str, Array]:
        return {
            "omega": self.omegas,
            "quality": self.quality,
            "dissimilarity": self.dissimilarity,
            "dq": self.dq,
            "n_dissimilar_merges": self.n_dissimilar_merges,
            "effective_n_clusters": self.effective_n_clusters,
            "degenerate": self.degenerate,
        }


@check_arguments
def tradeoff_curve(
    X: Any,
    given: Any,
    omegas: Sequence[float] | None = None,
    *,
    n_clusters: int | None = None,
    metric: Metric = "euclidean",
    min_cluster_size: float | None = None,
    scale: bool | None = None,
    quality: QualityChoice = "dunn",
    dissimilarity: Dissimilarity = "jaccard",
    progress: bool | None = None,
) -> TradeoffCurve:
    r"""Compute quality and dissimilarity of COALA for several thresholds :math:`\omega`.

    A small :math:`\omega` prefers dissimilarity, a large one quality. Numeric features are scaled
    to unit variance by default, so that their units do not matter (see ``scale``). Distances are
    computed once; two tables of :math:`n \times n` are in memory.

    Parameters
    ----------
    X : array-like or frame of shape (n, R)
        The objects; distances between them if ``metric="precomputed"``.
    given : array-like of shape (n,) or (n, m)
        The given clustering, or several as columns.
    omegas : sequence of float, optional
        The thresholds; 0, 0.1, … 1 by default.
    n_clusters : int, optional
        The number of clusters; by default that of the first given clustering.
    metric, min_cluster_size
        As for :class:`~clusterwise.COALA`.
    scale : bool, optional
        Whether numeric features are scaled to mean 0 and standard deviation 1 before the search and
        for the scores, as for :func:`~clusterwise.cluster_again`. By default they are, except for
        metrics other than ``"euclidean"``, ``"sqeuclidean"``, ``"cityblock"`` and ``"chebyshev"``.
    quality, dissimilarity : str or callable
        As for :func:`~clusterwise.dq_score`.
    progress : bool, optional
        Show a progress bar; by default on terminals, once the work takes a second.

    Returns
    -------
    TradeoffCurve
        Scores and labels for each threshold, the Pareto front, and a suggestion: the threshold
        with the largest DQ among those whose clustering is not degenerate, and if there are
        several the one nearest to 0.6.

    See Also
    --------
    cluster_again : Alternatives by one method or by several.
    COALA : The clustering of one threshold. It scales nothing.

    References
    ----------
    .. [1] E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate
       clustering of high quality and high dissimilarity. ICDM (2006) 53-62, section 5.4.
       https://doi.org/10.1109/ICDM.2006.37

    Examples
    --------
    Four pairs of points at the corners of a rectangle, with the same unit for both features; top
    and bottom are given. Left and right are nearer to each other, so that a threshold of 1 finds
    top and bottom again:

    >>> from clusterwise import tradeoff_curve
    >>> X = [[0, 0], [0, 1], [5, 0], [5, 1], [0, 8], [0, 9], [5, 8], [5, 9]]
    >>> curve = tradeoff_curve(X, [0, 0, 0, 0, 1, 1, 1, 1], [0, 0.6, 1], scale=False)
    >>> curve
    Quality by dunn, dissimilarity by jaccard
    omega  quality  dissimilarity      DQ  dissimilar merges  clusters
        0   0.5556         0.8000  0.6557                  4      2.00  Pareto
      0.6   0.5556         0.8000  0.6557                  2      2.00  Pareto, suggested
        1   1.3728              0       0                  1      2.00  Pareto
    >>> curve.suggested
    0.6
    """
    X = type_frame(X)
    features = read_features(X)
    known = read_given(given, features.n, "given")
    problem, scaling = scale_problem(
        AlternativeProblem(X, features.n, known, features), scale, COALA(metric=metric)
    )
    distances = problem.distances(metric).relative()
    check_n_objects(problem.n)
    count = resolve_n_clusters(n_clusters, known, problem.n)
    warn_of_equal_objects(count_apart(distances, count), count)
    thresholds = np.asarray(_OMEGAS if omegas is None else omegas, np.float64)
    scorer = Scorer(problem, known.codes, quality, dissimilarity, metric=metric)
    remedy = "use a sample"
    if metric == "euclidean":
        remedy += ", or COALA with prototypes for one threshold"
    check_table(problem.n, remedy, tables=2)
    start = distances.as_table(remedy=remedy)
    table = allocate_table(problem.n, start.dtype, remedy)
    points: list[_Point] = []
    for omega in track(thresholds.tolist(), thresholds.size, "trying thresholds", progress):
        np.copyto(table, start)
        merges = agglomerate(table, known.masks(), omega, progress=False)
        labels = cut(merges, count, min_cluster_size, join_nearest(distances))
        if points and np.array_equal(labels, points[-1].labels):
            sizes, scores = points[-1].sizes, points[-1].scores
        else:
            sizes = describe_sizes(labels)
            scores = scorer.score(labels)
        points.append(_Point(labels, int(merges.dissimilar.sum()), sizes, scores))
    return TradeoffCurve(thresholds, points, (_name(quality), _name(dissimilarity)), scaling)


def _count_are(count: int) -> str:
    return f"{count} is" if count == 1 else f"{count} are"


def _name(choice: Any) -> str:
    return choice if isinstance(choice, str) else getattr(choice, "__name__", "a function")
