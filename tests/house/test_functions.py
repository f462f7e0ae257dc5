"""The bounds on functions: complexity 15, 7 parameters, no dispatch by names made at run time.

A function that is truly better whole is marked on its `def` line, or the line above it, with
`# complexity: REASON`. Few may be, and each says why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from radon.visitors import ComplexityVisitor

ROOT = Path(__file__).resolve().parents[2]
MAX_COMPLEXITY, MAX_PARAMETERS, MAX_MARKS = 15, 7, 15
MARK = re.compile(r"# complexity: (.*)$")


@dataclass(frozen=True)
class Function:
    """A function as it is measured: what passes a bound, and the reason why it may."""

    path: str
    line: int
    name: str
    complexity: int
    parameters: int
    reason: str | None

    @property
    def where(self) -> str:
        """What a failure shows."""
        return (
            f"{self.path}:{self.line} {self.name}: "
            f"complexity {self.complexity}, {self.parameters} parameters"
        )

    @property
    def over(self) -> bool:
        """Does it pass a bound?"""
        return self.complexity > MAX_COMPLEXITY or self.parameters > MAX_PARAMETERS


def sources() -> Iterator[tuple[str, str]]:
    """Every module that is held to the bounds, with its text."""
    for package in ("rulelang", "interpreter"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def measured(path: str, text: str) -> list[Function]:
    """All functions of a module, methods and inner functions too."""
    tree, lines = ast.parse(text), text.split("\n")
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            value = ComplexityVisitor.from_ast(ast.Module([node], [])).functions[0].complexity
            mark = MARK.search(lines[node.lineno - 1]) or MARK.search(lines[first - 2])
            reason = mark.group(1).strip() if mark else None
            count = parameters(node)
            found.append(Function(path, node.lineno, node.name, value, count, reason))
    return found


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a function takes, without self and cls."""
    given = node.args
    names = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    own = names[:1] in (["self"], ["cls"])
    rest = (given.vararg is not None) + (given.kwarg is not None)
    return len(names) - own + len(given.kwonlyargs) + rest


@pytest.fixture(scope="module")
def functions() -> list[Function]:
    """All functions that are held to the bounds."""
    return [function for path, text in sources() for function in measured(path, text)]


def test_functions_are_within_their_bounds(functions: list[Function]) -> None:
    """No function is more complex or takes more parameters than it may, unless it is marked."""
    over = [f.where for f in functions if f.over and f.reason is None]
    assert over == []


def test_marks_are_few_and_have_reasons(functions: list[Function]) -> None:
    """At most 15 functions are marked; each passes a bound and says why it is better whole."""
    marked = [f for f in functions if f.reason is not None]
    assert len(marked) <= MAX_MARKS
    assert [f.where for f in marked if not f.over] == [], "marked without need"
    assert [f.where for f in marked if len((f.reason or "").split()) < 4] == [], "without a reason"
    count = sum(len(re.findall(r"# complexity:", text)) for _, text in sources())
    assert count == len(marked), "a mark stands where no function begins"


def test_no_method_is_found_by_a_name_made_at_run_time() -> None:
    """Dispatch is a table or a `match`, never `getattr(self, f"…")`: tools see what is missing."""
    found = []
    for path, text in sources():
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "getattr"
                and made_at_run_time(*node.args[:2])
            ):
                found.append(f"{path}:{node.lineno}")
    assert found == []


def made_at_run_time(owner: ast.expr, name: ast.expr) -> bool:
    """Is the name of an attribute put together, or is one of `self` not known from the text?"""
    own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
    return isinstance(name, ast.JoinedStr | ast.BinOp) or (
        own and not isinstance(name, ast.Constant)
    )


def test_every_ignored_type_error_has_its_reason() -> None:
    """A `type: ignore` names the error, and why it stays is told behind it or on the line above."""
    bare = []
    for path, text in sources():
        lines = text.split("\n")
        for number, line in enumerate(lines):
            mark = re.search(r"# type: ignore(.*)$", line)
            if mark is None:
                continue
            named = re.match(r"\[[\w, -]+\](  # \w)?", mark.group(1))
            above = lines[number - 1].lstrip().startswith("# ")
            if named is None or not (named.group(1) or above):
                bare.append(f"{path}:{number + 1}")
    assert bare == []


BODY = "    if x:\n        return\n"


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("def f(x):\n" + BODY * 14, False),
        ("def f(x):\n" + BODY * 15, True),
        ("def f(x):\n    def g(x):\n" + (BODY * 15).replace("    ", "        "), True),
        ("class C:\n    def f(self, a, b, c, d, e, f, g):\n        pass\n", False),
        ("class C:\n    def f(self, a, b, c, d, e, f, *, g, h):\n        pass\n", True),
    ],
)
def test_the_measure_sees_what_is_over(text: str, over: bool) -> None:
    """The measure itself: branches of inner functions count, self does not."""
    assert any(function.over for function in measured("here.py", text)) is over


def test_a_mark_is_seen_beside_and_above() -> None:
    """The mark stands on the line of `def` or on the line above it, and above decorators."""
    marked = "# complexity: a table of cases reads better whole\n"
    assert measured("here.py", marked + "@cache\ndef f(x): pass\n")[0].reason is not None
    assert measured("here.py", "def f(x):  " + marked + BODY)[0].reason is not None
    assert measured("here.py", "def f(x):\n" + BODY)[0].reason is None
