"""Published values of Rajasekhara and Pujari (2010)."""

from typing import NamedTuple

# The columns of Table 2, and their functions.
INDICES = {
    "IRM": "irm_score",
    "Rand": "rand_score",
    "Jaccard": "pair_jaccard_score",
    "AR": "adjusted_rand_score",
    "Wallace": "fowlkes_mallows_score",
    "NMI": "normalized_mutual_info_score",
}

# Section 3: three partitions of eight objects.
P1 = (1, 1, 2, 3, 4, 5, 6, 6)
P2 = (1, 1, 2, 3, 4, 5, 6, 7)
P3 = (1, 1, 2, 3, 3, 2, 4, 4)

# Table 1, section 3: of P1 with P2, and of P1 with P3.
TABLE_1 = {
    "Jaccard": (0.50, 0.50),
    "Wallace": (0.70721, 0.70721),
    "AR": (0.65, 0.63157),
    "Rand": (0.9642, 0.8571),
    "IRM": (0.875, 0.75),
    "NMI": (0.0757575, 0.05555),
}

# Section 4: the runs of k-means for each number of clusters, and the largest number of clusters.
SEEDS = 50
LARGEST = 50


class Row(NamedTuple):
    """A row of Table 2: the name, n, k, k1, and the sums in the order of INDICES."""

    title: str
    n: int
    k: int
    k1: int
    sums: tuple[float, ...]


# Table 2, the last page.
TABLE_2 = {
    "australian": Row(
        "Australian", 690, 2, 2, (1.337249, 10.125183, 1.597784, 4.358551, 2.044201, 4.027432)
    ),
    "german": Row(
        "German", 1000, 2, 15, (1.048532, 4.645780, 1.225258, 2.174214, 1.090978, 1.565228)
    ),
    "glass": Row("Glass", 214, 7, 7, (1.215728, 15.853014, 1.272213, 3.865350, 1.513213, 2.288114)),
    "heart-statlog": Row(
        "Heart", 270, 2, 11, (0.967244, 7.024978, 1.297638, 2.455763, 0.972834, 1.803880)
    ),
    "iris": Row("Iris", 150, 3, 33, (0.452911, 10.527431, 2.835106, 0.493838, 2.767596, 5.541363)),
    "lenses": Row("Lenses", 24, 3, 4, (2.382998, 7.329707, 5.475070, 7.945702, 2.410549, 3.225222)),
    "bupa": Row("Liver", 345, 2, 14, (0.880220, 6.211665, 1.128411, 2.150390, 0.933740, 1.504367)),
    "spect": Row("Spect", 267, 2, 2, (1.896824, 5.477993, 2.144411, 5.882934, 2.235649, 4.993913)),
    "new-thyroid": Row(
        "Thyroid", 215, 3, 29, (0.086105, 0.723668, 0.144460, 0.212707, 0.116261, 0.140647)
    ),
    "wine": Row("Wine", 178, 3, 26, (0.177859, 1.533105, 0.246755, 0.282415, 0.182751, 0.431561)),
}
