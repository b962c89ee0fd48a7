"""What the wheel and the source distribution contain."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]


def test_the_wheel_holds_the_package_only():
    # Without settings of its own, the wheel is src/clusterwise.
    targets = BUILD["build"]["targets"]
    assert targets.get("wheel", {}).get("packages", ["src/clusterwise"]) == ["src/clusterwise"]
    assert [path.name for path in (ROOT / "src").iterdir() if path.is_dir()] == ["clusterwise"]


def test_the_package_imports_no_experiments():
    pattern = re.compile(r"^\s*(from|import) (experiments|benchmarks|tests)\b", re.MULTILINE)
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src").rglob("*.py")
        if pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_source_distribution_holds_what_tests_need():
    included = BUILD["build"]["targets"]["sdist"]["include"]
    assert {"src", "tests", "experiments", "examples", "benchmarks", "docs"} <= set(included)
    assert {"conftest.py", "README.md", "LICENSE"} <= set(included)
    assert [name for name in included if not (ROOT / name).exists()] == []
