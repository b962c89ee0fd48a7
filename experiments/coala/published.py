"""Published values of Bae and Bailey (2006); Figs. 4 to 7 are bars and curves without values.

E. Bae, J. Bailey. COALA: a novel approach for the extraction of an alternate clustering of high
quality and high dissimilarity. ICDM (2006) 53-62. https://doi.org/10.1109/ICDM.2006.37
"""

from typing import Literal

Name = Literal["A", "B", "C", "D"]

# Section 5: the threshold of all experiments, and how often the naive method runs k-means.
OMEGA = 0.6
NAIVE_RUNS = 3

# Section 5.1: COALA finds the hidden clustering of every set, the naive method on some of them.
PLANTED: tuple[Name, ...] = ("A", "B", "C", "D")
NAIVE_FINDS = {"A": True, "B": False, "C": True, "D": False}

# Sections 5.1 and 5.2: data sets on which the naive method finds the same clustering twice.
NAIVE_DISSIMILARITY = {"D": 0.0, "ionosphere": 0.0}

# Sections 5.2 to 5.4, in the order of the text; the text names no other sizes.
REAL = {"esl": "ESL", "glass": "glass", "vehicle": "vehicle", "ionosphere": "ionosphere"}
CATEGORICAL = {"vote": "vote", "breast-cancer": "breast-cancer"}
CURVES = ("esl", "glass", "vehicle")
