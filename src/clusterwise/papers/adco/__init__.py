"""Bae, Bailey and Dong (2010): ADCO on examples, data sets and streams, and MAXIMUS."""

from clusterwise.papers.adco.alternatives import EXPERIMENTS as _ALTERNATIVES
from clusterwise.papers.adco.bins import FIG12
from clusterwise.papers.adco.discretised import TABLE8, TABLE9
from clusterwise.papers.adco.seconds import FIG13
from clusterwise.papers.adco.snapshots import TABLE7
from clusterwise.papers.adco.structure import STRUCTURE
from clusterwise.papers.adco.table5 import TABLE5
from clusterwise.papers.experiment import Experiment

_COMPARISONS = (STRUCTURE, TABLE5, TABLE7, TABLE8, TABLE9, FIG12, FIG13)

EXPERIMENTS: tuple[Experiment, ...] = (*_COMPARISONS, *_ALTERNATIVES)
