"""One alternative clustering, and its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import finite_or_none
from clusterwise._utils.results import Described
from clusterwise._utils.tables import (
    TableRepr,
    TextTable,
    format_count,
    format_number,
    list_sizes,
)
from clusterwise._utils.warnings import warn_user
from clusterwise.alternatives.about import About
from clusterwise.alternatives.alternative_sentences import (
    STABLE,
    say_about,
    say_found_again,
    say_log,
)
from clusterwise.alternatives.lazy_frames.predictor import ClusterPredictor, predict_frame
from clusterwise.inputs.encoding import Array

SCORE_HEADER = (
    "DQ", "quality", "dissimilarity", "evidence", "found again", "effective", "sizes", "found by",
)  # fmt: skip
# The proportion of permuted data sets that a convincing alternative is better than.
_BETTER = 0.95


@dataclass(frozen=True, repr=False, eq=False)
class FoundClustering(Described, TableRepr):
    """An alternative clustering and its scores.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each object; -1 for objects that were left out of the search. If ``X`` was a
        lazy frame, those of the sample that was searched; :meth:`predict` labels all objects.
    quality, dissimilarity, dq : float
        The quality, the dissimilarity from the given clustering, and their harmonic mean.
    sizes : tuple of int
        The cluster sizes, largest first. If ``X`` was a lazy frame, those of all objects; those of
        the sample for unconvincing attempts beside convincing alternatives.
    effective_n_clusters : float
        The exponential of the entropy of the sizes.
    degenerate : bool
        Whether nearly all objects are in one cluster.
    method : str
        The name of the estimator that found it.
    parameters : mapping
        The estimator's parameters.
    about : About or None
        ``separating``, the score of each feature, best first, and ``single``, the features that
        alone give the clusters.
    evidence : float or None
        The log evidence for the clusters against one cluster, in addition to the given clusterings
        and the alternatives before; positive if the clusters are more than noise. None if it is
        not known.
    stability : float or None
        The mean adjusted Rand index with what is found from other seeds on 90 % of the objects (at
        most 1,000). None if the search was not repeated.
    found_again : tuple of int, or None
        How many of these searches found it again (with an index of at least 0.75), and of how many.
    icl_by_n_clusters : dict or None
        The largest integrated classification likelihood (ICL) of each number of clusters that was
        tried, if it was chosen: the evidence minus the entropy of the clusters that objects may
        belong to.
    better_than : tuple of int, or None
        Than how many permuted data sets there is more evidence, and of how many.
    crossed : tuple of int, or None
        The numbers of clusters of two clusterings that say the same, crossed with each other, in
        the same features: ``cluster_again`` returns these two for ``n_alternatives=2``.
    predictor : ClusterPredictor or None
        The rule that labels all objects, if ``X`` was a lazy frame. It is small and can be pickled.
    """

    labels: Array
    quality: float
    dissimilarity: float
    dq: float
    sizes: tuple[int, ...]
    effective_n_clusters: float
    degenerate: bool
    method: str
    parameters: Mapping[str, Any]
    about: About | None = None
    evidence: float | None = None
    stability: float | None = None
    found_again: tuple[int, int] | None = None
    icl_by_n_clusters: Mapping[int, float] | None = None
    better_than: tuple[int, int] | None = None
    crossed: tuple[int, int] | None = None
    predictor: ClusterPredictor | None = None

    def predict(self, frame: Any, *, column: str = "alternative") -> Any:
        """Label the objects of a frame, if the alternative was found in a lazy frame.

        Each object is assigned to its most likely cluster, by the mixture model that was fitted to
        the labels of the sample. Values that the sample lacks count for no cluster.

        Parameters
        ----------
        frame : frame
            The columns of the given clusterings and of the features; there may be others.
        column : str, default="alternative"
            The name of the column of labels that is added to a lazy frame.

        Returns
        -------
        ndarray of shape (n,) or lazy frame
            The labels of the objects of a frame in memory, -1 for those that are left out. A lazy
            frame is returned with another column; nothing is computed before it is used.
        """
        if self.predictor is None:
            raise InputError(
                "predict needs an alternative that was found in a lazy frame, but X was in memory; "
                "use labels, or pass a lazy frame as X."
            )
        return predict_frame(self.predictor, frame, column)

    @property
    def convincing(self) -> bool | None:
        """Whether the clusters are more than noise and stable; None if that is not known.

        The evidence is positive. If searches were repeated, at least 80 % of them found it again;
        if features were permuted, there is more evidence than in 95 % of these data sets.
        """
        if self.evidence is None:
            return None
        better, permuted = self.better_than or (0, 0)
        again, repeats = self.found_again or (0, 0)
        return self.evidence > 0 and better >= _BETTER * permuted and again >= STABLE * repeats

    def _sentences(self) -> list[str]:
        """Describe the alternative."""
        sizes = f"{format_count(len(self.sizes), 'cluster')} ({list_sizes(self.sizes)})"
        scores = (
            f"quality {format_number(self.quality)}, "
            f"dissimilarity {format_number(self.dissimilarity)}, DQ {format_number(self.dq)}"
        )
        end = ["It is degenerate: nearly all objects are in one cluster."] * self.degenerate
        if self.about is not None and not self.degenerate:
            end = [f"It {say_about(self.about)}."]
        return [f"{self.method} found {sizes}: {scores}.", *end]

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return {
            "labels": self.labels.tolist(),
            "quality": finite_or_none(self.quality),
            "dissimilarity": self.dissimilarity,
            "dq": self.dq,
            "sizes": list(self.sizes),
            "effective_n_clusters": self.effective_n_clusters,
            "degenerate": self.degenerate,
            "method": self.method,
            "parameters": {name: plain_parameter(value) for name, value in self.parameters.items()},
            "separation": None if self.about is None else self.about.separating.to_dict(),
            "evidence": self.evidence,
            "convincing": self.convincing,
            "stability": self.stability,
            "found_again": None if self.found_again is None else list(self.found_again),
            "icl_by_n_clusters": _by_number(self.icl_by_n_clusters),
            "better_than": None if self.better_than is None else list(self.better_than),
            "crossed": None if self.crossed is None else list(self.crossed),
        }

    def text_table(self) -> TextTable:
        """Return the scores as a table."""
        rows = [[name, cell] for name, cell in zip(SCORE_HEADER, score_cells(self), strict=True)]
        return TextTable(["alternative", ""], rows)


def _by_number(evidence: Mapping[int, float] | None) -> dict[str, float] | None:
    """Return the evidence by the number of clusters with keys as JSON has them."""
    return None if evidence is None else {str(n): value for n, value in evidence.items()}


def score_cells(found: FoundClustering) -> list[str]:
    """Return the cells of a table under ``SCORESCORE_HEADER``."""
    return [
        format_number(found.dq),
        format_number(found.quality),
        format_number(found.dissimilarity),
        say_log(found.evidence),
        say_found_again(found.found_again),
        f"{found.effective_n_clusters:.2f}",
        list_sizes(found.sizes),
        f"{found.method}, degenerate" if found.degenerate else found.method,
    ]


def plain_parameter(value: Any) -> Any:
    """Return a parameter as JSON knows it: anything but numbers, strings and None as a string."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return finite_or_none(float(value))
    if isinstance(value, list | tuple):
        return [plain_parameter(one) for one in value]
    return getattr(value, "__name__", None) or str(value)


def warn_of_degenerate(found: Sequence[FoundClustering]) -> None:
    """Warn if some alternatives are degenerate."""
    bad = [one for one in found if one.degenerate]
    if bad:
        are = "is" if len(bad) == 1 else "are"
        warn_user(
            f"{len(bad)} of {format_count(len(found), 'alternative')} {are} degenerate, with "
            f"clusters of {list_sizes(bad[0].sizes)} objects; try another method, or other "
            "parameters.",
        )
