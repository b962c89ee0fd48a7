"""Published values of Mimaroglu and Yagci (2009)."""

from typing import NamedTuple

# Figs. 1 and 2, sec. 4: the clusters of d1 to d8, from 1; some clusters are empty.
ENSEMBLE = (
    (1, 4, 1, 2, 2, 1, 4, 4),
    (1, 1, 4, 1, 3, 4, 3, 2),
    (3, 3, 2, 3, 4, 2, 4, 3),
)
CANDIDATE = (1, 2, 1, 3, 3, 2, 1, 4)

# Example 4.1, sec. 4: the objects shared by a cluster of Fig. 2 and one of Fig. 1, by cluster,
# clustering and its cluster, where the example prints the number.
SHARED = {
    (1, 1, 1): 2,
    (1, 1, 2): 0,
    (1, 3, 4): 1,
    (2, 1, 1): 1,
    (2, 1, 2): 0,
    (2, 3, 4): 0,
    (4, 1, 1): 0,
    (4, 1, 2): 0,
    (4, 3, 4): 0,
}

# Sec. 5: the smallest and the largest speed-up of the binary method.
WORST, BEST = 281.2, 2369.05
# The number of clusters of all clusterings of Figs. 3 to 7.
CLUSTERS = 4


class PublishedTimes(NamedTuple):
    """Milliseconds of both similarities by both methods, and of the co-association matrix."""

    ics_binary: float
    ics_conventional: float
    ecs_binary: float
    ecs_conventional: float
    matrix: float

    @property
    def binary(self) -> float:
        """Both similarities by bit vectors."""
        return self.ics_binary + self.ecs_binary

    @property
    def conventional(self) -> float:
        """Both similarities from the matrix, without computing it."""
        return self.ics_conventional + self.ecs_conventional


# Fig. 6, sec. 5, by objects and clusterings; Figs. 3 to 5 draw the same.
FIGURE_6 = {
    (5_000, 10): PublishedTimes(1.54, 156.12, 2.45, 437.34, 1_085.42),
    (5_000, 50): PublishedTimes(3.88, 153.19, 12.62, 438.63, 4_216.18),
    (5_000, 100): PublishedTimes(6.62, 153.66, 24.99, 432.91, 8_302.05),
    (10_000, 10): PublishedTimes(1.93, 595.18, 4.58, 1_764.97, 7_088.23),
    (10_000, 50): PublishedTimes(6.32, 598.15, 24.28, 1_789.65, 18_109.66),
    (10_000, 100): PublishedTimes(11.99, 591.54, 48.05, 1_746.57, 36_027.45),
    (20_000, 10): PublishedTimes(2.87, 2_296.57, 9.23, 6_986.60, 19_382.31),
    (20_000, 50): PublishedTimes(11.21, 2_294.12, 46.82, 6_903.30, 91_530.38),
    (20_000, 100): PublishedTimes(21.68, 2_318.60, 93.95, 6_929.19, 184_259.79),
}


class Footprint(NamedTuple):
    """Megabytes: of the whole virtual machine, and of the data structures alone."""

    whole: float
    structures: float


# Fig. 7, sec. 5, by objects: with bits, and with the matrix; 100 clusterings.
MEMBERS = 100
FIGURE_7 = {
    5_000: (Footprint(25, 0.25), Footprint(150, 100)),
    10_000: (Footprint(25, 0.50), Footprint(420, 400)),
    20_000: (Footprint(25, 1.00), Footprint(1_650, 1_600)),
}
# The memory of the paper's computer.
MACHINE = 2_000.0
