"""Bae and Bailey (2006): COALA and COALACat on planted and real data, and their threshold."""

from clusterwise.papers.coala.categorical import FIG6
from clusterwise.papers.coala.planted import FIG4
from clusterwise.papers.coala.real import FIG5
from clusterwise.papers.coala.thresholds import FIG7
from clusterwise.papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (FIG4, FIG5, FIG6, FIG7)
