"""Importing the package is cheap, and its public names are those of the stubs."""

import ast
import subprocess
import sys
from importlib import import_module
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
    with pytest.raises(AttributeError, match="module 'clusterwise' has no attribute 'nothing'"):
        _ = clusterwise.nothing


def test_dir_shows_public_names_only() -> None:
    from clusterwise.kernels import contingency  # noqa: F401  (adds a submodule to the package)

    assert dir(clusterwise) == sorted(clusterwise.__all__)
    assert not [name for name in dir(clusterwise) if name.startswith("_")]
    hidden = {"kernels", "inputs", "lazy_loader"}
    assert not hidden & set(dir(clusterwise))


def listed_names(stub: Path) -> dict[str, str]:
    """The names that a stub imports, with the module that it imports each from."""
    names = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            assert all(alias.asname == alias.name for alias in node.names), stub
            names.update({alias.name: node.module or "" for alias in node.names})
    return names


STUB = Path(clusterwise.__file__).with_suffix(".pyi")
LAYERS = sorted(path.parent.name for path in STUB.parent.glob("*/__init__.pyi"))


def test_the_stub_is_the_list_of_public_names() -> None:
    assert sorted(listed_names(STUB)) == clusterwise.__all__


@pytest.mark.parametrize("layer", LAYERS)
def test_packages_export_what_their_stubs_list(layer) -> None:
    package = import_module(f"clusterwise.{layer}")
    names = listed_names(STUB.parent / layer / "__init__.pyi")
    assert sorted(names) == package.__all__ == dir(package)
    for name, module in names.items():
        assert getattr(package, name) is getattr(
            import_module(f"{package.__name__}.{module}"), name
        )


def test_the_top_level_takes_its_names_from_the_packages() -> None:
    for name, module in listed_names(STUB).items():
        if module == "":
            assert name in LAYERS
        elif not module.startswith("_utils."):
            assert name in listed_names(STUB.parent / module / "__init__.pyi")
            assert getattr(clusterwise, name) is getattr(
                import_module(f"clusterwise.{module}"), name
            )


def test_the_package_is_typed() -> None:
    assert Path(clusterwise.__file__).with_name("py.typed").exists()
