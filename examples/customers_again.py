"""Find a segmentation of customers that is good and different from the one they have.

Customers are segmented by how much they buy. By other features, they can be segmented in another
way. Wines, in contrast, have no convincing alternative to their cultivars.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

import clusterwise as cw
from clusterwise.datasets import make_alternatives

planted = make_alternatives(600, (3, 4), separation=6, random_state=1)
X = pd.DataFrame(planted.X, columns=["amount", "orders", "evening", "weekend"])
segment = pd.Series(np.array(["small", "medium", "large"])[planted.labels[:, 0]], name="segment")

found = cw.cluster_again(X, segment, random_state=0)
print(found)

comparison = cw.compare(segment, found[0].labels, X, names=("segment", "alternative"))
print(comparison.summary())
comparison.plot("scatter").figure_.savefig("customers_again.png")
comparison.report("customers_again.html")
print("customers_again.html has the comparison with plots.")

wine = load_wine(as_frame=True)
cultivar = pd.Series(wine.target_names[wine.target], name="cultivar")
print(cw.cluster_again(wine.data, cultivar, random_state=0).summary())
