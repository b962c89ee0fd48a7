"""Bae, Bailey and Dong (2010): ADCO on examples, data sets and streams, and MAXIMUS."""

from experiments.adco.alternatives import EXPERIMENTS as _ALTERNATIVES
from experiments.adco.bins import FIG12
from experiments.adco.discretised import TABLE8, TABLE9
from experiments.adco.seconds import FIG13
from experiments.adco.snapshots import TABLE7
from experiments.adco.structure import STRUCTURE
from experiments.adco.table5 import TABLE5
from experiments.experiment import Experiment

_COMPARISONS = (STRUCTURE, TABLE5, TABLE7, TABLE8, TABLE9, FIG12, FIG13)

EXPERIMENTS: tuple[Experiment, ...] = (*_COMPARISONS, *_ALTERNATIVES)
