"""The experiments of Mimaroglu and Yagci (2009)."""

from clusterwise.papers.binary.example import EXAMPLE
from clusterwise.papers.binary.memory import FIGURE7
from clusterwise.papers.binary.times import FIGURE6
from clusterwise.papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (EXAMPLE, FIGURE6, FIGURE7)
