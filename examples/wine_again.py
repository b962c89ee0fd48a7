"""Find a clustering of the wines that is good and different from the cultivars."""

from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import clusterwise as cw

wine = load_wine(as_frame=True)
cultivar = wine.target_names[wine.target]
X = StandardScaler().set_output(transform="pandas").fit_transform(wine.data)

found = cw.cluster_again(X, cultivar, random_state=0)
print(found)

best = found[0].labels
for name, labels in (("cultivars", cultivar), ("new clusters", best)):
    about = cw.separating_features(wine.data, labels)[:3]
    print(f"The {name} differ most in {', '.join(one.feature for one in about)}.")

comparison = cw.compare(cultivar, best, X, names=("cultivar", "alternative"))
print(comparison.summary())
comparison.plot("scatter").figure_.savefig("wine_again.png")
comparison.report("wine_again.html")
print("wine_again.html has the comparison with plots.")
