"""The house: no import cycles, no file name that means two things, few ways to the terminal."""

import ast
from pathlib import Path

import clusterwise

PACKAGE = Path(clusterwise.__file__).parent

# File names that appear in several layers, and the one thing that each of them means.
SHARED_NAMES = {
    "assessment": "the stability of clusters",
    "assignment": "matching clusters one to one",
    "base": "what the classes of a package share",
    "binning": "bins of features",
    "canonical_order": "an order of an ensemble that ignores names and positions",
    "cib": "the estimator CIB",
    "coala": "the estimator COALA",
    "coalacat": "the estimator COALACat",
    "consensus": "a consensus clustering",
    "contingency": "the contingency table",
    "distances": "distances between objects",
    "encoding": "labels as integer codes",
    "ensemble": "many clusterings of the same objects",
    "evidence": "evidence for clusters: by accumulation, or against one cluster",
    "frames": "dataframes of any engine",
    "kmeans": "k-means",
    "median": "the estimator MedianPartition",
    "methods": "the names of a verb's methods",
    "mincentropy": "the estimator MinCEntropy",
    "objective": "the objective of an estimator",
    "overlap": "the overlap of two clusterings, hard or soft",
    "phi": "the estimator PhiConsensus",
    "profile": "density profiles",
    "results": "what functions return",
    "tradeoff": "quality against dissimilarity",
    "transport": "optimal transport between clusterings",
}


# The modules that write to the terminal; what they write is visible.
PRINTERS = {"cli.output", "_utils.progress"}


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


def test_no_file_name_means_two_things() -> None:
    layers: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        if len(parts) > 1 and path.stem != "__init__":
            layers.setdefault(path.stem.lstrip("_"), set()).add(parts[0])
    shared = {name for name, homes in layers.items() if len(homes) > 1}
    assert shared == set(SHARED_NAMES)


def _prints(node: ast.AST) -> bool:
    """Whether a node calls ``print``, ``Console`` or ``.write`` of standard output or error."""
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    streams = {"sys.stdout.write", "sys.stderr.write", "traceback.print_exc"}
    return called in {"print", "rprint", "Console", "Progress", *streams}


def test_few_modules_write_to_the_terminal() -> None:
    found = set()
    for name, path in _modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(map(_prints, ast.walk(tree))):
            found.add(name.removeprefix("clusterwise."))
    assert found == PRINTERS


def test_a_cycle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set(), "e": {"d"}}
    assert _find_cycle(graph) == ["a", "b", "c"]


def _generators(tree: ast.Module) -> set[str]:
    """The names of generators of random numbers that a module makes at its top."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            maker = ast.unparse(node.value.func)
            if maker in ("np.random.default_rng", "np.random.RandomState"):
                found |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    return found


def _shared_draws(source: str) -> list[str]:
    """The functions that use a generator of their module."""
    tree = ast.parse(source)
    shared = _generators(tree)
    return [
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        if any(isinstance(one, ast.Name) and one.id in shared for one in ast.walk(function))
    ]


def test_tests_do_not_share_generators() -> None:
    """What a test draws must not depend on the tests before it, which run in any order."""
    for path in Path(__file__).parent.rglob("*.py"):
        assert not _shared_draws(path.read_text(encoding="utf-8")), path


def test_a_shared_generator_is_found() -> None:
    source = "R = np.random.default_rng(0)\nX = R.random(3)\ndef test():\n    {}.random(3)\n"
    assert _shared_draws(source.format("R")) == ["test"]
    assert _shared_draws(source.format("np.random.default_rng(1)")) == []
