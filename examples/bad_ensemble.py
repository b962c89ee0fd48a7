"""Many poor clusterings, one good consensus."""

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

import clusterwise as cw

X, truth = make_blobs(1_500, centers=5, cluster_std=1.2, random_state=7)
rng = np.random.default_rng(0)

# Each member has a wrong number of clusters, few iterations, and a fifth of its labels missing.
members, scores = [], []
for seed in range(25):
    count = int(rng.choice([3, 4, 7, 8, 9]))
    model = KMeans(count, n_init=1, init="random", max_iter=3, random_state=seed)
    labels = model.fit_predict(X).astype(float)
    known = rng.random(len(X)) < 0.8
    scores.append(cw.adjusted_rand_score(truth[known], labels[known]))
    members.append(np.where(known, labels, np.nan))

found = cw.combine(members, n_clusters=5, random_state=0)
print(
    f"Members: {np.mean(scores):.2f} on average, {max(scores):.2f} at best (adjusted Rand index)."
)
print(f"Consensus: {cw.adjusted_rand_score(truth, found.labels):.2f}.")

agreement = cw.object_agreement(found.labels, members)
print(f"{len(agreement.ambiguous)} of {len(X)} objects are ambiguous.")
cw.consensus_matrix(members, labels=found.labels, random_state=0).plot().figure_.savefig(
    "bad_ensemble.png"
)
agreement.plot().figure_.savefig("bad_ensemble_objects.png")
