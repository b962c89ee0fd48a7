"""The Jaccard indices of R's fpc::clusterboot, on the same resamples.

Values of fpc 2.2.10 (package r-cran-fpc of Debian)::

    library(fpc)
    i <- 0:23
    x <- cbind(50 * ((i^2 * sqrt(2)) %% 1) + 25 * (i %/% 8), 31 * ((i^2 * sqrt(3)) %% 1))
    boot <- clusterboot(x, B = 6, bootmethod = "boot", clustermethod = hclustCBI, k = 3,
                        cut = "number", method = "average", scaling = FALSE, count = FALSE,
                        seed = 1)
    boot$partition; boot$bootresult
    set.seed(1)
    for (i in 1:6) cat(unique(sample(24, 24, TRUE)) - 1, "\\n")
"""

import numpy as np
from sklearn.cluster import AgglomerativeClustering

from clusterwise.stability.clusterers import read_clusterer
from clusterwise.stability.recovery import NOT_DRAWN, measure_recovery

ORDER = np.arange(24)
X = np.column_stack(
    [
        50 * (ORDER**2 * np.sqrt(2) % 1) + 25 * (ORDER // 8),
        31 * (ORDER**2 * np.sqrt(3) % 1),
    ]
)
PARTITION = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 3, 3, 3, 3, 2]
DRAWN = [
    [3, 6, 0, 1, 22, 10, 13, 17, 18, 20, 9, 21, 8, 14, 4],
    [4, 1, 9, 11, 14, 0, 19, 2, 5, 22, 7, 23, 6],
    [18, 9, 5, 23, 13, 1, 12, 17, 21, 0, 7, 22, 11, 6, 10, 16, 3],
    [12, 7, 15, 22, 13, 19, 6, 21, 11, 0, 20, 5, 16, 8, 18, 17, 10],
    [9, 6, 18, 1, 0, 10, 14, 23, 15, 20, 11, 21, 7, 2, 13],
    [21, 5, 19, 8, 4, 13, 16, 2, 6, 18, 11, 17, 23, 22, 14],
]
BOOTRESULT = [
    [1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
    [1.0, 0.7, 0.461538, 1.0, 1.0, 0.545455],
    [1.0, 0.4, 0.3, 1.0, 1.0, 1.0],
]


def test_the_same_jaccard_indices():
    clusterer = read_clusterer(AgglomerativeClustering(3, linkage="average"), None, -1)
    whole = clusterer.cluster(X, 0)
    # Clusters in the order of R, which is that of their first objects.
    first = {k: int(np.argmax(whole.codes == k)) for k in range(3)}
    rank = {k: i for i, k in enumerate(sorted(first, key=lambda k: first[k]))}
    codes = np.array([rank[k] for k in whole.codes.tolist()])
    np.testing.assert_array_equal(codes + 1, PARTITION)
    copies = np.full((6, 24), NOT_DRAWN)
    for copy, drawn in zip(copies, DRAWN, strict=True):
        copy[drawn] = clusterer.cluster(X[drawn], 0).codes
    found = measure_recovery(codes, 3, copies)
    np.testing.assert_allclose(found.jaccards, BOOTRESULT, atol=1e-6)
