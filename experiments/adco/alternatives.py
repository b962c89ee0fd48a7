"""The experiments with MAXIMUS and its rivals: Tables 10 and 11, Figs. 14 and 15."""

from experiments.adco.fig14 import FIG14
from experiments.adco.fig15 import FIG15
from experiments.adco.table10 import TABLE10
from experiments.adco.table11 import TABLE11
from experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (FIG14, TABLE10, FIG15, TABLE11)
