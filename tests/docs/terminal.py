"""A terminal for the documents: runs the lines of their blocks in a folder of its own."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from documents import ROOT

from toolnexus.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXIT = re.compile(r"\s+# exit (\d+)$")
_VOLATILE = (
    (re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{4}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"^[01]\.\d\d(?=  )", re.MULTILINE), "SCORE"),
)
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


class Terminal:
    """Runs what a reader would type, in the current folder and as far as possible in process.

    Known are ``toolnexus`` and ``git apply`` (run), ``echo …`` (done, also to a pipe), ``make``,
    ``pip install``, ``git clone`` and ``cd``, which are held against what the project has.
    """

    def __init__(self) -> None:
        self._names: dict[str, object] = {"__name__": "__main__"}

    def run(self, line: str) -> str:
        """Run one line of a shell block; return what it printed."""
        wanted = int(found[1]) if (found := _EXIT.search(line)) else 0
        words = shlex.split(line, comments=True)
        if not words:
            return ""
        words, target, mode = _redirection(words)
        code, out = 0, ""
        for part in _piped(words):
            with _standard_input(out):
                code, out = self._start([str(Path(word).expanduser()) for word in part])
        assert code == wanted, f"{line} ended with {code}: {out}"
        if target is None:
            return out
        with Path(target).open(mode) as file:
            file.write(out)
        return ""

    def run_python(self, code: str) -> str:
        """Run a block of Python, with the names of the blocks before it; return its output."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, self._names)
        return out.getvalue()

    def _start(self, words: list[str]) -> tuple[int, str]:
        match words:
            case ["toolnexus", *arguments]:
                return _run_toolnexus(arguments)
            case ["echo", *said]:
                return 0, " ".join(said) + "\n"
            case ["git", "apply", *_]:
                done = subprocess.run(words, check=False, capture_output=True, text=True)
                return done.returncode, done.stdout + done.stderr
            case ["make", *targets]:
                assert set(targets) <= _TARGETS, f"the Makefile lacks one of {targets}"
            case ["pip", "install", *packages]:
                _check_packages([name for name in packages if not name.startswith("-")])
            case ["git", "clone", *_] | ["cd", _]:
                pass
            case _:
                raise AssertionError(f"no reader of ours knows how to run: {shlex.join(words)}")
        return 0, ""


def missing_from(out: str, shown: str) -> str:
    """Return what a document shows of an output that is not there; empty when all of it is.

    ``…`` stands for any text in a line, and alone on a line for any number of lines. Ids, times
    and scores count as equal.
    """
    lines = _steady(out).rstrip("\n").split("\n")
    pieces = re.split(r"^…\n", _steady(shown).rstrip("\n") + "\n", flags=re.MULTILINE)
    at = 0
    for number, piece in enumerate(pieces):
        wanted = piece.removesuffix("\n").split("\n") if piece else []
        last = len(lines) - len(wanted)
        is_end = number == len(pieces) - 1 and bool(wanted)
        first = at if number == 0 else last if is_end else None
        places = range(at, last + 1) if first is None else [first] if at <= first <= last else []
        found = next((place for place in places if _stands_at(wanted, lines, place)), None)
        if found is None:
            return piece
        at = found + len(wanted)
    return "" if not pieces[-1] or at == len(lines) else "\n".join(lines[at:])


def _stands_at(wanted: list[str], lines: list[str], place: int) -> bool:
    """Whether some lines stand one after the other from a place on."""
    patterns = (".*".join(re.escape(part) for part in line.split("…")) for line in wanted)
    there = lines[place : place + len(wanted)]
    return all(re.fullmatch(pattern, line) for pattern, line in zip(patterns, there, strict=True))


def _run_toolnexus(arguments: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue() or ("" if code == 0 else err.getvalue())


def _check_packages(packages: list[str]) -> None:
    for package in packages:
        name, _, extras = package.removesuffix("]").partition("[")
        assert name in {".", _PROJECT["name"]}, package
        assert set(filter(None, extras.split(","))) <= set(_PROJECT["optional-dependencies"])


def _piped(words: list[str]) -> list[list[str]]:
    """Part the commands of a pipe."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


@contextlib.contextmanager
def _standard_input(text: str) -> Iterator[None]:
    """Have a text on standard input."""
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before


def _redirection(words: list[str]) -> tuple[list[str], str | None, str]:
    """Part a command from the file that its output goes to."""
    if len(words) > 2 and words[-2] in {">", ">>"}:
        return words[:-2], words[-1], "w" if words[-2] == ">" else "a"
    return words, None, "w"


def _steady(text: str) -> str:
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text
