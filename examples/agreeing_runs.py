"""Find out which of twenty clusterings agree.

As in a single-cell analysis: the same cells, clustered with several resolutions and seeds. Half of
the runs are affected by batch effects, and agree with each other on the batches.
"""

import numpy as np
from sklearn.cluster import KMeans

import clusterwise as cw

rng = np.random.default_rng(0)
types, batches = rng.integers(5, size=2_000), rng.integers(4, size=2_000)
genes = 6 * rng.normal(size=(5, 8))[types] + rng.normal(size=(2_000, 8))
artefacts = 9 * rng.normal(size=(4, 3))[batches] + rng.normal(size=(2_000, 3))

runs = {}
for seed in range(10):
    clean = KMeans(4 + seed % 4, n_init=1, random_state=seed).fit_predict(genes)
    mixed = KMeans(4 + seed % 4, n_init=1, random_state=seed).fit_predict(
        np.hstack([genes, 3 * artefacts])
    )
    runs[f"corrected, run {seed}"] = clean
    runs[f"raw, run {seed}"] = mixed

matrix = cw.compare_all(runs, measure="adjusted_mutual_info_score")
first, second, value = matrix.pairs()[0]
print(f"Most similar: {first} and {second} ({value:.2f}).")
first, second, value = matrix.pairs()[-1]
print(f"Least similar: {first} and {second} ({value:.2f}).")

# The two groups of runs appear as two blocks, and as two groups on the map.
matrix.plot().figure_.savefig("agreeing_runs.png")
matrix.plot("map").figure_.savefig("agreeing_runs_map.png")

corrected = {name: labels for name, labels in runs.items() if name.startswith("corrected")}
agreed = cw.combine(corrected, random_state=0)
print(
    f"The consensus of the corrected runs has {agreed.n_clusters} clusters; there are 5 cell types."
)
print(f"Adjusted Rand index with them: {cw.adjusted_rand_score(types, agreed.labels):.2f}.")
