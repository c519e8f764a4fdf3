"""The house's own habits, held: sizes, docstrings, names, and what a start may load."""

from __future__ import annotations

import ast
import gc
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(ROOT.glob("toolnexus/**/*.py"))
TESTS = sorted(ROOT.glob("tests/**/test_*.py"))
MODULE_LINES = 400
FUNCTION_LINES = 50
HEAVY = ("chromadb", "httpx", "litellm", "markdown_it", "numpy", "onnxruntime", "wordllama", "yaml")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Outline:
    """What the habits need to know of a file: its tree is large, and is let go at once.

    Attributes:
        says: The module's docstring.
        functions: Where each function is, its name, its lines of code and its docstring.
        bare: The public classes, functions and methods without a docstring.
        sleepers: Where it waits for time to pass.
    """

    says: str | None
    functions: tuple[tuple[str, str, int, str | None], ...]
    bare: tuple[str, ...]
    sleepers: tuple[str, ...]


@cache
def outline_of(path: Path) -> Outline:
    """Read a file's outline; no garbage is sought while its tree grows, a third of the time."""
    gc.disable()
    try:
        tree = ast.parse(path.read_text("utf-8"))
        nodes = list(ast.walk(tree))
        return Outline(
            ast.get_docstring(tree),
            tuple(
                (named(path, node), node.name, code_lines(node), ast.get_docstring(node))
                for node in nodes
                if isinstance(node, Function)
            ),
            tuple(named(path, node) for node in public_nodes(tree.body) if not is_documented(node)),
            tuple(named(path, node) for node in nodes if is_sleep(node)),
        )
    finally:
        gc.enable()


def is_sleep(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in {"time.sleep", "sleep"}


def named(path: Path, node: ast.AST | None = None) -> str:
    where = path.relative_to(ROOT).as_posix()
    if node is None:
        return where
    return f"{where}:{getattr(node, 'lineno', 0)} {getattr(node, 'name', '')}"


def code_lines(function: Function) -> int:
    """Count a function's lines, its docstring left out: what it does has to be short."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def public_nodes(body: list[ast.stmt], owner: str = "") -> list[ast.ClassDef | Function]:
    """List the public classes and functions of a module, and the public methods of its classes."""
    found: list[ast.ClassDef | Function] = []
    for node in body:
        if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
            continue
        found.append(node)
        if isinstance(node, ast.ClassDef):
            found += public_nodes(node.body, node.name)
    return found


def is_documented(node: ast.ClassDef | Function) -> bool:
    """Whether a node has a docstring, or is one of a set whose first one speaks for all."""
    says = ast.get_docstring(node) is not None
    marks = {getattr(mark, "id", getattr(mark, "attr", "")) for mark in node.decorator_list}
    return says or bool(marks & {"overload", "override", "setter"})


def tracked_files() -> list[Path]:
    """List the files that git has, or all files of the project's folders without git."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 0 and done.stdout:
        return [
            path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()
        ]
    folders = ("toolnexus", "tests", "docs", "personas", "benchmarks")
    return [path for name in folders for path in (ROOT / name).rglob("*") if path.is_file()]


def texts() -> list[tuple[Path, str]]:
    """Return the tracked files that are text, this one left out."""
    here = Path(__file__).resolve()
    found = []
    for path in tracked_files():
        data = path.read_bytes()
        if path.resolve() != here and b"\0" not in data:
            found.append((path, data.decode("utf-8", "replace")))
    return found


def test_modules_are_short():
    """No module has 400 lines: one that nears them holds a noun that wants a module of its own."""
    lengths = {named(path): path.read_text("utf-8").count("\n") for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length >= MODULE_LINES} == {}


def test_functions_are_short():
    """No function has 50 lines, its docstring not counted."""
    long = {
        where: lines
        for path in SOURCES
        for where, _, lines, _ in outline_of(path).functions
        if lines >= FUNCTION_LINES
    }
    assert long == {}


def test_everything_public_is_documented():
    """Each module and each public class, function and method says what it is."""
    bare = [named(path) for path in SOURCES if outline_of(path).says is None]
    assert [*bare, *(where for path in SOURCES for where in outline_of(path).bare)] == []


def test_every_test_says_what_it_proves():
    """Each test has a docstring of one sentence, which ends with a full stop."""
    vague = [
        where
        for path in TESTS
        for where, name, _, says in outline_of(path).functions
        if name.startswith("test_") and not is_one_sentence(says)
    ]
    assert vague == []


def is_one_sentence(text: str | None) -> bool:
    return text is not None and text.endswith(".") and not re.search(r"[.!?]\s+[A-Z]", text)


def test_test_files_have_names_of_their_own():
    """No two test files are called alike: without packages pytest could not import both."""
    names = Counter(path.name for path in ROOT.glob("tests/**/*.py") if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []


def test_nothing_is_left_for_later():
    """No file speaks of work that is still to do: what is written down here is done."""
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|\braise NotImplementedError\b")
    left = [
        f"{named(path)}: {found[0]}"
        for path, text in texts()
        if path.suffix in {".py", ".md", ".toml", ".yaml"} and (found := marks.search(text))
    ]
    assert left == []


def test_no_test_sleeps():
    """No test or double of ours waits for time to pass."""
    files = ROOT.glob("tests/**/*.py")
    assert [where for path in files for where in outline_of(path).sleepers] == []


def test_no_file_knows_the_machine_it_was_written_on():
    """No tracked file holds the path of a checkout, an environment or somebody's folder."""
    here = [re.escape(str(place)[1:]) for place in (ROOT, Path.home()) if len(place.parts) > 2]
    places = re.compile(rf"(?<![\w.}}*)-])/(?:{'|'.join(['root', 'work', 'Users', *here])})/\w+")
    told = [
        f"{named(path)}: {found[0]}" for path, text in texts() for found in places.finditer(text)
    ]
    assert told == []


@pytest.mark.parametrize("module", ["toolnexus", "toolnexus.cli.main", "toolnexus.app"])
def test_an_import_loads_nothing_heavy(module):
    """Importing the package, its command line or its API brings no vendor in."""
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & set(HEAVY)
