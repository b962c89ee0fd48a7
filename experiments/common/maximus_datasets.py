"""The thirteen data sets of the experiments with MAXIMUS, their classes being what is given."""

from os import PathLike
from typing import NamedTuple

import numpy as np

from clusterwise.datasets import load_dataset
from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.features import Features, read_features
from clusterwise.inputs.points import read_points

# As the paper calls them, in the order of its Table 10, which leaves the last two out.
THIRTEEN = {
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

    ``numbers`` says whether any feature is one, so that it matters how numbers are cut.
    """

    name: str
    features: Features
    points: Array
    given: Array
    numbers: bool

    @property
    def title(self) -> str:
        """The paper's name for it."""
        return THIRTEEN[self.name]

    @property
    def n(self) -> int:
        """The number of objects."""
        return self.given.size

    @property
    def clusters(self) -> int:
        """The number of classes, which is that of the clusters to find."""
        return int(self.given.max()) + 1


def read_case(name: str, folder: str | PathLike[str] | None = None) -> Case:
    """Read one of the sets.

    Raises
    ------
    InputError
        If the folder does not have it.
    """
    return make_case(load_dataset(name, folder))


def make_case(data: Dataset) -> Case:
    """A set as methods see it; where all features are numbers, they are standardised."""
    X = data.X
    if "nominal" not in data.kinds:
        spread = np.nanstd(X, axis=0)
        X = (X - np.nanmean(X, axis=0)) / np.where(spread > 0, spread, 1.0)
    features = read_features(X)
    _, given = np.unique(data.labels.astype(str), return_inverse=True)
    return Case(data.name, features, read_points(features).points, given, "numeric" in data.kinds)
