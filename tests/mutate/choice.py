"""Which tests run which lines of the source."""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData
from tests.mutate.mutations import Mutation
from tests.mutate.plugin import RECORD

PACKAGE = Path("src/clusterwise")
KERNELS = PACKAGE / "kernels"
# Tests for one mutant may take this share of the time of all.
_SHARE = 0.1
_ALL = [
    "-n", "auto", "--dist", "loadgroup", "-m", "not slow", "--ignore=experiments",
    "--ignore=tests/experiments", "--cov", "--cov-context=test", "--cov-report=",
]  # fmt: skip


def pytest_command(*arguments: str) -> list[str]:
    """Return the command that runs tests in a copy of the tree."""
    options = ["-q", "-p", "tests.mutate.plugin", "-p", "no:randomly", "-p", "no:cacheprovider"]
    return [sys.executable, "-m", "pytest", *options, *arguments]


def environment(tree: Path, **others: str) -> dict[str, str]:
    """Return the variables under which the copy is imported, and no other one."""
    return {**os.environ, "PYTHONPATH": str(tree / "src"), **others}


def find_importers(tree: Path, modules: set[str]) -> set[str]:
    """Return modules of kernels, with those that import them, directly or not."""
    while True:
        found = {
            path.stem
            for path in (tree / KERNELS).glob("*.py")
            if modules & _imported_kernels(path).keys()
        }
        if found <= modules:
            return modules
        modules = modules | found


def _imported_kernels(path: Path) -> dict[str, set[str]]:
    """Return by which names a file knows each module of kernels, or what is in it."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            package, _, module = (node.module or "").rpartition(".")
            for alias in node.names:
                if node.module == "clusterwise.kernels":
                    found.setdefault(alias.name, set()).add(alias.asname or alias.name)
                elif package == "clusterwise.kernels":
                    found.setdefault(module, set()).add(alias.asname or alias.name)
    return found


@dataclass(frozen=True)
class Coverage:
    """The lines that each test runs, and how long it takes."""

    tree: Path
    data: CoverageData
    durations: dict[str, float]
    known: list[str]

    @classmethod
    def measure(cls, tree: Path, cache: Path) -> "Coverage":
        """Read the coverage of this state of the source, or measure it once."""
        digest = hashlib.sha256()
        for path in sorted((tree / PACKAGE).rglob("*.py")):
            digest.update(path.read_bytes())
        folder = cache / digest.hexdigest()[:16]
        record, lines = folder / "tests.json", folder / "coverage"
        if not record.exists():
            for old in cache.glob("*/tests.json"):
                shutil.rmtree(old.parent)
            folder.mkdir(parents=True, exist_ok=True)
            print("Measuring which tests run which lines, once for this state of the source.")
            variables = {"COVERAGE_FILE": str(lines), RECORD: str(folder / "draft.json")}
            subprocess.run(
                pytest_command(*_ALL), cwd=tree, env=environment(tree, **variables), check=False
            )
            (folder / "draft.json").rename(record)
        read = json.loads(record.read_text(encoding="utf-8"))
        data = CoverageData(str(lines))
        data.read()
        return cls(tree, data, read["passed"], read["known"])

    def choose(self, path: Path, mutation: Mutation) -> list[str]:
        """Return the tests that run a mutation: the nearest and quickest, in this order."""
        near = [path]
        if path.is_relative_to(KERNELS):  # compiled code is not traced, but its callers are
            callers = self._find_callers(path)
            near += callers
            tests = {test for test in self.durations if _distance(path, test) == 0}
            tests.update(*(self._of_lines(*caller) for caller in callers.items()))
        elif mutation.at_import:
            tests = self._of_lines(path, None)
        else:
            lines = range(mutation.first_line, mutation.last_line + 1)
            tests = self._of_lines(path, set(lines))

        def order(test: str) -> tuple[int, float]:
            return min(_distance(one, test) for one in near), self.durations[test]

        chosen, total = [], 0.0
        for test in sorted(tests, key=order):
            total += self.durations[test]
            if chosen and total > _SHARE * sum(self.durations.values()):
                break
            chosen.append(test)
        return chosen

    def find_new_files(self, path: Path) -> list[str]:
        """Return the files of tests of a package that are newer than the measurement."""
        known = {test.partition("::")[0] for test in self.known}
        folder = self.tree / "tests" / path.parent.relative_to(PACKAGE)
        files = {str(file.relative_to(self.tree)) for file in folder.rglob("test_*.py")}
        return sorted(files - known)

    def _of_lines(self, path: Path, lines: set[int] | None) -> set[str]:
        """Return tests by lines of a file (None: all); of fixtures, all tests that may share it."""
        found: set[str] = set()
        shared: set[str] = set()
        for line, contexts in self.data.contexts_by_lineno(str(self.tree / path)).items():
            if lines is None or line in lines:
                for context in contexts:
                    test, _, phase = context.rpartition("|")
                    found.add(test)
                    if phase == "setup":
                        shared.add(test.partition("::")[0])
        found.update(test for test in self.durations if test.partition("::")[0] in shared)
        return found & self.durations.keys()

    def _find_callers(self, path: Path) -> dict[Path, set[int]]:
        """Return the files outside kernels that use a module of them, and on which lines."""
        modules = find_importers(self.tree, {path.stem})
        found = {}
        for caller in (self.tree / PACKAGE).rglob("*.py"):
            imported = _imported_kernels(caller)
            names = set().union(*(imported.get(module, set()) for module in modules))
            if names and caller.parent != self.tree / KERNELS:
                found[caller.relative_to(self.tree)] = {
                    node.lineno
                    for node in ast.walk(ast.parse(caller.read_text(encoding="utf-8")))
                    if isinstance(node, ast.Name) and node.id in names
                }
        return found


def mirror(tree: Path, path: Path) -> list[str]:
    """Return the files of tests of a module that no measured test runs."""
    folder = Path("tests") / path.parent.relative_to(PACKAGE)
    while not list((tree / folder).glob("test_*.py")):
        folder = folder.parent
    files = list((tree / folder).glob(f"test_{path.stem.strip('_')}*.py"))
    files = files or list((tree / folder).glob("test_*.py"))
    return [str(file.relative_to(tree)) for file in sorted(files)]


def _distance(path: Path, test: str) -> int:
    """Return 0 for tests of the file itself, 1 for those of its folder, 2 for others."""
    folder, stem = path.parent.relative_to(PACKAGE), path.stem.strip("_")
    file = Path(test.partition("::")[0])
    if file == path or (
        file.parent == Path("tests") / folder and file.stem.startswith(f"test_{stem}")
    ):
        return 0
    return 1 if file.is_relative_to(Path("tests") / folder) else 2
