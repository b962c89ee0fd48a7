"""Bae, Bailey and Dong (2010): ADCO on examples, data sets and streams, and MAXIMUS."""

from experiments.adco.fig12 import FIG12
from experiments.adco.fig13 import FIG13
from experiments.adco.fig14 import FIG14
from experiments.adco.fig15 import FIG15
from experiments.adco.table3 import STRUCTURE
from experiments.adco.table5 import TABLE5
from experiments.adco.table7 import TABLE7
from experiments.adco.table10 import TABLE10
from experiments.adco.table11 import TABLE11
from experiments.adco.tables8_9 import TABLE8, TABLE9
from experiments.common.experiment import Experiment

COMPARISONS: tuple[Experiment, ...] = (STRUCTURE, TABLE5, TABLE7, TABLE8, TABLE9, FIG12, FIG13)
ALTERNATIVES: tuple[Experiment, ...] = (FIG14, TABLE10, FIG15, TABLE11)
EXPERIMENTS = (*COMPARISONS, *ALTERNATIVES)
