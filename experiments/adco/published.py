"""Published values of Bae, Bailey and Dong (2010) on comparisons: Tables 3 to 9.

E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and its
application to the discovery of alternate clusterings. Data Mining and Knowledge Discovery 21 (2010)
427-471. https://doi.org/10.1007/s10618-009-0164-z. Pages are those of the authors' version.
"""

from typing import NamedTuple


class Measures(NamedTuple):
    """A comparison with the given clustering by the paper's five measures."""

    adco: float
    rand: float
    jaccard: float
    accuracy: float
    information: float


class Size(NamedTuple):
    """A data set: its objects, classes and features."""

    instances: int
    classes: int
    dimensions: int


# Section 1.1, p. 3: the Rand index of both comparisons in Fig. 1, which Table 3 contradicts.
RAND_IN_THE_TEXT = 0.44

# Table 3, p. 16: the near and the far clustering against the given one.
TABLE_3 = {
    "Fig. 1": {
        "near": Measures(0.84, 0.83, 0.59, 0.83, 0.16),
        "far": Measures(0.53, 0.83, 0.59, 0.83, 0.16),
    },
    "Fig. 5 (a)-(c)": {
        "near": Measures(0.94, 0.56, 0.55, 0.68, 0.15),
        "far": Measures(0.67, 0.56, 0.55, 0.68, 0.15),
    },
    "Fig. 5 (d)-(f)": {
        "near": Measures(0.92, 0.82, 0.85, 0.90, 0.52),
        "far": Measures(0.90, 0.82, 0.85, 0.90, 0.52),
    },
}

# Table 4, p. 16.
TABLE_4 = {
    "german": Size(1000, 2, 10),
    "diabetes": Size(768, 2, 8),
    "eucalyptus": Size(736, 5, 19),
    "glass": Size(798, 7, 10),
    "ionosphere": Size(351, 2, 34),
    "vehicle": Size(946, 4, 18),
}

# Table 5, p. 24: k-means, EM and average linkage against the classes. What it calls CE is 1 for
# equal clusterings: the accuracy.
TABLE_5 = {
    "german": {
        "k-means": Measures(0.97, 0.70, 0.77, 0.82, 0.91),
        "EM": Measures(0.93, 0.53, 0.68, 0.63, 1.24),
        "average linkage": Measures(0.76, 0.59, 0.71, 0.71, 0.80),
    },
    "diabetes": {
        "k-means": Measures(1.00, 1.00, 1.00, 1.00, 0.00),
        "EM": Measures(0.83, 0.57, 0.70, 0.69, 1.11),
        "average linkage": Measures(0.71, 0.55, 0.69, 0.66, 0.75),
    },
    "eucalyptus": {
        "k-means": Measures(0.82, 0.74, 0.79, 0.50, 2.46),
        "EM": Measures(0.63, 0.67, 0.75, 0.36, 2.62),
        "average linkage": Measures(0.51, 0.53, 0.68, 0.31, 2.27),
    },
    "glass": {
        "k-means": Measures(0.87, 0.86, 0.88, 0.68, 1.13),
        "EM": Measures(0.79, 0.72, 0.78, 0.48, 1.99),
        "average linkage": Measures(0.53, 0.64, 0.73, 0.50, 1.17),
    },
    "ionosphere": {
        "k-means": Measures(0.91, 0.61, 0.72, 0.74, 1.12),
        "EM": Measures(0.87, 0.63, 0.73, 0.75, 0.99),
        "average linkage": Measures(0.69, 0.54, 0.68, 0.64, 0.67),
    },
    "vehicle": {
        "k-means": Measures(0.47, 0.62, 0.73, 0.21, 2.54),
        "EM": Measures(0.40, 0.62, 0.72, 0.21, 2.52),
        "average linkage": Measures(0.25, 0.49, 0.66, 0.19, 1.95),
    },
}

# Table 6, p. 25, as counts of a thousand connections. A hundredth of a percent, a tenth of a
# connection, is taken as one; 18 % next to 97.4 % in F as 1.8 %. A adds up to 989 only.
TABLE_6 = {
    "A": {"normal": 700, "snmpgetattack": 100, "named": 2, "xlock": 5, "smurf": 180, "neptune": 2},
    "B": {"normal": 830, "snmpgetattack": 130, "warezmaster": 36, "xterm": 4},
    "C": {
        "smurf": 270, "mscan": 500, "warezmaster": 110, "normal": 120, "buffer_overflow": 1,
        "neptune": 1,
    },
    "D": {"normal": 23, "neptune": 970, "snmpgetattack": 7},
    "E": {"normal": 24, "snmpgetattack": 3, "warezmaster": 973},
    "F": {"normal": 1, "snmpgetattack": 18, "mailbomb": 974, "portsweep": 1, "warezmaster": 6},
}  # fmt: skip

# Table 7, p. 26: ADCO of each two snapshots.
TABLE_7 = {
    "AB": 0.852, "AC": 0.627, "AD": 0.566, "AE": 0.682, "AF": 0.566,
    "BC": 0.499, "BD": 0.665, "BE": 0.813, "BF": 0.665,
    "CD": 0.418, "CE": 0.394, "CF": 0.418,
    "DE": 0.736, "DF": 0.998, "EF": 0.759,
}  # fmt: skip

# Tables 8 and 9, p. 27: ADCO with bins by MDL, and with ten bins of equal frequency.
TABLE_8 = {
    "german": {"k-means": 0.99, "EM": 0.96, "average linkage": 0.70},
    "diabetes": {"k-means": 0.91, "EM": 0.93, "average linkage": 0.91},
    "eucalyptus": {"k-means": 0.89, "EM": 0.71, "average linkage": 0.68},
    "glass": {"k-means": 0.82, "EM": 0.87, "average linkage": 0.43},
    "ionosphere": {"k-means": 0.86, "EM": 0.92, "average linkage": 0.59},
    "vehicle": {"k-means": 0.72, "EM": 0.62, "average linkage": 0.26},
}
TABLE_9 = {
    "german": {"k-means": 0.98, "EM": 0.96, "average linkage": 0.71},
    "diabetes": {"k-means": 0.79, "EM": 0.88, "average linkage": 0.79},
    "eucalyptus": {"k-means": 0.74, "EM": 0.54, "average linkage": 0.49},
    "glass": {"k-means": 0.71, "EM": 0.72, "average linkage": 0.45},
    "ionosphere": {"k-means": 0.63, "EM": 0.91, "average linkage": 0.63},
    "vehicle": {"k-means": 0.61, "EM": 0.51, "average linkage": 0.26},
}
