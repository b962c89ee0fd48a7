"""Published values of Bae, Bailey and Dong (2010) on alternatives, except Tables 10 and 11.

Tables 10 and 11 (sections 7.1 and 7.2) are in ``published_000`` and ``published_times``, but for
the last column of Table 10. Figs. 14 (p. 38) and 15 (p. 39) are bars without numbers; what is known
of them is said in section 7.1.
"""

from typing import NamedTuple

# Table 10, last column: seconds of MAXIMUS for two alternatives.
TWO_ALTERNATIVES = {
    "car": 6.15,
    "kr-vs-kp": 49.76,
    "colic": 0.98,
    "hepatitis": 0.58,
    "mushroom": 154.58,
    "postoperative": 0.49,
    "sick": 53.99,
    "splice": 94.05,
    "tic-tac-toe": 1.11,
    "titanic": 3.06,
    "waveform-5000": 122.89,
}

# Table 10, Colic, columns CIB and CondEns: its numbers of objects and of classes.
COLIC = {"CIB": 368.0, "CondEns": 2.0}


class Record(NamedTuple):
    """How often MAXIMUS has the larger DQ, and how often the smaller."""

    wins: int
    losses: int


# Section 7.1, of Fig. 14: DQ of MAXIMUS against that of each other method.
RECORDS = {"CIB": Record(12, 1), "CondEns": Record(9, 4), "COALA": Record(7, 6)}
# Section 7.1, of Fig. 14: on how many of the thirteen sets MAXIMUS has the largest DQ.
BEST = 7
# Section 7.1, of Fig. 14: sets on which CIB finds nothing new, its dissimilarity being 0.
NOTHING_NEW = ("eucalyptus", "hepatitis")

# Section 7.1, of Fig. 15: where MetaClusterer has the larger DQ than MAXIMUS, where it is better
# in both scores, where it performs poorly, and where it repeats a known clustering.
META_AHEAD = ("eucalyptus",)
META_BOTH = ("kr-vs-kp", "eucalyptus")
META_POOR = ("kr-vs-kp", "sonar", "splice")
META_REPEATS = ("sonar", "splice")
# Section 7.2, of Table 11: on how many of the seven data sets equal frequencies are best.
FREQUENCY_BEST = 4
