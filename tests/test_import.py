"""Importing the package is cheap, and its public names are what they claim."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import clusterwise

HEAVY = {
    "cyclopts", "matplotlib", "narwhals", "numba", "numpy", "ot", "pandas", "polars", "pyarrow",
    "rich", "scipy", "sklearn",
}  # fmt: skip


def modules_after(code: str) -> set[str]:
    """Top-level modules that are loaded in a new process after running some code."""
    script = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    assert not modules_after("import clusterwise; dir(clusterwise)") & HEAVY


def test_a_measure_loads_only_what_it_needs() -> None:
    loaded = modules_after(
        "import clusterwise; clusterwise.adjusted_rand_score([0, 0, 1], [0, 1, 1])"
    )
    assert loaded & HEAVY <= {"numpy", "numba", "scipy"}  # numba asks for scipy's version


@pytest.mark.parametrize("name", clusterwise.__all__)
def test_every_public_name_loads(name) -> None:
    assert getattr(clusterwise, name) is not None
    assert name in dir(clusterwise)


@pytest.mark.parametrize("name", ["datasets", "plots", "report"])
def test_modules_load_when_they_are_named(name) -> None:
    code = f"import clusterwise\nassert clusterwise.{name}.__name__ == 'clusterwise.{name}'"
    assert "matplotlib" not in modules_after(code)
    assert name in dir(clusterwise)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = clusterwise.nothing


def test_type_checkers_see_the_same_names() -> None:
    stub = Path(clusterwise.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    seen = {}
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ImportFrom):
            seen.update({alias.asname: node.module for alias in node.names})
    homes = {name: f"clusterwise.{home}" for name, home in clusterwise._HOME_OF.items()}
    assert seen == homes | dict.fromkeys(clusterwise._MODULES, "clusterwise")


def test_the_package_is_typed() -> None:
    assert Path(clusterwise.__file__).with_name("py.typed").exists()
