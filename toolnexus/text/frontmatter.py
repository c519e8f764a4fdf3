"""The YAML block at a file's top: reading it, and changing one key while every other byte stays."""

from __future__ import annotations

import re

from toolnexus import safe_yaml
from toolnexus.text.types import FrontMatter, Problem

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)


def read_front_matter(text: str) -> tuple[FrontMatter, tuple[Problem, ...]]:
    """Read the front matter of a file's text.

    An opening ``---`` without a closing ``---`` or ``...`` is a rule in the text, not front matter.
    What cannot be read is a `Problem` of rule ``bad-front-matter``; the body still begins behind
    the closing line.

    Example:
        >>> front, problems = read_front_matter("---\\ntitle: Trips\\n---\\nBody")
        >>> front.fields, front.end, problems
        ({'title': 'Trips'}, 21, ())
    """
    start = 1 if text.startswith("\ufeff") else 0
    opening = _OPENING.match(text)
    closing = None if opening is None else find_closing(text, opening.end())
    if opening is None or closing is None:
        return FrontMatter(start, start), ()
    source = text[opening.end() : closing[0]]
    try:
        fields = safe_yaml.load(source)
    except safe_yaml.YamlProblem as problem:
        return FrontMatter(start, closing[1]), (_bad(problem.message, problem.line + 1),)
    if fields is None:
        fields = {}
    if not isinstance(fields, dict):
        return FrontMatter(start, closing[1]), (_bad("front matter must be `key: value` lines", 2),)
    return FrontMatter(start, closing[1], fields), ()


def find_closing(text: str, start: int) -> tuple[int, int] | None:
    """Return where the closing line begins and where the next one does; None when it is absent."""
    closing = _CLOSING.search(text, start)
    return None if closing is None else closing.span()


def _bad(message: str, line: int) -> Problem:
    return Problem(
        "bad-front-matter",
        line,
        f"the front matter cannot be read: {message}",
        "correct the YAML between the `---` lines; the text below it is read all the same",
    )
