"""The experiments of Mimaroglu and Yagci (2009)."""

from experiments.binary.example import EXAMPLE
from experiments.binary.memory import FIGURE7
from experiments.binary.times import FIGURE6
from experiments.common.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (EXAMPLE, FIGURE6, FIGURE7)
