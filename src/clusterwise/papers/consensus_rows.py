"""How near to the classes each consensus of an ensemble is, beside the members and a peer."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import make_blobs

from clusterwise.consensus.combining import combine
from clusterwise.consensus.making import make_ensemble
from clusterwise.encoding import Array
from clusterwise.measures.pairs import adjusted_rand_score
from clusterwise.papers.thirteen import read_case

DEFAULT, PEER = "evidence", "pyckmeans"
MEAN, BEST = "mean member", "best member"
UNTOLD = "no K told"
# By method, the library that it needs.
_NEEDS = {"cspa": "pymetis", "hbgf": "pymetis", "hgpa": "mtkahypar", "mcla": "pymetis"}
_METHODS = (DEFAULT, "voting", "phi", "median", "mcla", "hbgf", "cspa", "hgpa")
MIXED, PLAIN, THEIRS = "mixed", "k-means", "pyckmeans's"
_MEMBERS = {MIXED: 50, PLAIN: 20, THEIRS: 50}
_BLOBS = {
    "4 blobs, spread 1": (4, 1.0),
    "4 blobs, spread 2": (4, 2.0),
    "6 blobs, spread 2": (6, 2.0),
    "6 blobs, spread 3": (6, 3.0),
}
_UNEVEN = "4 uneven blobs"
PLANTED = (*_BLOBS, _UNEVEN)
SETS = (
    "iris", "wine", "glass", "ionosphere", "diabetes", "vehicle", "breast-cancer", "sonar",
    "vote", "new-thyroid", "heart-statlog", "australian",
)  # fmt: skip


class Objects(NamedTuple):
    """Points and the codes of their classes; planted ones are drawn anew for each seed."""

    name: str
    draw: Callable[[int], tuple[Array, Array]]


class Row(NamedTuple):
    """Adjusted Rand indices with the classes, a seed after the other, by method."""

    name: str
    kind: str
    n: int
    clusters: int
    scores: Mapping[str, Sequence[float]]

    def mean(self, method: str) -> float:
        """Over the seeds."""
        return float(np.mean(self.scores[method]))

    @property
    def best(self) -> str:
        """The method of ours with the highest mean, which nobody knows before."""
        ours = [method for method in _METHODS if method in self.scores]
        return max(ours, key=self.mean)


def list_methods() -> list[str]:
    """The methods of ours that can run here."""
    return [name for name in _METHODS if name not in _NEEDS or find_spec(_NEEDS[name])]


def plant(name: str, n: int = 500) -> Objects:
    """Blobs in four dimensions."""

    def draw(seed: int) -> tuple[Array, Array]:
        if name == _UNEVEN:
            sizes = [n * share // 20 for share in (12, 5, 2, 1)]
            return make_blobs(sizes, 4, cluster_std=1.5, random_state=seed)
        count, spread = _BLOBS[name]
        return make_blobs(n, 4, centers=count, cluster_std=spread, random_state=seed)

    return Objects(name, draw)


def read_set(name: str, folder: str | None) -> Objects:
    """One of the papers' sets: numbers are standardised, names columns of 0 and 1."""
    case = read_case(name, folder)
    return Objects(name, lambda seed: (case.points, case.given))  # noqa: ARG005 (always the same)


def run_objects(objects: Objects, seeds: int) -> list[Row]:
    """A row for each kind of ensemble."""
    scores: dict[str, dict[str, list[float]]] = {}
    for seed in range(seeds):
        points, true = objects.draw(seed)
        count = int(true.max()) + 1
        peer = run_peer(points, count, _MEMBERS[THEIRS], seed)
        ensembles = dict(_ensembles(points, count, seed))
        if peer is not None:
            ensembles[THEIRS] = peer.members
        for kind, ensemble in ensembles.items():
            found = _score(ensemble, true, count, seed)
            if peer is not None:
                found[PEER] = float(adjusted_rand_score(true, peer.labels))
            for method, score in found.items():
                scores.setdefault(kind, {}).setdefault(method, []).append(score)
    return [Row(objects.name, kind, true.size, count, rows) for kind, rows in scores.items()]


def _ensembles(points: Array, count: int, seed: int) -> Iterator[tuple[str, Array]]:
    mixed = make_ensemble(points, _MEMBERS[MIXED], scale=False, random_state=seed)
    yield MIXED, mixed.labels
    plain = make_ensemble(
        points, _MEMBERS[PLAIN], n_clusters=count, ways=("plain",), starts="random", scale=False,
        random_state=seed,
    )  # fmt: skip
    yield PLAIN, plain.labels


def _score(ensemble: Array, true: Array, count: int, seed: int) -> dict[str, float]:
    members = [float(adjusted_rand_score(true, member)) for member in ensemble.T]
    scores = {MEAN: float(np.mean(members)), BEST: max(members)}
    for method in list_methods():
        found: Any = combine(ensemble, method, count, random_state=seed)  # type: ignore[arg-type]
        scores[method] = float(adjusted_rand_score(true, found.labels))
    untold = combine(ensemble, random_state=seed)
    scores[UNTOLD] = float(adjusted_rand_score(true, untold.labels))
    return scores


class Peer(NamedTuple):
    """Labels, and those of the members that they are from, n × m."""

    labels: Array
    members: Array


def run_peer(points: Array, count: int, members: int, seed: int) -> Peer | None:
    """What pyckmeans finds; None if it is not installed."""
    try:
        library = import_module("pyckmeans")
    except ImportError:
        return None
    # It draws from NumPy's global source of chance.
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = library.CKmeans(count, n_rep=members, metrics=(), random_state=seed)
            model.fit(points)
            found = model.predict(points, return_cls=True)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return Peer(np.asarray(found.cl), np.asarray(found.km_cls).T)
