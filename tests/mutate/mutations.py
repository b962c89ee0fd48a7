"""Mutations of a source text: small changes, one at a time, that some test should notice."""

import ast
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

_COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"), ast.Is: ("is", "is not"), ast.IsNot: (r"is\s+not", "is"),
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: (r"\+", "-"), ast.Sub: ("-", "+"), ast.Mult: (r"\*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "//"), ast.Pow: (r"\*\*", "*"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"), ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"), ast.BitXor: (r"\^", "&"),
}  # fmt: skip
_OPPOSITES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "any": "all", "floor": "ceil"}
_OPPOSITES |= {b: a for a, b in _OPPOSITES.items()}
# Arguments that change no result: they check, decide on copies, or name things.
_HARMLESS = {
    "strict", "stacklevel", "copy", "encoding", "daemon", "help", "prefix", "ignore_cleanup_errors",
}  # fmt: skip
# The looks of plots are for people to judge.
_HARMLESS |= {
    "alpha", "aspect", "bbox_to_anchor", "fontsize", "gap", "ha", "height_ratios", "length",
    "linestyle", "linewidth", "linewidths", "loc", "lw", "markeredgewidth", "markersize", "ncols",
    "pad", "rotation", "shrink", "title_fontsize", "va", "width_ratios", "xytext", "zorder",
}  # fmt: skip
# What is computed from these is how work is divided, which changes no result.
_BLOCKS = {"parts_for", "_BLOCK", "BLOCK", "_CELLS", "CELLS", "SERIAL_BELOW"}
_LOOKS = {"tick_params", "set_ha", "set_va", "set_zorder"}
# Larger constants of modules are sizes of blocks and limits, of which one more changes nothing.
_LARGE = 100


@dataclass(frozen=True)
class Mutation:
    """A replacement of the bytes from ``start`` to ``end``."""

    operator: str
    start: int
    end: int
    new: str
    # Of the statement, without the body that it may have.
    first_line: int
    last_line: int
    # Whether it runs when the module is imported, in no test in particular.
    at_import: bool

    def apply(self, source: str) -> str:
        """Return the mutated source."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def find_mutations(source: str) -> list[Mutation]:
    """Return all mutations of a module that could matter."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return finder.found


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self.starts = [0, *accumulate(len(line) for line in self.data.splitlines(keepends=True))]
        self.found: list[Mutation] = []
        self.statement: ast.stmt | None = None
        self.depth = 0

    # --- places

    def start(self, node: Any) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: Any) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: Any) -> str:
        return self.data[self.start(node) : self.end(node)].decode()

    def add(self, operator: str, start: int, end: int, new: str) -> None:
        statement: Any = self.statement
        body = getattr(statement, "body", None)
        last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
        place = (statement.lineno, last, self.depth == 0)
        self.found.append(Mutation(operator, start, end, new, *place))

    def replace(self, operator: str, node: Any, new: str) -> None:
        self.add(operator, self.start(node), self.end(node), new)

    def replace_between(self, operator: str, left: Any, right: Any, old: str, new: str) -> None:
        """Replace an operator, which stands between two operands."""
        start = self.end(left)
        found = re.search(old, self.data[start : self.start(right)].decode())
        if found and "#" not in found.string:
            self.add(operator, start + found.start(), start + found.end(), new)

    # --- what is walked through

    def visit(self, node: ast.AST) -> None:
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        super().visit(node)
        self.statement = outer

    def visit_FunctionDef(self, node: Any) -> None:
        names = {name.id for name in node.decorator_list if isinstance(name, ast.Name)}
        if "overload" in names:
            return
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        self.depth += 1
        for statement in node.body:
            self.visit(statement)
        self.depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip messages; before Python 3.12 their parts have no exact places either."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skip invariants."""

    # --- what is changed

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self.replace("condition", node.test, f"not ({self.text(node.test)})")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.replace("condition", node.test, f"(not ({self.text(node.test)}))")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.replace_between("comparison", left, right, *_COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        strings = any(_is_text(side) for side in (node.left, node.right))
        types = isinstance(node.op, ast.BitOr) and not self.depth
        if type(node.op) in _ARITHMETIC and not (strings or types):
            self.replace_between("arithmetic", node.left, node.right, *_ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.replace_between("and, or", left, right, rf"\b{pair[0]}\b", pair[1])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            width = 3 if isinstance(node.op, ast.Not) else 1
            self.add("sign", self.start(node), self.start(node) + width, "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.replace("constant", node, str(not value))
        elif isinstance(value, int | float) and (self.depth or abs(value) < _LARGE):
            for new in (value + 1, value - 1):
                if new != value:
                    self.replace("constant", node, repr(new) if new >= 0 else f"({new!r})")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in _OPPOSITES:
            end = self.end(node)
            self.add("opposite", end - len(node.attr), end, _OPPOSITES[node.attr])
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node)
        if isinstance(node.func, ast.Name) and name in _OPPOSITES:
            self.replace("opposite", node.func, _OPPOSITES[name])
        if name == "warn" or name in _LOOKS:
            return
        if name == "cast":
            self.visit(node.args[-1])
            return
        parts = sorted([*node.args, *node.keywords], key=self.start)
        for i, part in enumerate(parts):
            if isinstance(part, ast.keyword) and part.arg in _HARMLESS:
                continue
            if isinstance(part, ast.keyword) and part.arg is not None:
                start = self.end(parts[i - 1]) if i else self.start(part)
                end = self.start(parts[1]) if not i and len(parts) > 1 else self.end(part)
                self.add("argument left out", start, end, "")
            self.visit(part)
        self.visit(node.func)

    def visit_Return(self, node: ast.Return) -> None:
        # None does as well as False, and True is changed as a constant.
        known = isinstance(node.value, ast.Constant) and node.value.value in (None, True, False)
        if node.value is not None and not known:
            self.replace("return", node, "return None")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.replace("statement left out", node, "pass")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and _name(node.value) not in _LOOKS:
            self.replace("statement left out", node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if _BLOCKS & {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}:
            return
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self.replace("statement left out", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace("statement left out", node, "pass")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self.replace("statement left out", node, "pass")

    visit_Continue = visit_Break


def _name(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
