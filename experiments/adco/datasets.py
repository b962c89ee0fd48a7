"""The six data sets of the comparisons, and the three methods that cluster them."""

import warnings
from typing import Literal, NamedTuple

import numpy as np

from clusterwise.datasets.toy import Dataset
from clusterwise.inputs.binning.binning import Binning
from clusterwise.inputs.encoding import Array
from clusterwise.inputs.points import read_points
from clusterwise.measures.density import adco_score
from clusterwise.measures.information import variation_of_information
from clusterwise.measures.matching import cluster_accuracy_score
from clusterwise.measures.pairs import pair_jaccard_score, rand_score
from experiments.adco.published import Measures
from experiments.common.experiment import Setup

# Their names in the paper.
DATASETS = {
    "german": "Credit",
    "diabetes": "Diabetes",
    "eucalyptus": "Eucalyptus",
    "glass": "Glass",
    "ionosphere": "Ionosphere",
    "vehicle": "Vehicle",
}
METHODS = ("k-means", "EM", "average linkage")
Scale = Literal["unscaled", "0 to 1", "standardised"]
Key = tuple[str, str]


class Preprocessing(NamedTuple):
    """Preprocessing: the scale of numeric features, and whether to encode categories and class."""

    scale: Scale
    categories: bool
    classes: bool = False

    @property
    def title(self) -> str:
        """A description."""
        return f"{self.scale}{', with categories' if self.categories else ''}"


# The paper does not say how features were scaled; this is the default of the library.
DEFAULT_PREPROCESSING = Preprocessing("standardised", categories=True)
PREPROCESSINGS = (
    Preprocessing("unscaled", categories=False),
    Preprocessing("0 to 1", categories=False),
    Preprocessing("standardised", categories=False),
    Preprocessing("0 to 1", categories=True),
    DEFAULT_PREPROCESSING,
)


def class_codes(data: Dataset) -> Array:
    """Return the classes as integer codes."""
    return np.unique(data.labels.astype(str), return_inverse=True)[1]


def make_points(data: Dataset, steps: Preprocessing) -> Array:
    """Return the objects as points; categories, and the class if included, are one-hot encoded."""
    numeric = [i for i, kind in enumerate(data.kinds) if kind == "numeric"]
    nominal = [i for i, kind in enumerate(data.kinds) if kind == "nominal"]
    blocks = []
    if numeric:
        numbers = read_points(data.X[:, numeric].astype(np.float64)).points
        blocks.append(_scaled(numbers, steps.scale))
    if nominal and steps.categories:
        blocks.append(read_points(data.X[:, nominal]).points)
    if steps.classes:
        codes = class_codes(data)
        blocks.append(np.eye(codes.max() + 1)[codes])
    return np.hstack(blocks)


def _scaled(numbers: Array, scale: Scale) -> Array:
    if scale == "unscaled":
        return numbers
    unit = np.ptp(numbers, axis=0) if scale == "0 to 1" else numbers.std(axis=0)
    return (numbers - numbers.mean(axis=0)) / np.where(unit > 0, unit, 1.0)


def cluster(points: Array, clusters: int, method: str, seed: int) -> Array:
    """Cluster by one of the paper's methods; EM fits diagonal covariance matrices."""
    from sklearn.cluster import AgglomerativeClustering, KMeans
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture
    from threadpoolctl import threadpool_limits

    if method == "average linkage":
        return AgglomerativeClustering(clusters, linkage="average").fit_predict(points)
    # For a few hundred objects several threads are slower than one.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        if method == "k-means":
            return KMeans(clusters, n_init=10, random_state=seed).fit_predict(points)
        mixture = GaussianMixture(clusters, covariance_type="diag", random_state=seed)
        return mixture.fit_predict(points)


def cluster_all(
    setup: Setup, data: Dataset, method: str, steps: Preprocessing = DEFAULT_PREPROCESSING
) -> list[Array]:
    """Return a clustering for every seed; average linkage is deterministic."""
    clusters = int(class_codes(data).max()) + 1
    points = make_points(data, steps)
    seeds = 1 if method == "average linkage" else setup.seeds
    return [cluster(points, clusters, method, seed) for seed in range(seeds)]


def measure(data: Dataset, found: list[Array]) -> Measures:
    """Return the mean of each measure of the clusterings against the classes."""
    given = class_codes(data)
    binning = Binning().fit(data.X)
    rows = [
        (
            adco_score(given, labels, data.X, binning=binning),
            rand_score(given, labels),
            pair_jaccard_score(given, labels),
            cluster_accuracy_score(given, labels),
            variation_of_information(given, labels),
        )
        for labels in found
    ]
    return Measures(*(float(value) for value in np.mean(rows, axis=0)))
