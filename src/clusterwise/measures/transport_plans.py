"""Transport plans between the clusters of two clusterings, as results that can be printed."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.export import json_row, to_frame
from clusterwise._utils.tables import TableRepr, TextTable, format_number, format_percent
from clusterwise._utils.visible import visible
from clusterwise.inputs.encoding import Array, name_list, refuse_masked
from clusterwise.measures._transport_solver import SparsePlan
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.overlap import SoftOverlap

Weights = Literal["uniform", "size"] | tuple[Any, Any]
_MAX_ROWS = 10
# The number of clusters that a sentence names; others are counted.
_MAX_TARGETS = 4


class PlanEntry(NamedTuple):
    """An amount moved between two clusters, as a proportion of the total and of each cluster."""

    a: Any
    b: Any
    amount: float
    share_of_a: float
    share_of_b: float
    cost: float


class TransportPlan(TableRepr):
    """The result of :func:`transport_plan`, which prints as a table of matched clusters.

    Attributes
    ----------
    measure, value : str, float
        The measure, and its value by this plan.
    solver : {"assignment", "shortest paths", "network simplex", "greedy"}
        The solver that found the plan.
    row_weights, column_weights : ndarray
        The clusters' weights, each summing to 1.
    nonzero : SparsePlan
        Rows, columns and amounts of the nonzero cells of the plan.
    object_costs : ndarray or None
        The contribution of an object to ``css_distance``, for each nonzero cell of the table.
    """

    def __init__(
        self,
        measure: str,
        value: float,
        table: Contingency | SoftOverlap,
        weights: tuple[Array, Array],
        plan: SparsePlan,
        costs: Array,
        cost_table: Callable[[], Array],
        object_costs: Array | None = None,
    ) -> None:
        self.measure, self.value, self.solver = measure, value, plan.solver
        self.row_names, self.column_names = table.row_names, table.column_names
        self.row_weights, self.column_weights = normalize_weights(weights)
        self.nonzero = plan
        self._costs = costs
        self._cost_table = cost_table
        self.object_costs = object_costs

    @cached_property
    def plan(self) -> Array:
        """The amounts moved from each cluster of a to each of b, K × J, summing to 1."""
        plan = np.zeros((len(self.row_names), len(self.column_names)))
        np.add.at(plan, (self.nonzero.rows, self.nonzero.columns), self.nonzero.amounts)
        return plan

    @cached_property
    def cost(self) -> Array:
        """The cost of moving a whole cluster of a to a cluster of b, K × J."""
        return self._cost_table()

    @cached_property
    def matches(self) -> list[PlanEntry]:
        """The matched clusters, by decreasing amount."""
        rows, columns, amounts, _ = self.nonzero
        order = np.argsort(-amounts, kind="stable")
        rows, columns, amounts = rows[order], columns[order], amounts[order]
        parts = (
            self.row_names[rows],
            self.column_names[columns],
            amounts,
            amounts / self.row_weights[rows],
            amounts / self.column_weights[columns],
            self._costs[order],
        )
        return [PlanEntry(*row) for row in zip(*map(name_list, parts), strict=True)]

    def sentences(self, *, split: bool = False) -> list[str]:
        """Return a sentence per cluster of a: the proportions of it that went to clusters of b.

        With ``split=True``, only clusters that went to several clusters.
        """
        targets: dict[Any, list[PlanEntry]] = {name: [] for name in name_list(self.row_names)}
        for match in self.matches:
            targets[match.a].append(match)
        return [visible(_sentence(found)) for found in targets.values() if len(found) > split]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "measure": self.measure,
            "value": self.value,
            "solver": self.solver,
            "matches": [json_row(match._asdict()) for match in self.matches],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return a frame with a row per match."""
        rows = self.to_dict()["matches"]
        fields = PlanEntry._fields
        return to_frame({name: [row[name] for row in rows] for name in fields}, library)

    def text_table(self) -> TextTable:
        """Return the matches with the largest amounts as text."""
        rows = [
            [str(m.a), str(m.b), *map(format_percent, m[2:5]), format_number(m.cost)]
            for m in self.matches[:_MAX_ROWS]
        ]
        more = f", first {_MAX_ROWS} of {len(self.matches)} matches" * (
            len(self.matches) > _MAX_ROWS
        )
        title = (
            f"Transport plan of {self.measure} ({format_number(self.value)}, by "
            f"{self.solver}){more}"
        )
        header = ["cluster of a", "cluster of b", "of all", "of a's", "of b's", "cost"]
        return TextTable(header, rows, title, frozenset({0, 1}))


def cluster_weights(weights: Weights, table: Contingency | SoftOverlap) -> tuple[Array, Array]:
    """Return the weights of the clusters of a and of b, each on its own scale."""
    if isinstance(weights, str):
        if weights == "size":
            return table.row_sums, table.column_sums
        return np.ones(table.shape[0]), np.ones(table.shape[1])
    return (
        _read_weights(weights[0], table.row_names, "a"),
        _read_weights(weights[1], table.column_names, "b"),
    )


def read_values(given: Any, names: Array, what: str) -> Array:
    """Read finite values for each cluster, given by label or in the order of the labels."""
    known = name_list(names)
    if isinstance(given, Mapping):
        lacking = [name for name in known if name not in given]
        if lacking:
            raise InputError(f"the {what} lack the cluster {lacking[0]!r}; add it.")
        given = [given[name] for name in known]
    refuse_masked(given, f"the array of {what}")
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the {what} must be finite numbers.") from None
    if values.ndim == 0 or len(values) != len(known):
        raise InputError(
            f"the {what} have shape {values.shape} for {len(known)} clusters; pass one for each, "
            f"in the order {', '.join(map(repr, known[:_MAX_ROWS]))}."
        )
    if not np.isfinite(values).all():
        raise InputError(f"the {what} must be finite numbers.")
    return values


def _read_weights(weights: Any, names: Array, where: str) -> Array:
    values = read_values(weights, names, f"weights of {where}")
    if values.ndim > 1 or (values < 0).any() or not values.sum() > 0:
        raise InputError(f"the weights of {where} must be numbers of at least 0, and not all 0.")
    return values


def normalize_weights(weights: tuple[Array, Array]) -> tuple[Array, Array]:
    """Scale both weights to sum to 1."""
    first, second = (side / (side.sum() or 1) for side in weights)
    return first, second


def _sentence(matches: Sequence[PlanEntry]) -> str:
    first = (
        f"{format_percent(matches[0].share_of_a)} of cluster '{matches[0].a}' went to "
        f"'{matches[0].b}'"
    )
    others = [
        f"{format_percent(match.share_of_a)} to '{match.b}'" for match in matches[1:_MAX_TARGETS]
    ]
    if len(matches) > _MAX_TARGETS:
        rest = sum(match.share_of_a for match in matches[_MAX_TARGETS:])
        others.append(f"{format_percent(rest)} to {len(matches) - _MAX_TARGETS} others")
    return ", ".join([first, *others]) + "."
