"""The scores of alternatives: quality, dissimilarity from the given clusterings, and DQ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clusterwise._utils.random import as_sklearn_seed
from clusterwise.alternatives.base import (
    Alternative,
    StandaloneAlternative,
    make_first_clustering,
)
from clusterwise.alternatives.found_clustering import FoundClustering
from clusterwise.alternatives.methods import choose_dunn
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.sizes import describe_sizes
from clusterwise.inputs.clusterings import Clustering, as_hard_clustering
from clusterwise.inputs.distances import Metric
from clusterwise.inputs.encoding import Array
from clusterwise.measures._canonical import canonical_score
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
        if found.name == "canonical" and self.as_points:
            # Needs no copy of the points, sorted by cluster.
            return found.merit(canonical_score(problem.points, codes))
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


def fit_and_score(
    model: Alternative,
    problem: AlternativeProblem,
    quality: QualityChoice | None,
    dissimilarity: Dissimilarity | None,
) -> list[FoundClustering]:
    """Fit one estimator, and return its alternatives by decreasing DQ, degenerate ones last."""
    problem.features  # noqa: B018, raises for sparse matrices, which cannot be scored
    if problem.given is None and isinstance(model, StandaloneAlternative):
        # Without a given clustering this would be an ordinary clusterer.
        seed = as_sklearn_seed(model.random_state)
        problem = problem.with_given(make_first_clustering(problem.points, model.n_clusters, seed))
    model._fit(problem)
    parameters = model.get_params()
    scorer = Scorer(
        problem,
        model.given_,
        _default_quality(model, problem.n) if quality is None else quality,
        dissimilarity or "jaccard",
        as_points=model._scored_as_points,
        metric=parameters.get("metric", "euclidean"),
        missing_values=parameters.get("missing_values", "category"),
    )
    name = type(model).__name__
    found = [scorer.describe(labels, name, parameters) for labels in model.alternatives_]
    return sorted(found, key=lambda one: (one.degenerate, -one.dq))


def _default_quality(model: Alternative, n: int) -> str:
    """Return the quality for the data that an estimator is for, and for their number."""
    vectors = model.get_params().get("metric", "euclidean") not in ("gower", "precomputed")
    if vectors and model._default_quality == "dunn":
        return choose_dunn(n)
    return model._default_quality
