"""Clusterers whose stability is assessed: any of scikit-learn, with one seed for each fit."""

from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import show, type_words
from clusterwise._utils.random import draw_seed
from clusterwise._utils.tables import format_objects
from clusterwise.inputs.clusterings import as_hard_clustering, find_noise
from clusterwise.inputs.encoding import Array, as_names
from clusterwise.inputs.features import used_categories

# The code of noise, which is in no cluster.
NOISE = -1
# Parameters that set the number of clusters, the most specific first.
_NUMBER = "n_clusters", "n_components"
_PRECOMPUTED = "metric", "affinity"


class Clusters(NamedTuple):
    """A clustering: codes from 0, or ``NOISE``, and the labels of its clusters."""

    codes: Array
    names: Array

    @property
    def size(self) -> int:
        """The number of clusters; noise is none."""
        return int(self.names.size)


class Clusterer(NamedTuple):
    """A clusterer, of which a copy is fitted each time.

    ``most_objects`` is the largest number of objects that it is fitted to; None for any.
    """

    template: Any
    noise_label: Any = NOISE
    most_objects: int | None = None

    @property
    def name(self) -> str:
        """The clusterer as it is written in Python."""
        return " ".join(repr(self.template).split())

    def cluster(self, points: Array, seed: int) -> Clusters:
        """Fit a copy of the clusterer and return its clusters."""
        model = _copy(self.template)
        _set_seeds(model, seed)
        try:
            labels = model.fit_predict(points)
        except ValueError as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise InputError(
                f"{type(model).__name__} failed on {format_objects(len(points))} ({reason}); pass "
                "more objects or other parameters."
            ) from error
        found = read_clusters(labels, "the labels of the clusterer", self.noise_label)
        if found.codes.size != len(points):
            raise InputError(
                f"{type(model).__name__} returned {found.codes.size} labels of {len(points)} "
                "objects; pass a clusterer that labels every object."
            )
        return found


def read_clusters(labels: Any, where: str, noise_label: Any) -> Clusters:
    """Read labels; ``where`` names them in errors."""
    codes, values = used_categories(as_hard_clustering(labels, where).codes)
    noise = find_noise(values, noise_label)
    # The last entry is that of no cluster.
    new = np.where(noise, NOISE, np.cumsum(~noise) - 1)
    names = [value for value, none in zip(values, noise, strict=True) if not none]
    return Clusters(new[codes], as_names(names))


def is_clusterer(value: Any) -> bool:
    """Return whether a value is a clusterer, or a class of clusterers."""
    return callable(getattr(value, "fit_predict", None))


def read_clusterer(value: Any, n_clusters: int | None, noise_label: Any) -> Clusterer:
    """Return a clusterer with a number of clusters, given an estimator or its class."""
    try:
        template = value() if isinstance(value, type) else _copy(value)
    except TypeError as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"clusterer_or_labels={show(value)} cannot be copied ({reason}); pass an estimator of "
            "scikit-learn with its parameters set."
        ) from error
    known = template.get_params() if hasattr(template, "get_params") else {}
    for name in _PRECOMPUTED:
        if known.get(name) == "precomputed":
            raise InputError(
                f"{name}='precomputed' needs distances, but X has features; pass a clusterer of "
                "features."
            )
    if n_clusters is None:
        return Clusterer(template, noise_label)
    for number in _NUMBER:
        paths = [name for name in known if name == number or name.endswith(f"__{number}")]
        if paths:
            template.set_params(**{min(paths, key=len): n_clusters})
            return Clusterer(template, noise_label)
    raise InputError(
        f"n_clusters={n_clusters} has no meaning for {type_words(template)}, which finds the "
        "number of clusters itself; leave out n_clusters."
    )


def _copy(estimator: Any) -> Any:
    return clone(estimator) if hasattr(estimator, "get_params") else deepcopy(estimator)


def _set_seeds(model: Any, seed: int) -> None:
    """Seed everything random in a model that has no integer as its seed already."""
    if not hasattr(model, "get_params"):
        return
    random = np.random.RandomState(seed)
    seeds = {
        name: draw_seed(random)
        for name, value in sorted(model.get_params().items())
        if name.rpartition("__")[2] == "random_state" and not isinstance(value, int | np.integer)
    }
    if seeds:
        model.set_params(**seeds)
