"""The experiments of Zhou, Li and Zha (2005)."""

from clusterwise.papers.experiment import Experiment
from clusterwise.papers.mallows.real import FIGURE7
from clusterwise.papers.mallows.soft import TABLE1
from clusterwise.papers.mallows.table2 import TABLE2
from clusterwise.papers.mallows.table3 import TABLE3
from clusterwise.papers.mallows.times import FIGURE8, FIGURE9

EXPERIMENTS: tuple[Experiment, ...] = (TABLE1, TABLE2, TABLE3, FIGURE7, FIGURE8, FIGURE9)
