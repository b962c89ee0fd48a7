"""The experiments of Rajasekhara and Pujari (2010)."""

from clusterwise.papers.experiment import Experiment
from clusterwise.papers.irm.figures import FIGURES
from clusterwise.papers.irm.table1 import TABLE1
from clusterwise.papers.irm.table2 import TABLE2

EXPERIMENTS: tuple[Experiment, ...] = (TABLE1, TABLE2, *FIGURES)
