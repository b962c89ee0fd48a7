"""The house: no import cycles, and no file name that means two things."""

import ast
from pathlib import Path

import clusterwise

PACKAGE = Path(clusterwise.__file__).parent


def _modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imports(path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules of the package that a module imports, at its top or inside its functions."""
    targets = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                targets.add(name if name in modules else node.module)
        elif isinstance(node, ast.Import):
            targets.update(alias.name for alias in node.names)
    return targets & modules.keys()


def _find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that are left once those that import nothing left are taken away, again and again."""
    left = {name: set(targets) - {name} for name, targets in graph.items()}
    while True:
        leaves = {name for name, targets in left.items() if not targets & left.keys()}
        if not leaves:
            return sorted(left)
        for name in leaves:
            del left[name]


def test_no_import_cycles() -> None:
    modules = _modules()
    graph = {name: _imports(path, modules) for name, path in modules.items()}
    assert len(graph) > 100
    assert _find_cycle(graph) == []


def test_a_cycle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set(), "e": {"d"}}
    assert _find_cycle(graph) == ["a", "b", "c"]
