"""Positions of objects: principal components, the crossed view, two features, coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import show
from clusterwise._utils.tables import format_list
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Column, Features, has_rows, read_features, refuse_infinite
from clusterwise.inputs.points import centre_columns, read_points
from clusterwise.models.kmeans import centre
from clusterwise.plots._annotations import show_name
from clusterwise.plots._crossed import Groups, crossed_axes, label_axis

# The jitter of objects of one category to either side.
_JITTER = 0.3
# Characters per line of a long label.
_LINE = 46

Axes = str | Sequence[str | int]


@dataclass(frozen=True)
class Projection:
    """The positions of objects, n × 2, the labels of the axes, and the names along them.

    Objects without a position are NaN.
    """

    points: Array
    labels: tuple[str, str]
    ticks: tuple[list[str] | None, list[str] | None] = (None, None)

    def take(self, objects: Array | None) -> "Projection":
        """Return the positions of some of the objects; None means all."""
        if objects is None:
            return self
        return Projection(self.points[objects], self.labels, self.ticks)


def project(
    X: Any = None,
    *,
    axes: Axes | None = None,
    coordinates: Any = None,
    groups: Sequence[Groups] = (),
    kept: Array | None = None,
    n: int | None = None,
) -> Projection:
    """Return the positions of objects in the plane.

    Parameters
    ----------
    X : array-like or frame of shape (n, R), optional
        The features of the objects, numeric, categorical or both.
    axes : "crossed", or sequence of two names or indices of features, optional
        The directions that separate the first and the second clustering best, or the features to
        plot; by default the first two principal components of the standardised features.
    coordinates : array-like or frame of shape (n, 2), optional
        The positions, in place of ``X``.
    groups : sequence of Groups, optional
        The clusterings of the crossed view.
    kept : ndarray of int, optional
        The objects that the groups are of; by default all.
    n : int, optional
        The number of objects that there must be.
    """
    found = _project(X, axes, coordinates, groups, kept, n)
    _check_count(len(found.points), n)
    return found


def _check_count(found: int, n: int | None) -> None:
    if n is not None and found != n:
        raise InputError(
            f"there are positions of {found} objects, but labels of {n}; pass the same objects in "
            "both."
        )


def _project(
    X: Any,
    axes: Axes | None,
    coordinates: Any,
    groups: Sequence[Groups],
    kept: Array | None,
    n: int | None,
) -> Projection:
    if coordinates is not None:
        if axes is not None:
            raise InputError("axes cannot be combined with coordinates; leave one of them out.")
        if not has_rows(coordinates):
            raise InputError(
                f"coordinates={show(coordinates)} are not positions; pass an array of shape (n, 2)."
            )
        return _from_coordinates(read_features(coordinates))
    if X is None:
        raise InputError(
            "a scatter plot needs the positions of the objects; pass X or coordinates."
        )
    features = read_features(X)
    if isinstance(axes, str) and axes == "crossed":
        _check_count(features.n, n)
        return _crossed(features, groups, kept)
    if axes is not None:
        return _from_features(features, axes)
    return _principal_components(features)


def _from_coordinates(features: Features) -> Projection:
    if len(features.names) != 2:
        raise InputError(
            f"coordinates have {len(features.names)} columns; pass two, or pass them as X for "
            "their principal components."
        )
    if not features.labelled:
        features = Features(
            features.n,
            ["coordinate 1", "coordinate 2"],
            _columns=[
                Column(f"coordinate {i}", column.data, column.kind)
                for i, column in enumerate(features.columns, 1)
            ],
        )
    return _from_features(features, features.names)


def _from_features(features: Features, axes: Sequence[str | int]) -> Projection:
    if isinstance(axes, str) or len(axes) != 2:
        raise InputError(f'axes={axes!r}; pass "crossed", or the names of two features.')
    columns = [_find(features, axis) for axis in axes]
    random = np.random.default_rng(0)
    read = [_positions(column, random) for column in columns]
    labels = [
        show_name(column.name) + _missing(positions)
        for column, (positions, _) in zip(columns, read, strict=True)
    ]
    points = np.column_stack([positions for positions, _ in read])
    return Projection(points, (labels[0], labels[1]), (read[0][1], read[1][1]))


def _find(features: Features, axis: str | int) -> Column:
    if isinstance(axis, int | np.integer) and 0 <= axis < len(features.names):
        return features.columns[axis]
    if axis not in features.names:
        known = format_list(features.names, 10)
        raise InputError(f"X has no feature {axis!r}; its features are {known}.")
    return features.columns[features.names.index(str(axis))]


def _positions(column: Column, random: np.random.Generator) -> tuple[Array, list[str] | None]:
    """Return positions along one axis: numeric values unchanged, categories with jitter."""
    if column.kind == "nominal":
        codes, values = column.categories()
        positions = codes + random.uniform(-_JITTER, _JITTER, codes.size)
        return np.where(codes < 0, np.nan, positions), [str(value) for value in values]
    numbers = np.asarray(column.numbers(), np.float64)
    refuse_infinite(column.name, numbers)
    return numbers, None


def _missing(positions: Array) -> str:
    count = int(np.isnan(positions).sum())
    return f" ({count} missing, not shown)" if count else ""


def _crossed(features: Features, groups: Sequence[Groups], kept: Array | None) -> Projection:
    read = read_points(features)
    points = centre(read, scale=True)
    if points.shape[1] == 1 or len(points) < 3 or not points.any():
        return _principal_components(features)
    some = points if kept is None else centre_columns(points[kept])
    first, second = groups[0], groups[min(1, len(groups) - 1)]
    if not some.any():
        return _principal_components(features)
    x, y = crossed_axes(some, first, second)
    found = [
        label_axis(axis, points, read.owners, features.names, warn=at == 0 or not x.discriminant)
        for at, axis in enumerate((x, y))
    ]
    labels = [fill(label, _LINE, break_long_words=False) for _, label in found]
    return Projection(np.column_stack([scores for scores, _ in found]), (labels[0], labels[1]))


def _principal_components(features: Features) -> Projection:
    read = read_points(features)
    points = centre(read, scale=True)
    n, width = points.shape
    if width == 1 or n < 2:
        numbers = np.column_stack([read.origin[0] + read.in_units()[:, 0], np.arange(n)])
        return Projection(numbers, (show_name(features.names[0]), "position among the objects"))
    if not points.any():
        return Projection(points[:, :2], ("all objects are the same", ""))
    model = PCA(2, random_state=0)
    found = model.fit_transform(points)
    explained = model.explained_variance_ratio_
    return Projection(
        found,
        (
            f"first principal component ({explained[0]:.0%} of the variance)",
            f"second principal component ({explained[1]:.0%})",
        ),
    )
