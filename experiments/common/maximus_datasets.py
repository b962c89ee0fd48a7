"""The thirteen data sets of the experiments with MAXIMUS; the classes are given."""

from os import PathLike
from typing import NamedTuple

import numpy as np

from clusterwise.datasets import load_dataset
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points

# Their names in the paper, in the order of its Table 10, which omits the last two.
MAXIMUS_DATASETS = {
    "car": "Cars",
    "kr-vs-kp": "Chess",
    "colic": "Colic",
    "hepatitis": "Hepatitis",
    "mushroom": "Mushroom",
    "postoperative": "Post Operative",
    "sick": "Sick",
    "splice": "Splice",
    "tic-tac-toe": "Tic-tac-toe",
    "titanic": "Titanic",
    "waveform-5000": "Waveform",
    "eucalyptus": "Eucalyptus",
    "sonar": "Sonar",
}


class Case(NamedTuple):
    """A data set: its features, the same as points, and the codes of its classes.

    ``numbers`` is whether any feature is numeric, so that the binning matters.
    """

    name: str
    features: Features
    points: Array
    given: Array
    numbers: bool

    @property
    def title(self) -> str:
        """Its name in the paper."""
        return MAXIMUS_DATASETS[self.name]

    @property
    def n(self) -> int:
        """The number of objects."""
        return self.given.size

    @property
    def clusters(self) -> int:
        """The number of classes, and of the clusters to find."""
        return int(self.given.max()) + 1


def read_case(name: str, folder: str | PathLike[str] | None = None) -> Case:
    """Read one of the data sets.

    Raises
    ------
    InputError
        If the folder does not have it.
    """
    return make_case(load_dataset(name, folder))


def make_case(data: Dataset) -> Case:
    """Prepare a data set; if all features are numeric, they are standardised."""
    X = data.X
    if "nominal" not in data.kinds:
        spread = np.nanstd(X, axis=0)
        X = (X - np.nanmean(X, axis=0)) / np.where(spread > 0, spread, 1.0)
    features = read_features(X)
    _, given = np.unique(data.labels.astype(str), return_inverse=True)
    return Case(data.name, features, read_points(features).points, given, "numeric" in data.kinds)
