"""Fit the rule that labels all objects to the labels of a sample."""

import numpy as np

from clusterwise.alternatives.given import Given
from clusterwise.alternatives.lazy_frames.label_rule import (
    CodedColumn,
    LabelRule,
    LeftOut,
    NumericColumn,
    RuleInputs,
)
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.alternatives.refinement.categorical import fit_categorical_model
from clusterwise.alternatives.refinement.gaussian import GaussianSums
from clusterwise.alternatives.refinement.model import (
    MixedObjects,
    ModelData,
    find_components,
    project,
)
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features


class RuleFitter:
    """Fits rules to labels of the objects of a sample.

    Parameters
    ----------
    problem : AlternativeProblem
        The sample as it was searched, with its given clusterings.
    features : Features
        Its features before they were scaled.
    given_columns : sequence of CodedColumn
        The columns of the given clusterings, whose codes are those of the sample.
    left_out : LeftOut
        Which objects have no label.
    """

    def __init__(
        self,
        problem: AlternativeProblem,
        features: Features,
        given_columns: tuple[CodedColumn, ...],
        left_out: LeftOut,
    ) -> None:
        assert problem.given is not None
        self._given: Given = problem.given
        objects = MixedObjects(problem.features, problem.objects)
        data = objects.take()
        self._axes = find_components(data, self._given)
        self._data = project(data, self._axes)
        numeric, self._units = [], []
        for r, searched in zip(objects.numeric_features.tolist(), data.numeric.T, strict=True):
            column = features.columns[r]
            mean, unit = _fit_line(searched, np.asarray(column.numbers(), np.float64))
            numeric.append(NumericColumn(column.name, mean))
            self._units.append(unit)
        categorical = [_categories(features, r) for r in objects.categorical_features.tolist()]
        cells = np.zeros((int(self._given.joint.max()) + 1, len(self._given.sizes)), np.int64)
        cells[self._given.joint] = self._given.codes.T
        self.inputs = RuleInputs(
            given_columns,
            tuple(map(tuple, cells.tolist())),
            tuple(numeric),
            tuple(categorical),
            left_out,
        )

    def fit(self, labels: Array) -> LabelRule:
        """Return the rule of these labels of the sample."""
        clusters = int(labels.max()) + 1
        responsibilities = np.eye(clusters)[:, labels]
        sizes = np.bincount(labels, minlength=clusters)
        constants = np.log(np.maximum(sizes, 1) / labels.size)
        weights = np.zeros((len(self._units), clusters))
        given = tuple(np.zeros((size + 1, clusters)) for size in self._given.sizes)
        if self._units:
            model = GaussianSums.of(ModelData(self._data, self._given), responsibilities).fit()
            scaled = model.covariance.scale(model.centres)
            constants = constants - 0.5 * (scaled * model.centres).sum(axis=1)
            in_features = scaled if self._axes is None else scaled @ self._axes.T
            weights = in_features.T / np.array(self._units)[:, None]
            ends = np.cumsum(self._given.sizes)[:-1]
            effects = np.split(-(model.given_effects @ scaled.T), ends)
            given = tuple(np.vstack([one, np.zeros(clusters)]) for one in effects)
        categorical, by_cell = self._fit_categories(responsibilities)
        return LabelRule(constants, weights, given, categorical, by_cell)

    def _fit_categories(self, responsibilities: Array) -> tuple[dict[int, Array], dict[int, Array]]:
        """Return the log-likelihoods of categories that differ between clusters."""
        codes, given = self._data.categorical, self._given
        model = fit_categorical_model(codes, given, responsibilities)
        of_cluster, by_cell = {}, {}
        unknown = np.zeros((1, len(responsibilities)))
        if model.joint_model is not None:
            for feature, table in zip(model.of_cluster, model.joint_model.tables, strict=True):
                of_cluster[feature] = np.vstack([table.T, unknown])
        for feature, distribution in model.separate.items():
            cells, own, size = distribution.counts.shape
            if own == 1:
                continue
            # The last cell stands for combinations that the sample lacks.
            every = np.append(np.arange(cells), -1)
            values = distribution.log_likelihoods(
                np.tile(np.arange(size), every.size), np.repeat(every, size)
            ).values
            table = np.zeros((every.size, size + 1, len(responsibilities)))
            table[:, :size] = values.T.reshape(every.size, size, -1)
            if cells == 1:
                of_cluster[feature] = table[0]
            else:
                by_cell[feature] = table
        return of_cluster, by_cell


def _fit_line(searched: Array, values: Array) -> tuple[float, float]:
    """Return the mean and the unit of a feature, of which ``searched`` is a linear function.

    ``searched`` is 0 at the mean, and 1 one unit above it.
    """
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    unit = float(values[high] - values[low]) / float(searched[high] - searched[low])
    return float(values[low] - searched[low] * unit), unit


def _categories(features: Features, r: int) -> CodedColumn:
    column = features.columns[r]
    codes, values = column.categories()
    plain = tuple(getattr(value, "item", lambda value=value: value)() for value in values)
    return CodedColumn(column.name, plain, bool((codes < 0).any()))
