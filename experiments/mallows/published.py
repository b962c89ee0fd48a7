"""Published values of Zhou, Li and Zha (2005)."""

# The data sets of section 5: their names in the paper, and our numbers of clusters, which it does
# not state: the number of classes for UCI data, the true number for generated data.
SETS = {
    "ds1": ("DS1", 3),
    "ds2": ("DS2", 5),
    "sequoia": ("Seq.", 3),
    "diabetes": ("diabetes", 2),
    "sonar": ("sonar", 2),
    "bupa": ("liver", 2),
}
REAL = ("sequoia", "diabetes", "sonar", "bupa")

# Table 1, section 5.1: VI and CC of EM and CEM.
TABLE_1 = {
    "ds1": (0.19, 0.0068),
    "ds2": (0.42, 0.39),
    "sequoia": (0.17, 0.07),
    "diabetes": (0.53, 0.049),
    "sonar": (0.33, 0.02),
    "bupa": (0.40, 0.002),
}

# Section 5.2: VI, Rand and CSS/100 of labellings and the true clusters.
TABLE_2 = {
    "L_ab": (0.202, 0.881, 0.287),
    "L_ac": (0.202, 0.881, 0.658),
    "k-means": (0.186, 0.931, 0.0841),
    "DBSCAN": (0.263, 0.761, 0.564),
}
TABLE_3 = {
    "one cluster": (0.58, 0.57, 0.06),
    "DBSCAN": (0.59, 0.53, 0.058),
    "k-means": (0.48, 0.39, 1.19),
}

# Section 5.3: the ranges of Figs. 8 and 9, soft and hard; they print no values.
SOFT_OBJECTS = (200, 16_000)
SOFT_CLUSTERS = (2, 25)
HARD_OBJECTS = (200, 6_000)
HARD_CLUSTERS = (2, 20)
