"""Bae and Bailey (2006): COALA and COALACat on planted and real data, and their threshold."""

from experiments.coala.categorical import FIG6
from experiments.coala.planted import FIG4
from experiments.coala.real import FIG5
from experiments.coala.thresholds import FIG7
from experiments.common.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (FIG4, FIG5, FIG6, FIG7)
