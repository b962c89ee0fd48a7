"""What Bae, Bailey and Dong (2010) print about MAXIMUS: Tables 10 and 11.

E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and its
application to the discovery of alternate clusterings. Data Mining and Knowledge Discovery 21 (2010)
427-471. https://doi.org/10.1007/s10618-009-0164-z
"""

from typing import NamedTuple


class Seconds(NamedTuple):
    """Table 10: the time to find one alternative."""

    coala: float
    maximus: float


class DQs(NamedTuple):
    """Table 11: DQ of MAXIMUS by the way in which numbers are cut."""

    width: float
    mdl: float
    frequency: float


# Eleven of the thirteen sets; the text also speaks of eucalyptus and sonar.
SECONDS = {
    "car": Seconds(1140.28, 3.11),
    "kr-vs-kp": Seconds(8131.94, 20.49),
    "colic": Seconds(3.82, 0.66),
    "hepatitis": Seconds(0.25, 0.41),
    "mushroom": Seconds(89975.26, 269.94),
    "postoperative": Seconds(0.08, 0.38),
    "sick": Seconds(41772.09, 26.18),
    "splice": Seconds(6067.45, 50.69),
    "tic-tac-toe": Seconds(292.92, 0.75),
    "titanic": Seconds(16555.43, 1.52),
    "waveform-5000": Seconds(207868.82, 47.44),
}

DQ_BY_BINNING = {
    "colic": DQs(0.47, 0.46, 0.48),
    "hepatitis": DQs(0.49, 0.49, 0.50),
    "mushroom": DQs(0.47, 0.45, 0.47),
    "postoperative": DQs(0.52, 0.51, 0.53),
    "sick": DQs(0.44, 0.48, 0.49),
    "splice": DQs(0.43, 0.44, 0.43),
    "waveform-5000": DQs(0.49, 0.50, 0.56),
}
