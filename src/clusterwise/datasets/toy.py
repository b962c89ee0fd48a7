"""Synthetic data with known clusters, and clusterings that differ from them.

DS1 and DS2 are described in D. Zhou, J. Li and H. Zha (2005), A new Mallows distance based metric
for comparing clusterings, ICML, section 5, https://doi.org/10.1145/1102351.1102481
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.random import as_generator
from clusterwise.inputs.encoding import Array, refuse_masked

Kind = Literal["numeric", "nominal"]
Seed = int | np.random.RandomState | np.random.Generator | None


class Dataset(NamedTuple):
    """Objects and their true clusters.

    Attributes
    ----------
    name : str
        The name of the data set.
    X : ndarray of shape (n, R)
        The features: floats if all are numeric, otherwise floats and strings with dtype object.
        Missing values are NaN in numeric features, and None in categorical ones.
    labels : ndarray of shape (n,)
        The cluster of each object.
    feature_names : tuple of str
        The names of the features.
    kinds : tuple of {"numeric", "nominal"}
        The kinds of the features.
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


@check_arguments
def make_ds1(random_state: Seed = None) -> Dataset:
    """Generate three clusters A, B and C of 400 points, with C twice as far from A as B is.

    The paper states the sizes, two dimensions and the ratio of the distances between centroids, but
    neither positions nor variances. They are chosen so that Table 2 is nearly reproduced: A and B
    are 0.3 apart, C is 0.6 from A at a right angle, and distributions are normal with a standard
    deviation of 0.11 along each axis. A and B overlap, so that k-means errs as often as in the
    table. The sample means are shifted to be exactly the centroids.

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
    The ratio of the distances between centroids:

    >>> import numpy as np
    >>> from clusterwise.datasets import make_ds1
    >>> data = make_ds1(random_state=0)
    >>> a, b, c = (data.X[data.labels == name].mean(axis=0) for name in "ABC")
    >>> round(float(np.linalg.norm(a - c) / np.linalg.norm(a - b)), 9)
    2.0
    """
    centres = {"A": (0.0, 0.0), "B": (0.3, 0.0), "C": (0.0, 0.6)}
    groups = [_Group(name, 400, centre, 0.11) for name, centre in centres.items()]
    return _make("DS1", groups, random_state)


@check_arguments
def make_ds2(random_state: Seed = None, *, n_centre: int = 1000, n_satellite: int = 250) -> Dataset:
    """Generate a large cluster and four small ones, which overlap its margin.

    The paper states 2000 points in two dimensions, 1000 in the centre and around 250 in each
    satellite, but neither positions nor variances. Normal distributions are chosen: the centre
    with a standard deviation of 0.2 along each axis, and satellites with 0.03 at a distance of
    0.2, to the north, east, south and west. With satellites farther out, a single cluster of all
    objects is no longer nearer to the truth than k-means by the CSS distance, as it is in the
    paper. The sample means are shifted to be exactly the centroids.

    The sizes and Table 3 of the paper are inconsistent. A single cluster of all objects has a Rand
    index of 0.57 and a normalised variation of information of 0.58 only if the centre has three
    quarters of the objects, as with ``n_centre=1488, n_satellite=128``; with the sizes in the paper
    they are 0.31 and 0.86.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
        The seed.
    n_centre, n_satellite : int
        The number of objects in the centre and in each satellite, at least 1.

    Returns
    -------
    Dataset
        Clusters in the order centre, north, east, south, west.

    Examples
    --------
    The sizes of the clusters:

    >>> from clusterwise.datasets import make_ds2
    >>> labels = make_ds2(random_state=0).labels.tolist()
    >>> {name: labels.count(name) for name in dict.fromkeys(labels)}
    {'centre': 1000, 'north': 250, 'east': 250, 'south': 250, 'west': 250}
    """
    centres = {"north": (0.0, 0.2), "east": (0.2, 0.0), "south": (0.0, -0.2), "west": (-0.2, 0.0)}
    groups = [_Group("centre", n_centre, (0.0, 0.0), 0.2)]
    groups += [_Group(name, n_satellite, centre, 0.03) for name, centre in centres.items()]
    return _make("DS2", groups, random_state)


@check_arguments
def relabel(
    labels: Any, source: Any, target: Any, *, share: float = 1 / 3, random_state: Seed = None
) -> Array:
    """Move randomly drawn objects of one cluster to another.

    Moving a third of A to B or to C gives the clusterings L_ab and L_ac that the paper compares
    with the true clusters of DS1 (:func:`make_ds1`).

    Parameters
    ----------
    labels : array-like of shape (n,)
        The cluster of each object.
    source, target : label
        The cluster from which and that to which objects are moved; ``target`` may be new.
    share : float
        The proportion of the objects of ``source`` to move, rounded to whole objects.
    random_state : int, RandomState or Generator, optional
        The seed.

    Returns
    -------
    ndarray of shape (n,)
        New labels.

    Examples
    --------
    One of three objects is moved from A to B:

    >>> from clusterwise.datasets import relabel
    >>> relabel(["A", "A", "A", "B"], "A", "B", random_state=0).tolist().count("A")
    2
    """
    refuse_masked(labels, "labels")
    before = np.asarray(labels)
    if before.ndim != 1:
        raise InputError(f"labels have shape {before.shape}; pass one label per object.")
    objects = np.flatnonzero(before == source)
    if not objects.size:
        raise InputError(f"no object has the label {source!r}; pass a source that occurs.")
    label = np.asarray(target)
    dtype = np.result_type(before, label)  # wide enough for a longer string
    if dtype.kind != before.dtype.kind or (dtype.kind == "U" and label.dtype.kind != "U"):
        raise InputError(
            f"target is {target!r}, but labels are of type {before.dtype}; pass one of that type."
        )
    random = as_generator(random_state)
    after = before.astype(dtype)
    after[random.choice(objects, round(share * objects.size), replace=False)] = target
    return after


def _make(name: str, groups: Sequence[_Group], random_state: Seed) -> Dataset:
    random = as_generator(random_state)
    parts = []
    for group in groups:
        points = random.normal(0.0, group.spread, (group.size, 2))
        parts.append(points - points.mean(axis=0) + group.centre)
    labels = np.repeat([group.name for group in groups], [group.size for group in groups])
    return Dataset(name, np.concatenate(parts), labels, ("x", "y"), ("numeric", "numeric"))
