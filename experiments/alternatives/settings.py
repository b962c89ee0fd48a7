"""Planted data of the study: several true clusterings, one of them given."""

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

from clusterwise.datasets import (
    Planted,
    make_alternatives,
    make_categorical_alternatives,
    make_mixed_alternatives,
)

# Separate from the seeds of examples and tests, which begin at 0.
_FIRST_SEED = 1000
# Parameters of the generators for data without noise.
_PURE = {"noise": 0.0, "reliability": 1.0}


class Setting(NamedTuple):
    """Parameters of planted data; ``clusterings`` has the number of clusters of each clustering."""

    name: str
    clusterings: tuple[int, ...]
    make: Callable[..., Planted]
    options: dict[str, Any]
    n: int = 400

    @property
    def title(self) -> str:
        """The name with the number of clusters."""
        return f"{self.name}, K = {self.clusterings[0]}"

    @property
    def categorical(self) -> bool:
        """Whether all features are categorical."""
        return self.make is make_categorical_alternatives

    def option(self, name: str) -> Any:
        """Return a parameter of the generator or its default; None if it has no such parameter."""
        known = signature(self.make).parameters
        return self.options.get(name, known[name].default) if name in known else None

    def draw(self, seed: int, *, pure: bool = False) -> Planted:
        """Return one data set; with ``pure`` the same without noise."""
        known = {name: value for name, value in _PURE.items() if self.option(name) is not None}
        options = self.options | known if pure else self.options
        return self.make(self.n, self.clusterings, **options, random_state=_FIRST_SEED + seed)


_TWO: dict[str, tuple[Callable[..., Planted], dict[str, Any]]] = {
    "plain": (make_alternatives, {"separation": 10}),
    "overlapping": (make_alternatives, {"separation": 5}),
    "noise features": (make_alternatives, {"separation": 5, "extra_features": 10}),
    "rotated, overlapping": (make_alternatives, {"separation": 4, "rotated": True}),
    "unbalanced": (make_alternatives, {"separation": 5, "balance": 0.3}),
    "very unbalanced, rotated": (
        make_alternatives,
        {"separation": 6, "balance": 0.1, "rotated": True},
    ),
    "categorical": (make_categorical_alternatives, {}),
    "mixed": (make_mixed_alternatives, {}),
}
_THREE = {
    "three clusterings": {"separation": 6},
    "three clusterings, rotated": {"separation": 6, "rotated": True},
}


def list_settings(*, quick: bool = False, crossed: bool = True) -> list[Setting]:
    """Return all settings; with ``quick`` small ones with two clusters."""
    few, many = (120, 120) if quick else (400, 600)
    design = {"crossed": crossed}
    found = [
        Setting(name, (k, k), make, options | design, few)
        for name, (make, options) in _TWO.items()
        for k in ((2,) if quick else (2, 3, 4))
    ]
    found += [
        Setting(name, (k, k, k), make_alternatives, options | design, many)
        for name, options in _THREE.items()
        for k in ((2,) if quick else (2, 3))
    ]
    return found
