"""Do the tests notice when the source is changed? ``python -m tests.mutate --help``.

Mutants are drawn at random from the seed. Each is written into a copy of the tree, where the tests
that run its lines are run until one fails; a mutant that no test notices is printed as a diff.
"""

import argparse
import difflib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutate.choice import (
    KERNELS,
    PACKAGE,
    Coverage,
    environment,
    find_importers,
    mirror,
    pytest_command,
)
from tests.mutate.mutations import Mutation, find_mutations
from tests.mutate.plugin import CHOICE

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".mutate_cache"
EQUIVALENT = Path(__file__).with_name("equivalent.json")
# Seconds that tests may take to start, and how much slower than measured they may be, before they
# count as endless.
START, PATIENCE = 60.0, 3.0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--only", default=str(PACKAGE), help="a file or folder of the source")
    options = parser.parse_args()
    tree = copy_tree()
    coverage = Coverage.measure(tree, CACHE)
    caught = survived = 0
    for path, mutation in draw(options.seed, Path(options.only)):
        source = (tree / path).read_text(encoding="utf-8")
        if is_equivalent(path, source, mutation):
            continue
        outcome = run_mutant(tree, path, mutation, coverage)
        print(f"{outcome}: {path}:{mutation.first_line} ({mutation.operator})", flush=True)
        if outcome == "survived":
            survived += 1
            print(as_diff(path, source, mutation), flush=True)
        else:
            caught += 1
        if caught + survived == options.mutants:
            break
    total = caught + survived
    print(f"Seed {options.seed}: {caught} of {total} mutants caught ({caught / total:.1%}).")
    return 0


def copy_tree() -> Path:
    """Copy the files that git tracks or would track; the user's own are never changed."""
    tree = CACHE / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for old in sorted(tree.rglob("*.py")):
        if str(old.relative_to(tree)) not in names:
            old.unlink()
    for name in names:
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # Equal files keep their times, by which numba knows what it has compiled.
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
            shutil.copy2(ROOT / name, target)
    return tree


def draw(seed: int, only: Path) -> list[tuple[Path, Mutation]]:
    """Return mutants in random order: one for each place in the source.

    The order depends on the seed and on each line alone, so that a seed draws nearly the same
    mutants after the source has changed elsewhere.
    """
    places: dict[tuple[Path, int, int], list[tuple[str, Mutation]]] = {}
    folder = (ROOT / only).resolve()
    for path in sorted(folder.rglob("*.py") if folder.is_dir() else [folder]):
        name, data = path.relative_to(ROOT), path.read_bytes()
        equal: Counter[str] = Counter()
        for mutation in find_mutations(data.decode()):
            start = data.rfind(b"\n", 0, mutation.start) + 1
            line = data[start : data.find(b"\n", start)].strip()
            drawn = f"{seed} {name} {line!r} {mutation.start - start} {mutation.new}"
            equal[drawn] += 1
            number = hashlib.sha256(f"{drawn} {equal[drawn]}".encode()).hexdigest()
            places.setdefault((name, mutation.start, mutation.end), []).append((number, mutation))
    firsts = [(min(found, key=itemgetter(0)), path) for (path, *_), found in places.items()]
    # Of several changes of one place the first is taken; each may stand for it alike.
    firsts.sort(key=lambda one: hashlib.sha256(one[0][0].encode()).digest())
    return [(path, mutation) for (_, mutation), path in firsts]


def run_mutant(tree: Path, path: Path, mutation: Mutation, coverage: Coverage) -> str:
    """Return whether a mutant is caught, survived, or ran without end."""
    file, kernels = tree / path, tree / KERNELS / "__pycache__"
    source, times = file.read_bytes(), file.stat()
    chosen = coverage.choose(path, mutation)
    if chosen:
        files = sorted({test.partition("::")[0] for test in chosen}) + coverage.find_new_files(path)
    else:
        files = [*mirror(tree, path), "-k", "not spark and not dask"]
    limit = START + PATIENCE * sum(coverage.durations[test] for test in chosen)
    with TemporaryDirectory(prefix="clusterwise-mutate-") as folder:
        choice = Path(folder) / "choice.json"
        choice.write_text(json.dumps({"chosen": chosen, "known": coverage.known}))
        variables = {"HYPOTHESIS_STORAGE_DIRECTORY": folder, CHOICE: str(choice)}
        if not chosen:
            del variables[CHOICE]
        is_kernel = path.is_relative_to(KERNELS) and kernels.exists()
        if is_kernel:  # what was compiled of it, or with it, is no longer valid
            shutil.copytree(kernels, Path(folder) / "kernels")
            for stem in find_importers(tree, {path.stem}):
                for compiled in kernels.glob(f"{stem}.*.nb?"):
                    compiled.unlink()
        try:
            file.write_text(mutation.apply(source.decode()), encoding="utf-8")
            command = pytest_command("-x", "--no-header", "--no-summary", *files)
            status = _run(command, tree, environment(tree, **variables), limit)
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            if is_kernel:
                shutil.rmtree(kernels)
                shutil.copytree(Path(folder) / "kernels", kernels)
    if status is None:
        return "endless"
    return "survived" if status in (0, 5) else "caught"  # 5: there is no test


def _run(command: list[str], tree: Path, variables: dict[str, str], limit: float) -> int | None:
    """Return the status of a process, or None if it had to be ended with all its children."""
    with subprocess.Popen(
        command, cwd=tree, env=variables, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def as_diff(path: Path, source: str, mutation: Mutation) -> str:
    """Return the lines that a mutation changes."""
    sides = source.splitlines(), mutation.apply(source).splitlines()
    return "\n".join(difflib.unified_diff(*sides, str(path), "mutant", n=1, lineterm=""))


def changed_lines(source: str, mutation: Mutation) -> tuple[list[str], list[str]]:
    """Return the lines that a mutation changes, before and after."""
    diff = as_diff(Path(), source, mutation).splitlines()[3:]
    old, new = ([line[1:].strip() for line in diff if line[0] == sign] for sign in "-+")
    return old, new


def is_equivalent(path: Path, source: str, mutation: Mutation) -> bool:
    """Whether somebody has found out that a mutant does the same as the source."""
    reviewed = json.loads(EQUIVALENT.read_text(encoding="utf-8")).get(str(path), [])
    return changed_lines(source, mutation) in [(one["old"], one["new"]) for one in reviewed]


if __name__ == "__main__":
    sys.exit(main())
