"""The experiments of Rajasekhara and Pujari (2010)."""

from experiments.common.experiment import Experiment
from experiments.irm.figures import FIGURES
from experiments.irm.table1 import TABLE1
from experiments.irm.table2 import TABLE2

EXPERIMENTS: tuple[Experiment, ...] = (TABLE1, TABLE2, *FIGURES)
