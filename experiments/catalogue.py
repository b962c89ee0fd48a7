"""All experiments of the papers, by name."""

from functools import cache
from importlib import import_module

from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TextTable
from experiments.experiment import Experiment

# The papers in their order, and the package that has the experiments of each.
PAPERS = {
    "000": ("adco", "Bae, Bailey, Dong: density profiles, ADCO and MAXIMUS (2010)"),
    "001": ("coala", "Bae, Bailey: COALA (2006)"),
    "002": ("mallows", "Zhou, Li, Zha: Mallows distance, CC and CSS (2005)"),
    "003": ("binary", "Mimaroglu, Yagci: a binary method for consensus, ICS and ECS (2009)"),
    "004": ("irm", "Rajasekhara, Pujari: the IRM-index (2010)"),
}


@cache
def list_experiments() -> tuple[Experiment, ...]:
    """Every experiment, paper by paper."""
    homes = (import_module(f"experiments.{home}") for home, _ in PAPERS.values())
    return tuple(one for home in homes for one in home.EXPERIMENTS)


def find_experiments(name: str) -> list[Experiment]:
    """The experiment of that name, or all of a paper, or ``"all"``."""
    found = [one for one in list_experiments() if name in (one.name, one.paper, "all")]
    if not found:
        known = ", ".join(one.name for one in list_experiments())
        raise InputError(f"there is no experiment {name!r}; use {known}, or a paper's number.")
    return found


def experiment_grid() -> TextTable:
    """All experiments as a table."""
    rows = [
        [one.name, one.title, one.where, str(one.seeds), ", ".join(one.sets)]
        for one in list_experiments()
    ]
    header = ["name", "experiment", "in the paper", "seeds", "data sets"]
    return TextTable(header, rows, "", frozenset({0, 1, 2, 4}), spare=4)
