"""The input of a search for alternatives, read once."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.least_squares import Approach, CentredData, Rest, remove
from clusterwise.inputs.distances import Distances, Metric, read_distances
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import Points, read_points


@dataclass(frozen=True)
class AlternativeProblem:
    """Objects and given clusterings, shared by all methods that search and by the scores.

    ``X`` are the objects as the caller passed them, ``validated`` the same as an estimator
    validated them (``X`` itself by default). Everything else is derived from ``validated`` when it
    is first used, and kept. ``given`` is None if there is no given clustering.
    """

    X: Any
    n: int
    given: Given | None = None
    validated: Any = None
    _distances: dict[Any, Distances] = field(default_factory=dict, repr=False, compare=False)
    _rests: dict[Any, Rest] = field(default_factory=dict, repr=False, compare=False, init=False)

    def with_given(self, given: Given) -> "AlternativeProblem":
        """Return the same objects with other given clusterings."""
        other = replace(self, given=given)
        # Keep what was derived from the objects.
        kept = (k for k in vars(self) if k not in ("given", "_rests"))
        vars(other).update((k, vars(self)[k]) for k in kept)
        return other

    def take(self, rows: Array) -> "AlternativeProblem":
        """Return the problem of some of the objects."""
        features = self.features.take(rows)
        given = None if self.given is None else self.given.take(rows).without_empty()
        part = AlternativeProblem(features, features.n, given, features)
        # Categories have the same coordinates as among all objects.
        objects = self.objects
        vars(part)["objects"] = objects._replace(points=objects.points[rows])
        return part

    @cached_property
    def features(self) -> Features:
        """The features of the objects."""
        return read_features(self.X if self.validated is None else self.validated)

    @cached_property
    def objects(self) -> Points:
        """The objects as points, and the feature that each coordinate belongs to."""
        return read_points(self.features)

    @property
    def points(self) -> Array:
        """The objects as points, n × D."""
        return self.objects.points

    @cached_property
    def centred(self) -> CentredData:
        """The points with mean 0, and their covariance."""
        return CentredData.read(self.points)

    def remove(self, given: Given, approach: Approach, explained_variance: float = 1.0) -> Rest:
        """Return what is left of the points once given clusterings are removed.

        It is kept for the given clusterings of the problem, which several methods remove.
        """
        if given is not self.given:
            return remove(self.centred, given, approach, explained_variance)
        key = approach, explained_variance if approach == "project" else None
        if key not in self._rests:
            self._rests[key] = remove(self.centred, given, approach, explained_variance)
        return self._rests[key]

    @cached_property
    def point_features(self) -> Features:
        """The coordinates of the points as features."""
        names = [f"x{r}" for r in range(self.points.shape[1])]
        return Features(self.n, names, self.points)

    @cached_property
    def point_distances(self) -> Distances:
        """Euclidean distances between the points."""
        return read_distances(self.point_features)

    def distances(self, metric: Metric = "euclidean") -> Distances:
        """Distances between the objects by a metric."""
        if metric not in self._distances:
            self._distances[metric] = read_distances(self.features, metric)
        return self._distances[metric]
