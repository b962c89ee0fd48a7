"""Compare, cluster again and combine in one figure: customers segmented by amount.

By other features they can be segmented in another way, independent of the first one.
"""

import matplotlib.pyplot as plt
import numpy as np

import clusterwise as cw
from clusterwise.datasets import make_alternatives

people = make_alternatives(450, (3, 3), separation=5, random_state=3)
known = np.array(["small", "medium", "large"])[people.labels[:, 0]]

# Cluster again: another clustering of the same customers, as good, and different.
found = cw.cluster_again(people.X, known, random_state=0)
other = np.array(["A", "B", "C"])[found[0].labels]
print(found)

# Compare both.
comparison = cw.compare(known, other, people.X, names=("by amount", "alternative"))
print(comparison.summary())

# Combine: the consensus of many clusterings, and the objects they agree on.
runs = cw.make_ensemble(people.X[:, :2], 20, n_clusters=3, random_state=0)
combined = cw.combine(runs, random_state=0)
print(combined)

figure = plt.figure(figsize=(20, 5.4), layout="constrained")
again, compare, combine = figure.subfigures(1, 3, width_ratios=[9, 5.5, 5.5])
comparison.plot("scatter", ax=again.subplots(1, 2))
again.suptitle("cluster again: as good, and different", weight="bold")
comparison.plot("flow", ax=compare.subplots())
compare.suptitle("compare: flow between the clusters", weight="bold")
combined.plot(ax=combine.subplots())
combine.suptitle("combine: what 20 runs agree on", weight="bold")
figure.savefig("at_a_glance.png", dpi=80)
