"""Compare last year's customer segments with this year's, without a common customer.

Segments are matched by their density profiles, not by their members.
"""

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

import clusterwise as cw


def customers(seed: int, young_spend: float) -> pd.DataFrame:
    """Return three groups of customers: young, families, retired."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(3, size=3_000, p=[0.3, 0.5, 0.2])
    return pd.DataFrame(
        {
            "age": np.array([26, 42, 68])[kind] + 5 * rng.normal(size=3_000),
            "spend": np.array([young_spend, 90, 60])[kind] + 8 * rng.normal(size=3_000),
            "visits": np.array([9, 4, 6])[kind] + rng.normal(size=3_000),
        }
    )


last, this = customers(1, young_spend=30), customers(2, young_spend=55)
bins = cw.Binning(n_bins=12).fit(pd.concat([last, this]))
profiles = []
for year, people in (("L", last), ("T", this)):
    scaled = (people - people.mean()) / people.std()
    segments = KMeans(3, n_init=10, random_state=0).fit_predict(scaled)
    profiles.append(
        cw.DensityProfile.from_data(people, [f"{year}{one}" for one in segments], binning=bins)
    )

found = cw.compare_profiles(*profiles, names=("last year", "this year"))
for match in found.matches:
    print(f"{match.a} of last year matches {match.b} of this year (cosine {match.cosine:.2f}).")
print(found)
found.plot().figure_.savefig("two_years.png")
