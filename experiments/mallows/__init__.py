"""The experiments of Zhou, Li and Zha (2005)."""

from experiments.common.experiment import Experiment
from experiments.mallows.real import FIGURE7
from experiments.mallows.soft import TABLE1
from experiments.mallows.table2 import TABLE2
from experiments.mallows.table3 import TABLE3
from experiments.mallows.times import FIGURE8, FIGURE9

EXPERIMENTS: tuple[Experiment, ...] = (TABLE1, TABLE2, TABLE3, FIGURE7, FIGURE8, FIGURE9)
