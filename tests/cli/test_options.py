"""The shared options: the choices are those of the library, and all options have help."""

import subprocess
import sys
from dataclasses import fields, is_dataclass
from inspect import signature
from typing import get_args

import pytest

from clusterwise.cli import options
from clusterwise.cli.again.command import again
from clusterwise.cli.combine.command import combine
from clusterwise.cli.compare.command import compare
from clusterwise.cli.measures.command import measures
from clusterwise.cli.profile.command import profile
from clusterwise.cli.report.command import report
from clusterwise.cli.stream.command import stream
from clusterwise.inputs.binning.binning import Method as BinningMethod
from clusterwise.inputs.clusterings import Missing, Noise
from clusterwise.inputs.ensembles import MissingLabels
from clusterwise.measures.quality import QUALITIES

VERBS = [again, combine, compare, measures, profile, report, stream]


@pytest.mark.parametrize(
    ("choices", "library"),
    [
        (options.BinningMethod, get_args(BinningMethod)),
        (options.Noise, get_args(Noise)),
        (options.Missing, get_args(Missing)),
        (
            options.MissingInEnsemble,
            [one for part in get_args(MissingLabels) for one in get_args(part)],
        ),
        (options.QualityName, tuple(QUALITIES)),
    ],
)
def test_choices_are_those_of_the_library(choices, library):
    assert set(get_args(choices)) == set(library)


def declared_options(verb):
    for name, argument in signature(verb).parameters.items():
        if is_dataclass(argument.annotation):
            yield from (field.name for field in fields(argument.annotation))
        else:
            yield name


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_no_option_is_declared_twice(verb):
    names = list(declared_options(verb))
    assert len(names) == len(set(names))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_every_option_has_help_at_80_columns(verb):
    done = subprocess.run(
        [sys.executable, "-m", "clusterwise", verb.__name__, "--help"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
        env={"COLUMNS": "80", "PYTHONUTF8": "1", "PYTHONPATH": ":".join(sys.path)},
    )
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    starts = [line for line in lines if line.startswith(("│ --", "│ *"))]
    assert len(starts) == len([*declared_options(verb)]) - 1  # FILE, or the name of a measure
    for line in starts:
        assert line.strip("│* ").split("  ", 1)[1:], f"no help: {line}"
