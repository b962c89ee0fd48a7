"""Compare soft clusterings: a mixture model and fuzzy memberships."""

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture

import clusterwise as cw

X, _ = make_blobs(600, centers=3, cluster_std=2.0, random_state=3)


def fuzzy(points: np.ndarray, centres: np.ndarray, fuzziness: float = 2.0) -> np.ndarray:
    """Return the memberships of fuzzy c-means."""
    distances = np.linalg.norm(points[:, None] - centres, axis=2)
    weights = np.maximum(distances, 1e-9) ** (-2 / (fuzziness - 1))
    return weights / weights.sum(axis=1, keepdims=True)


mixture = GaussianMixture(3, random_state=0).fit(X)
em = mixture.predict_proba(X)
softer = fuzzy(X, mixture.means_)

comparison = cw.compare(em, softer, X, names=("mixture", "fuzzy"))
print(comparison)
for one in comparison.contributors(3):
    print(f"Object {one.object} contributes {one.share:.1%} of the CSS distance.")
comparison.plot("scatter").figure_.savefig("soft_clusterings.png")
