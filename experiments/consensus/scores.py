"""Score every consensus of an ensemble against the classes, next to the members and peers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import make_blobs

from clusterwise.consensus.combine import combine
from clusterwise.consensus.make_ensemble import make_ensemble
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score
from clusterwise.measures.pairs import adjusted_rand_score
from experiments.common.maximus_datasets import read_case
from experiments.consensus.peers import PYCKMEANS, run_pyckmeans, run_references

DEFAULT = "auto"
MEAN, BEST = "mean member", "best member"
CHOSEN = "K chosen"
# The library that a method needs.
_NEEDS = {"cspa": "pymetis", "hbgf": "pymetis", "hgpa": "mtkahypar", "mcla": "pymetis"}
_METHODS = (
    DEFAULT, "evidence", "refined-evidence", "lwea", "lwgp", "voting", "phi", "median", "mcla",
    "hbgf", "cspa", "hgpa",
)  # fmt: skip
MIXED, PLAIN, THEIRS = "mixed", "k-means", "pyckmeans"
_MEMBERS = {MIXED: 50, PLAIN: 20, THEIRS: 50}
# Members whose score differs from the default's by at most this are near it.
NEAR = 0.02
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
    """A function of the seed that returns points and class codes; planted points depend on it."""

    name: str
    draw: Callable[[int], tuple[Array, Array]]


class Members(NamedTuple):
    """Scores of the members of an ensemble, one value per member.

    ``scores`` are adjusted Rand indices with the classes, ``agreement`` the mean NMI with the
    other members, and ``right_count`` whether a member has as many clusters as classes.
    """

    scores: Array
    agreement: Array
    right_count: Array

    @property
    def typical(self) -> float:
        """The score of the member with the highest agreement with the others."""
        return float(self.scores[self.agreement.argmax()])

    def near(self, score: float) -> float:
        """Return the proportion of members whose score is near this one."""
        return float(np.mean(np.abs(self.scores - score) <= NEAR))


class Row(NamedTuple):
    """Adjusted Rand indices with the classes by method, one per seed."""

    name: str
    kind: str
    n: int
    clusters: int
    scores: Mapping[str, Sequence[float]]
    members: Sequence["Members"] = ()

    def mean(self, method: str) -> float:
        """Return the mean over the seeds."""
        return float(np.mean(self.scores[method]))

    @property
    def best(self) -> str:
        """The method of this library with the highest mean, known only after the fact."""
        ours = [method for method in _METHODS if method in self.scores]
        return max(ours, key=self.mean)


def list_methods() -> list[str]:
    """Return the methods of this library whose dependencies are installed."""
    return [name for name in _METHODS if name not in _NEEDS or find_spec(_NEEDS[name])]


def plant(name: str, n: int = 500) -> Objects:
    """Return Gaussian blobs in four dimensions."""

    def draw(seed: int) -> tuple[Array, Array]:
        if name == _UNEVEN:
            sizes = [n * share // 20 for share in (12, 5, 2, 1)]
            return make_blobs(sizes, 4, cluster_std=1.5, random_state=seed)
        count, spread = _BLOBS[name]
        return make_blobs(n, 4, centers=count, cluster_std=spread, random_state=seed)

    return Objects(name, draw)


def read_set(name: str, folder: str | None) -> Objects:
    """Read a data set of the papers; numeric features standardised, categorical ones one-hot."""
    case = read_case(name, folder)
    return Objects(name, lambda seed: (case.points, case.given))  # noqa: ARG005 (not random)


def run_objects(objects: Objects, seeds: int) -> list[Row]:
    """Run all methods on one data set; return a row for each kind of ensemble."""
    scores: dict[str, dict[str, list[float]]] = {}
    members: dict[str, list[Members]] = {}
    for seed in range(seeds):
        points, true = objects.draw(seed)
        count = int(true.max()) + 1
        peer = run_pyckmeans(points, count, _MEMBERS[THEIRS], seed)
        ensembles = dict(_ensembles(points, count, seed))
        if peer is not None:
            ensembles[THEIRS] = peer.members
        for kind, ensemble in ensembles.items():
            one = score_members(ensemble, true)
            members.setdefault(kind, []).append(one)
            found = {MEAN: float(one.scores.mean()), BEST: float(one.scores.max())}
            labels = dict(_combine(ensemble, count, seed))
            if peer is not None:
                labels[PYCKMEANS] = peer.labels
            labels |= run_references(ensemble, count, seed)
            found |= {name: float(adjusted_rand_score(true, one)) for name, one in labels.items()}
            for method, score in found.items():
                scores.setdefault(kind, {}).setdefault(method, []).append(score)
    return [
        Row(objects.name, kind, true.size, count, rows, members[kind])
        for kind, rows in scores.items()
    ]


def _ensembles(points: Array, count: int, seed: int) -> Iterator[tuple[str, Array]]:
    mixed = make_ensemble(points, _MEMBERS[MIXED], scale=False, random_state=seed)
    yield MIXED, mixed.labels
    plain = make_ensemble(
        points, _MEMBERS[PLAIN], n_clusters=count, strategies=("plain",), init="random",
        scale=False, random_state=seed,
    )  # fmt: skip
    yield PLAIN, plain.labels


def score_members(ensemble: Array, true: Array) -> Members:
    """Score the members against the classes and against each other."""
    columns = list(ensemble.T)
    scores = np.array([adjusted_rand_score(true, one) for one in columns])
    alike = np.eye(len(columns))
    for i, j in zip(*np.triu_indices(len(columns), 1), strict=True):
        alike[i, j] = alike[j, i] = normalized_mutual_info_score(columns[i], columns[j])
    others = (alike.sum(axis=1) - 1) / max(1, len(columns) - 1)
    counts = np.array([np.unique(one).size for one in columns])
    return Members(scores, others, counts == int(true.max()) + 1)


def _combine(ensemble: Array, count: int, seed: int) -> Iterator[tuple[str, Array]]:
    for method in list_methods():
        found: Any = combine(ensemble, method, count, random_state=seed)  # type: ignore[arg-type]
        yield method, found.labels
    yield CHOSEN, combine(ensemble, random_state=seed).labels
