"""Generators of data with known clusters, and of clusterings that differ from them.

DS1 and DS2 are described in D. Zhou, J. Li and H. Zha (2005), A new Mallows distance based metric
for comparing clusterings, ICML, section 5, https://doi.org/10.1145/1102351.1102481
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.arguments import suggest_keywords
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.inputs.encoding import Array

Kind = Literal["numeric", "nominal"]
Seed = int | np.random.RandomState | np.random.Generator | None


class Dataset(NamedTuple):
    """Objects and their true clusters.

    ``X`` has a row per object: floats if all features are numeric, with NaN where a value is
    missing; else objects, floats and strings, with None where a string is missing. ``labels`` are
    the clusters of the objects. ``feature_names`` and ``kinds`` ("numeric" or "nominal") belong to
    the columns of ``X``.
    """

    name: str
    X: Array
    labels: Array
    feature_names: tuple[str, ...]
    kinds: tuple[Kind, ...]


class _Group(NamedTuple):
    name: str
    size: int
    centre: tuple[float, float]
    spread: float


@suggest_keywords
def make_ds1(random_state: Seed = None) -> Dataset:
    """Three clusters A, B and C of 400 points, of which C lies twice as far from A as B does.

    The paper gives the sizes, two dimensions and the ratio of the distances between centroids. It
    prints no positions and no variances. These are chosen so that its Table 2 is nearly reproduced:
    A and B 0.3 apart, C 0.6 from A at a right angle, normal distributions with a standard
    deviation of 0.11 along each axis. A and B overlap, so that k-means errs as often as the table
    says.
    Centroids are exact, not only on average.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    Dataset
        1200 objects, clusters in the order A, B, C.

    Examples
    --------
    >>> import numpy as np
    >>> from clusterwise.datasets import make_ds1
    >>> data = make_ds1(random_state=0)
    >>> a, b, c = (data.X[data.labels == name].mean(axis=0) for name in "ABC")
    >>> round(float(np.linalg.norm(a - c) / np.linalg.norm(a - b)), 9)
    2.0
    """
    places = {"A": (0.0, 0.0), "B": (0.3, 0.0), "C": (0.0, 0.6)}
    groups = [_Group(name, 400, place, 0.11) for name, place in places.items()]
    return _make("DS1", groups, random_state)


@suggest_keywords
def make_ds2(random_state: Seed = None, *, n_centre: int = 1000, n_satellite: int = 250) -> Dataset:
    """A large cluster and four small ones around it, which lie in its outskirts.

    The paper gives 2000 points in two dimensions, 1000 in the centre and around 250 in each
    satellite. It prints no positions and no variances. Normal distributions are chosen: the centre
    with a standard deviation of 0.2 along each axis, and satellites with 0.03 at a distance of
    0.2, to the north, east, south and west. Farther out, one cluster for all is no longer nearer
    to the truth than k-means by the CSS distance, which the paper finds. Centroids are exact.

    The printed sizes and the paper's Table 3 are inconsistent. One cluster for all has the Rand
    index 0.57 and the normalised variation of information 0.58 only if the centre holds three
    quarters of the objects, as with ``n_centre=1488, n_satellite=128``; with the printed sizes they
    are 0.31 and 0.86.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
        The seed.
    n_centre, n_satellite : int
        The objects in the centre, and in each satellite; at least one.

    Returns
    -------
    Dataset
        Clusters in the order centre, north, east, south, west.

    Examples
    --------
    >>> from clusterwise.datasets import make_ds2
    >>> labels = make_ds2(random_state=0).labels.tolist()
    >>> {name: labels.count(name) for name in dict.fromkeys(labels)}
    {'centre': 1000, 'north': 250, 'east': 250, 'south': 250, 'west': 250}
    """
    if min(n_centre, n_satellite) < 1:
        raise InputError(f"n_centre={n_centre}, n_satellite={n_satellite}: pass at least 1 each.")
    places = {"north": (0.0, 0.2), "east": (0.2, 0.0), "south": (0.0, -0.2), "west": (-0.2, 0.0)}
    groups = [_Group("centre", n_centre, (0.0, 0.0), 0.2)]
    groups += [_Group(name, n_satellite, place, 0.03) for name, place in places.items()]
    return _make("DS2", groups, random_state)


@suggest_keywords
def relabel(
    labels: Any, source: Any, target: Any, *, share: float = 1 / 3, random_state: Seed = None
) -> Array:
    """Move some objects of one cluster to another.

    With a third of A moved to B or to C, these are the clusterings L_ab and L_ac that the paper
    compares with the truth on DS1 (:func:`make_ds1`). The objects are drawn at random.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The cluster of each object.
    source, target : label
        The cluster that objects leave, and the one that they join, which may be new.
    share : float
        The proportion of the source's objects that is moved, rounded to whole objects.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    ndarray of shape (n,)
        New labels.

    Examples
    --------
    >>> from clusterwise.datasets import relabel
    >>> relabel(["A", "A", "A", "B"], "A", "B", random_state=0).tolist().count("A")
    2
    """
    before = np.asarray(labels)
    if before.ndim != 1:
        raise InputError(f"labels have shape {before.shape}; pass one label per object.")
    if not 0 <= share <= 1:
        raise InputError(f"share is {share}; pass a number from 0 to 1.")
    places = np.flatnonzero(before == source)
    if not places.size:
        raise InputError(f"no object has the label {source!r}; pass a source that occurs.")
    label = np.asarray(target)
    dtype = np.result_type(before, label)  # wide enough for a longer string
    if dtype.kind != before.dtype.kind or (dtype.kind == "U" and label.dtype.kind != "U"):
        raise InputError(
            f"target is {target!r}, but labels are of type {before.dtype}; pass one of that type."
        )
    random = as_generator(random_state)
    after = before.astype(dtype)
    after[random.choice(places, round(share * places.size), replace=False)] = target
    return after


def _make(name: str, groups: Sequence[_Group], random_state: Seed) -> Dataset:
    random = as_generator(random_state)
    parts = []
    for group in groups:
        points = random.normal(0.0, group.spread, (group.size, 2))
        parts.append(points - points.mean(axis=0) + group.centre)
    labels = np.repeat([group.name for group in groups], [group.size for group in groups])
    return Dataset(name, np.concatenate(parts), labels, ("x", "y"), ("numeric", "numeric"))
