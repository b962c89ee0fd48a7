"""Mutations are valid Python, different from the source, and only where they could matter."""

import ast
import json
from pathlib import Path

import pytest
from tests.mutate.__main__ import EQUIVALENT, ROOT, as_diff, changed_lines, draw
from tests.mutate.choice import PACKAGE, find_importers
from tests.mutate.mutations import find_mutations


def mutants(source):
    return {mutation.apply(source) for mutation in find_mutations(source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b <= c\n", {"x = a <= b <= c\n", "x = a < b < c\n"}),
        ("x = a not in b\n", {"x = a in b\n"}),
        ("x = a is None\n", {"x = a is not None\n"}),
        ("x = (a) - (b)\n", {"x = (a) + (b)\n"}),
        ("x = a ** b\n", {"x = a * b\n"}),
        ("x = a and b or c\n", {"x = a or b or c\n", "x = a and b and c\n"}),
        ("x = not (a)\n", {"x =  (a)\n"}),
        ("x = a[-1]\n", {"x = a[1]\n", "x = a[-0]\n", "x = a[-2]\n"}),
        ("x = True\n", {"x = False\n"}),
        ("x = 0.5\n", {"x = 1.5\n", "x = (-0.5)\n"}),
        ("x = max(a)\n", {"x = min(a)\n"}),
        ("x = a.argmin()\n", {"x = a.argmax()\n"}),
        ("if a:\n    b = c\n", {"if not (a):\n    b = c\n"}),
        ("x = a if b else c\n", {"x = a if (not (b)) else c\n"}),
        ("def f():\n    return x\n", {"def f():\n    return None\n"}),
        ("def f():\n    return True\n", {"def f():\n    return False\n"}),
        ("f(a, b=c)\n", {"pass\n", "f(a)\n"}),
        ("f(b=c, d=e)\n", {"pass\n", "f(d=e)\n", "f(b=c)\n"}),
        ("a[b] = c\n", {"pass\n"}),
        ("a += b\n", {"pass\n"}),
        ("raise A(b + c)\n", {"pass\n"}),
        ("for a in b:\n    continue\n", {"for a in b:\n    pass\n"}),
        ('x = "×", a + b\n', {'x = "×", a - b\n'}),
    ],
)
def test_each_operator(source, expected):
    assert mutants(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""\n',
        "def f(a: X | None = None) -> Y | Z: ...\n",
        "x: A[B | C]\n",
        "X = A | B\n",
        "if TYPE_CHECKING:\n    f(1)\n",
        '__all__ = ["a" + "b"]\n',
        "@jit(cache=True)\ndef f(): ...\n",
        "@overload\ndef f(a=1): ...\n",
        "assert a < 1\n",
        'x = f"{a + 1}"\n',
        'x = "a" + b\n',
        "x = zip(a, b, strict=True)\n",
        "_BLOCK = 4096\n",
        "x = floor\n",
        "x = f(a, fontsize=9)\n",
        "ax.tick_params(left=False)\n",
        "step = max(1, _BLOCK // n)\n",
        'x = cast("A | B", a)\n',
    ],
)
def test_what_cannot_matter_is_left_alone(source):
    assert mutants(source) == set()


def test_the_lines_of_a_mutation_are_those_of_its_statement():
    source = "def f(\n    a=1,\n):\n    if (\n        a\n        < b\n    ):\n        return a\n"
    found = {(m.operator, m.first_line, m.last_line, m.at_import) for m in find_mutations(source)}
    assert found == {
        ("constant", 1, 3, True), ("condition", 4, 7, False), ("comparison", 4, 7, False),
        ("return", 8, 8, False),
    }  # fmt: skip


def test_the_source_itself():
    """Every mutant can be parsed, and differs."""
    source = (ROOT / PACKAGE / "comparing/frames.py").read_text(encoding="utf-8")
    unchanged = ast.dump(ast.parse(source))
    mutations = find_mutations(source)
    assert len(mutations) > 30
    for mutation in mutations[::4]:
        assert ast.dump(ast.parse(mutation.apply(source))) != unchanged


def test_the_seed_decides():
    drawn = [draw(seed, PACKAGE / "models/kmeans.py")[:5] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_reviewed_mutants_are_those_of_the_source():
    for path, reviewed in json.loads(EQUIVALENT.read_text(encoding="utf-8")).items():
        source = (ROOT / path).read_text(encoding="utf-8")
        found = [changed_lines(source, mutation) for mutation in find_mutations(source)]
        for one in reviewed:
            assert (one["old"], one["new"]) in found
            assert one["why"]


def test_what_is_compiled_with_a_kernel_is_found():
    assert find_importers(ROOT, {"median"}) == {"median"}
    assert find_importers(ROOT, {"jit"}) > {"jit", "median", "coala", "contingency"}


def test_a_mutant_as_a_diff():
    source = "a = 1\nb = a + c\n"
    mutation = find_mutations(source)[-1]
    assert changed_lines(source, mutation) == (["b = a + c"], ["b = a - c"])
    assert as_diff(Path("x.py"), source, mutation).splitlines() == [
        "--- x.py", "+++ mutant", "@@ -1,2 +1,2 @@", " a = 1", "-b = a + c", "+b = a - c",
    ]  # fmt: skip
