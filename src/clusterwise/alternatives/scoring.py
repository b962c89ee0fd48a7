"""The scores of alternatives: quality, dissimilarity from the given clusterings, and DQ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.results import FoundClustering
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.clusterings import Clustering, as_hard_clustering
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.encoding import Array
from clusterwise.measures.dq import DQ, Dissimilarity, dq_parts
from clusterwise.measures.quality import find_quality

QualityChoice = str | Callable[[Any, Any], float]


@dataclass(frozen=True)
class Scorer:
    """Scores of clusterings of one problem: quality, dissimilarity and DQ.

    ``given`` are codes, m × n. ``as_points`` says that quality is that of the points and not of
    the features; ``metric`` and ``missing_values`` are for features only.
    """

    problem: AlternativeProblem
    given: Array
    quality: QualityChoice
    dissimilarity: Dissimilarity
    as_points: bool = False
    metric: Metric = "euclidean"
    missing_values: str = "category"

    @cached_property
    def _given_labels(self) -> Any:
        """The given clusterings for measures: one is encoded once."""
        several = len(self.given) > 1 or callable(self.dissimilarity)
        return self.given.T if several else as_hard_clustering(self.given[0])

    def score(self, labels: Array) -> DQ:
        """Return DQ and its parts."""
        problem, encoded = self.problem, as_hard_clustering(labels)
        quality = self._quality(labels, encoded)
        return dq_parts(
            problem.point_features if self.as_points else problem.features,
            self._given_labels,
            labels if callable(self.dissimilarity) else encoded,
            dissimilarity=self.dissimilarity,
            quality=lambda *_: quality,
        )

    def _quality(self, codes: Array, labels: Clustering) -> float:
        problem = self.problem
        if callable(self.quality):
            return float(self.quality(problem.points if self.as_points else problem.X, codes))
        found = find_quality(self.quality)
        if found.name == "entropy":
            features = problem.point_features if self.as_points else problem.features
            return found.merit(found.function(features, labels, missing_values=self.missing_values))
        distances = problem.point_distances if self.as_points else problem.distances(self.metric)
        return found.merit(found.function(distances, labels))

    def describe(
        self, labels: Array, method: str, parameters: Mapping[str, Any]
    ) -> FoundClustering:
        """Return labels with their scores and sizes, and the method that found them."""
        scores, sizes = self.score(labels), describe_sizes(labels)
        return FoundClustering(
            labels=labels,
            quality=scores.quality,
            dissimilarity=scores.dissimilarity,
            dq=scores.dq,
            sizes=sizes.sizes,
            effective_n_clusters=sizes.effective,
            degenerate=sizes.degenerate,
            method=method,
            parameters=parameters,
        )
