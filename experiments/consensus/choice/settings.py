"""Generated data and ensembles: a tuning half, and a held-out half with other shapes and seeds."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons

from clusterwise.consensus.make_ensemble import Strategy, make_ensemble
from clusterwise.inputs.encoding import Array

N_OBJECTS, N_MEMBERS = 400, 20
TUNING, HELD_OUT = "tuning", "held out"
# Seeds of the held-out half start here.
_FIRST_HELD_OUT = 1000
Draw = Callable[[int], tuple[Array, Array]]
Combinable = Callable[[Array, int, int], Array]


class Setting(NamedTuple):
    """Data of a shape, and a kind of ensemble; ``seed`` draws both."""

    half: str
    shape: str
    kind: str

    @property
    def name(self) -> str:
        """The shape and the kind of ensemble."""
        return f"{self.shape}; {self.kind}"

    def draw(self, seed: int) -> tuple[Array, Array]:
        """Return the labels of the members, n × m, and the classes."""
        seed += _FIRST_HELD_OUT if self.half == HELD_OUT else 0
        if self.shape in PLANTED[self.half]:
            return _plant(*PLANTED[self.half][self.shape], self.kind, seed)
        points, true = SHAPES[self.half][self.shape](seed)
        return KINDS[self.kind](points, int(true.max()) + 1, seed), true


def list_settings(half: str) -> list[Setting]:
    """Return all settings of one half."""
    kinds = {**dict.fromkeys(SHAPES[half], KINDS), **dict.fromkeys(PLANTED[half], _WAYS)}
    return [Setting(half, shape, kind) for shape, own in kinds.items() for kind in own]


def make_members(
    points: Array,
    count: int,
    seed: int,
    *,
    numbers: Callable[[int, int], tuple[int, int]],
    strategies: tuple[Strategy, ...] = ("plain",),
) -> Array:
    """Return members by k-means; ``numbers`` is their range of clusters, by K and n."""
    made = make_ensemble(
        points, N_MEMBERS, n_clusters=numbers(count, len(points)), strategies=strategies,
        init="random", scale=False, random_state=seed,
    )  # fmt: skip
    return made.labels


def _root(n: int) -> int:
    return round(np.sqrt(n))


def _mixed(points: Array, count: int, seed: int) -> Array:  # noqa: ARG001 (not told)
    return make_ensemble(points, N_MEMBERS, scale=False, random_state=seed).labels


KINDS: Mapping[str, Combinable] = {
    "K clusters": partial(make_members, numbers=lambda k, n: (k, k)),  # noqa: ARG005
    "2 to 2K": partial(make_members, numbers=lambda k, n: (2, 2 * k)),  # noqa: ARG005
    "2 to √n": partial(make_members, numbers=lambda k, n: (2, _root(n))),  # noqa: ARG005
    "√n to 2√n": partial(make_members, numbers=lambda k, n: (_root(n), 2 * _root(n))),  # noqa: ARG005
    "some features": partial(
        make_members,
        numbers=lambda k, n: (2, 2 * k),  # noqa: ARG005
        strategies=("subspace",),
    ),
    "K clusters, resampled": partial(
        make_members,
        numbers=lambda k, n: (k, k),  # noqa: ARG005
        strategies=("subsample", "subspace"),
    ),
    "mixed": _mixed,
}


def _blobs(
    seed: int,
    *,
    count: int,
    dims: int,
    spread: float,
    noise_dims: int = 0,
    shares: tuple[int, ...] = (),
    stretch: bool = False,
) -> tuple[Array, Array]:
    sizes = [N_OBJECTS * one // sum(shares) for one in shares] if shares else N_OBJECTS
    points, true = make_blobs(
        sizes, dims, centers=None if shares else count, cluster_std=spread, random_state=seed
    )
    random = np.random.RandomState(seed)
    if stretch:
        points = points @ random.normal(size=(dims, dims))
    noise = random.normal(scale=points.std(), size=(len(points), noise_dims))
    return np.hstack([points, noise]), true


def _moons(seed: int, *, noise: float) -> tuple[Array, Array]:
    return make_moons(N_OBJECTS, noise=noise, random_state=seed)


def _rings(seed: int, *, radii: tuple[float, ...], noise: float) -> tuple[Array, Array]:
    points, true = make_circles(
        N_OBJECTS, noise=noise / max(radii), factor=min(radii) / max(radii), random_state=seed
    )
    points *= max(radii)
    if len(radii) > 2:
        random = np.random.RandomState(seed)
        true = random.randint(len(radii), size=N_OBJECTS)
        angle = random.uniform(0, 2 * np.pi, N_OBJECTS)
        points = np.column_stack([np.cos(angle), np.sin(angle)]) * np.array(radii)[true][:, None]
        points += random.normal(scale=noise, size=points.shape)
    return points, true


def _spirals(seed: int, *, arms: int, noise: float) -> tuple[Array, Array]:
    random = np.random.RandomState(seed)
    true = random.randint(arms, size=N_OBJECTS)
    turn = np.sqrt(random.uniform(0.05, 1, N_OBJECTS)) * 2.2 * np.pi
    angle = turn + 2 * np.pi * true / arms
    points = np.column_stack([turn * np.cos(angle), turn * np.sin(angle)])
    return points + random.normal(scale=noise, size=points.shape), true


SHAPES: Mapping[str, Mapping[str, Draw]] = {
    TUNING: {
        "4 blobs, far apart": partial(_blobs, count=4, dims=2, spread=1.0),
        "5 blobs, touching": partial(_blobs, count=5, dims=4, spread=3.0),
        "3 blobs, overlapping": partial(_blobs, count=3, dims=6, spread=6.0),
        "3 uneven blobs": partial(_blobs, count=3, dims=4, spread=2.0, shares=(12, 6, 2)),
        "4 blobs, noise features": partial(_blobs, count=4, dims=4, spread=2.0, noise_dims=6),
        "3 stretched blobs": partial(_blobs, count=3, dims=2, spread=1.5, stretch=True),
        "two moons": partial(_moons, noise=0.06),
        "two rings": partial(_rings, radii=(0.4, 1.0), noise=0.05),
    },
    HELD_OUT: {
        "3 blobs, far apart": partial(_blobs, count=3, dims=3, spread=1.5),
        "8 blobs, touching": partial(_blobs, count=8, dims=6, spread=3.5),
        "2 blobs, overlapping": partial(_blobs, count=2, dims=8, spread=7.0),
        "5 uneven blobs": partial(_blobs, count=5, dims=3, spread=1.5, shares=(8, 4, 4, 2, 2)),
        "3 blobs, noise features": partial(_blobs, count=3, dims=3, spread=2.5, noise_dims=5),
        "4 stretched blobs": partial(_blobs, count=4, dims=3, spread=1.5, stretch=True),
        "two noisy moons": partial(_moons, noise=0.1),
        "three rings": partial(_rings, radii=(0.3, 1.0, 1.7), noise=0.07),
        "two spirals": partial(_spirals, arms=2, noise=0.25),
    },
}  # fmt: skip

# Planted labels: the number of classes, and the proportion of random labels.
PLANTED: Mapping[str, Mapping[str, tuple[int, float]]] = {
    TUNING: {"4 classes, 30 % noise": (4, 0.3), "6 classes, 60 % noise": (6, 0.6)},
    HELD_OUT: {"3 classes, 50 % noise": (3, 0.5), "8 classes, 40 % noise": (8, 0.4)},
}
_COPIES, _SPLITS, _MERGES = "noisy copies", "split classes", "merged classes"
_WAYS = (_COPIES, _SPLITS, _MERGES)


def _plant(count: int, noise: float, way: str, seed: int) -> tuple[Array, Array]:
    """Return copies of the classes, or of parts or unions of them, with labels drawn at random."""
    random = np.random.RandomState(seed)
    true = random.randint(count, size=N_OBJECTS)
    members = np.empty((N_OBJECTS, N_MEMBERS), np.int64)
    for j in range(N_MEMBERS):
        labels, number = true, count
        if way == _SPLITS:
            number = count * random.randint(1, 4)
            labels = true + count * random.randint(number // count, size=N_OBJECTS)
        elif way == _MERGES:
            number = max(2, count - random.randint(0, 3))
            labels = np.where(true < number, true, random.permutation(count)[true] % number)
        wrong = random.random_sample(N_OBJECTS) < noise
        members[:, j] = np.where(wrong, random.randint(number, size=N_OBJECTS), labels)
    return members, true
