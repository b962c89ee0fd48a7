"""All experiments of the papers, by name."""

from functools import cache
from importlib import import_module

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TextTable
from experiments.common.experiment import Experiment

# The papers, by the package that has their experiments.
PAPERS = {
    "adco": "Bae, Bailey, Dong: density profiles, ADCO and MAXIMUS (2010)",
    "coala": "Bae, Bailey: COALA (2006)",
    "mallows": "Zhou, Li, Zha: Mallows distance, CC and CSS (2005)",
    "binary": "Mimaroglu, Yagci: a binary method for consensus, ICS and ECS (2009)",
    "irm": "Rajasekhara, Pujari: the IRM-index (2010)",
}


@cache
def list_experiments() -> tuple[Experiment, ...]:
    """Return all experiments, paper by paper."""
    packages = (import_module(f"experiments.{paper}") for paper in PAPERS)
    return tuple(one for package in packages for one in package.EXPERIMENTS)


def find_experiments(name: str) -> list[Experiment]:
    """Return the experiment of this name, all of a paper, or all (``"all"``)."""
    found = [one for one in list_experiments() if name in (one.name, one.paper, "all")]
    if not found:
        known = ", ".join(one.name for one in list_experiments())
        papers = ", ".join(PAPERS)
        raise InputError(f"unknown experiment {name!r}; use {known}, a paper ({papers}) or 'all'.")
    return found


def experiments_table() -> TextTable:
    """Return all experiments as a table."""
    rows = [
        [one.name, one.title, one.where, str(one.seeds), ", ".join(one.sets)]
        for one in list_experiments()
    ]
    header = ["name", "experiment", "in the paper", "seeds", "data sets"]
    return TextTable(header, rows, "", frozenset({0, 1, 2, 4}), spare=4)
