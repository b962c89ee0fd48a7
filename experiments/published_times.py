"""Seconds that Bae, Bailey and Dong (2010) print for other methods than MAXIMUS: Table 10.

E. Bae, J. Bailey, G. Dong. A clustering comparison measure using density profiles and its
application to the discovery of alternate clusterings. Data Mining and Knowledge Discovery 21 (2010)
427-471. https://doi.org/10.1007/s10618-009-0164-z
"""

from typing import NamedTuple

from experiments.published_000 import SECONDS


class Others(NamedTuple):
    """Seconds for one alternative, by MetaClusterer for two."""

    cib: float | None
    condens: float | None
    metaclusterer: float


# For Colic, CIB's 368 and CondEns' 2 are left out: they are its numbers of objects and of classes.
OTHERS = {
    "car": Others(173.035, 1.45, 19.7),
    "kr-vs-kp": Others(2598.81, 3.75, 80.28),
    "colic": Others(None, None, 35.34),
    "hepatitis": Others(1.3, 0.39, 30.12),
    "mushroom": Others(14406.95, 11.94, 257.45),
    "postoperative": Others(0.33, 0.22, 13.56),
    "sick": Others(1865.61, 2.87, 80.64),
    "splice": Others(1923.78, 5.19, 118.45),
    "tic-tac-toe": Others(19.41, 0.45, 17.39),
    "titanic": Others(45.67, 1.15, 21.26),
    "waveform-5000": Others(3443.95, 6.92, 191.21),
}


def published_seconds(name: str, method: str) -> float | None:
    """What Table 10 says of a method on a set, if anything."""
    if name not in OTHERS:
        return None
    printed = {**SECONDS[name]._asdict(), **OTHERS[name]._asdict()}
    return printed.get(method.lower())
