"""Example cases: a small home, the commands to run on it, and what must be true afterwards.

A case is a folder below ``tests/cases`` with a ``case.yaml`` and, for most, a ``home/``. Its steps:

- ``run``: a command line, with ``{home}``, ``{work}`` and ``{pass}`` (the last dream's id) filled
  in. ``exit`` is its code (0 where absent), ``json`` holds dotted paths into its document,
  ``stdout`` and ``stderr`` what they contain and lack.
- ``write``: an edit by hand, of `path` to `text`.
- ``expect``: ``files`` (contains, matches, lines_max), ``somewhere``, ``unchanged`` since the case
  began, ``same_as_before`` the last command.
"""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatch
from pathlib import Path
from shutil import copytree

import pytest

from toolnexus import safe_yaml

CASES = Path(__file__).parents[1] / "cases"


class Case:
    """One case on its way through its steps."""

    def __init__(self, folder, shell):
        self.spec = safe_yaml.load((folder / "case.yaml").read_text())
        self.shell = shell
        self.home = shell.folder / "home"
        if (folder / "home").is_dir():
            copytree(folder / "home", self.home)
        self.original = self.before = self.files()
        self.last_pass = ""

    def files(self):
        """Return the home's files, our own state left out."""
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes()
            for path in self.home.rglob("*")
            if path.is_file() and ".toolnexus" not in path.parts
        }

    def run(self, step):
        """Run a command and hold its result against what the step says."""
        self.before = self.files()
        line = step["run"]
        for name, value in (
            ("home", self.home),
            ("work", self.shell.folder),
            ("pass", self.last_pass),
        ):
            line = line.replace(f"{{{name}}}", str(value))
        ran = self.shell.run(*shlex.split(line)[1:])
        assert ran.code == step.get("exit", 0), ran.err + ran.out
        for stream, text in (("stdout", ran.out), ("stderr", ran.err)):
            rule = step.get(stream, {})
            assert [want for want in rule.get("contains", []) if want not in text] == [], text
            assert [ban for ban in rule.get("lacks", []) if ban in text] == [], text
        if "--json" in line:
            document = json.loads(ran.out)
            self.last_pass = document.get("pass") or self.last_pass
            for path, wanted in step.get("json", {}).items():
                assert dig(document, path) == wanted, f"{path} of {ran.out}"

    def write(self, edit):
        """Edit a file as a person would."""
        (self.home / edit["path"]).write_text(edit["text"])

    def expect(self, rules):
        """Look at the home as it is now."""
        now = self.files()
        for path, rule in rules.get("files", {}).items():
            check_file(now[path].decode(), rule)
        everything = "\n".join(
            d.decode("utf-8", "replace") for p, d in now.items() if p[-3:] == ".md"
        )
        assert [want for want in rules.get("somewhere", []) if want not in everything] == []
        for patterns, past in (
            (rules.get("unchanged", []), self.original),
            (rules.get("same_as_before", []), self.before),
        ):
            for path in {p for p in (*past, *now) for pattern in patterns if fnmatch(p, pattern)}:
                assert now.get(path) == past.get(path), path


def check_file(text, rule):
    for want in rule.get("contains", []):
        assert want in text, text
    for pattern in rule.get("matches", []):
        assert re.search(pattern, text), text
    assert text.count("\n") <= rule.get("lines_max", text.count("\n"))


def dig(document, path):
    for key in path.split("."):
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


@pytest.mark.parametrize("name", sorted(path.parent.name for path in CASES.glob("*/case.yaml")))
def test_case(shell, name):
    """Each step of the case does what the case says."""
    case = Case(CASES / name, shell)
    for step in case.spec["steps"]:
        for verb in ("run", "write", "expect"):
            if verb in step:
                getattr(case, verb)(step if verb == "run" else step[verb])
