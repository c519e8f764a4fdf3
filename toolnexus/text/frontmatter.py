"""The YAML block at a file's top: reading it, and changing one key while every other byte stays."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnexus import safe_yaml
from toolnexus.text.lines import detect_newline
from toolnexus.text.types import FrontMatter, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Scalar = str | bool | int | float

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r|\Z)")
# No indicator in front, no `: ` or ` #` within, nothing that a flow list would end at.
_PLAIN = re.compile(r"[^\W_](?:[\w ./()+@'&–—-]*[\w./()+@&-])?")
# Text to us, but true or false to readers of YAML 1.1: written in quotes.
_YAML_1_1_BOOLS = frozenset({"y", "n", "yes", "no", "on", "off"})
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)


def read_front_matter(text: str) -> tuple[FrontMatter, tuple[Problem, ...]]:
    r"""Read the front matter of a file's text.

    An opening ``---`` without a closing ``---`` or ``...`` is a rule in the text, not front matter.
    What cannot be read is a `Problem` of rule ``bad-front-matter``; the body still begins behind
    the closing line.

    Example:
        >>> front, problems = read_front_matter("---\ntitle: Trips\n---\nBody")
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


def is_unclosed(text: str) -> bool:
    r"""Whether a text begins as front matter does, and no line closes that.

    To all who read it it is a rule and words; whoever adds a ``---`` line below makes front matter
    of it, or part of it.

    Example:
        >>> is_unclosed("---\ntitle: Trips\n"), is_unclosed("---\ntitle: Trips\n---\n")
        (True, False)
    """
    opening = _OPENING.match(text)
    return opening is not None and find_closing(text, opening.end()) is None


def render_front_matter(fields: Mapping[str, Scalar | Sequence[str]]) -> str:
    r"""Write front matter that is read back as it is given, a key a line.

    Example:
        >>> render_front_matter({"title": "Tea: green", "tags": ["drinks"]})
        '---\ntitle: "Tea: green"\ntags: [drinks]\n---\n'
    """
    lines = [f"{_scalar(key)}: {_flow(value)}" for key, value in fields.items()]
    return "\n".join(("---", *lines, "---", ""))


def set_field(text: str, key: str, value: Scalar | Sequence[str]) -> str:
    r"""Return the text with one key of its front matter set; every other byte stays.

    Comments, key order, line endings and the style of a list (``[…]`` or lines) stay. Front matter
    is made where there is none.

    Raises:
        ValueError: when the front matter cannot be read, or this key cannot be set without
            touching another one.

    Example:
        >>> set_field("---\ntitle: Trips # ours\n---\nBody", "title", "Journeys")
        '---\ntitle: Journeys # ours\n---\nBody'
    """
    front, problems = read_front_matter(text)
    if problems:
        raise ValueError(problems[0].message)
    newline = detect_newline(text)
    if front.end == front.start:
        block = newline.join(("---", f"{_scalar(key)}: {_flow(value)}", "---", ""))
        return text[: front.start] + block + text[front.start :]
    start, end = _block(text, front)
    source = text[start:end]
    spans = safe_yaml.value_spans(source)
    if (key,) in spans:
        patched = _patch(source, spans, key, value, newline)
    else:
        patched = _add(source, spans, f"{_scalar(key)}: {_flow(value)}", newline)
    return _checked(text, front, text[:start] + patched + text[end:], key, value)


def append_to_list(text: str, key: str, items: Sequence[str]) -> str:
    r"""Return the text with further entries in a list of its front matter; known ones stay alone.

    A single value becomes the list's first entry, an absent key a new list.

    Raises:
        ValueError: as `set_field` does, and when the key holds no list of plain values.

    Example:
        >>> append_to_list("---\naliases: [trips]\n---\n", "aliases", ["trips", "travel"])
        '---\naliases: [trips, travel]\n---\n'
    """
    front, problems = read_front_matter(text)
    if problems:
        raise ValueError(problems[0].message)
    current = front.fields.get(key)
    if isinstance(current, dict):
        raise ValueError(f"`{key}` of the front matter holds no list")  # noqa: TRY004 - user data
    known = current if isinstance(current, list) else [] if current is None else [current]
    new = [item for item in dict.fromkeys(items) if item not in known]
    if not new:
        return text
    if not known or not isinstance(current, list):
        return set_field(text, key, [*(str(each) for each in known), *new])
    start, end = _block(text, front)
    source = text[start:end]
    spans = safe_yaml.value_spans(source)
    last = spans[(key, str(len(known) - 1))]
    at = last.end
    if spans[(key,)].style == "flow":
        addition = "".join(f", {_scalar(item)}" for item in new)
    else:
        newline = detect_newline(text)
        line_start = source.rfind("\n", 0, spans[(key,)].start) + 1
        indent = source[line_start : spans[(key,)].start]
        addition = "".join(f"{newline}{indent}- {_scalar(item)}" for item in new)
        # Behind a comment on the last entry's line.
        at = _line_end(source, at)
    patched = source[:at] + addition + source[at:]
    return _checked(text, front, text[:start] + patched + text[end:], key, [*known, *new])


def find_closing(text: str, start: int) -> tuple[int, int] | None:
    """Return where the closing line begins and where the next one does; None when it is absent."""
    closing = _CLOSING.search(text, start)
    return None if closing is None else closing.span()


def _block(text: str, front: FrontMatter) -> tuple[int, int]:
    """Return the span of the YAML between the two ``---`` lines."""
    opening = _OPENING.match(text)
    assert opening is not None
    closing = find_closing(text, opening.end())
    assert closing is not None
    assert closing[1] == front.end
    return opening.end(), closing[0]


def _patch(
    source: str,
    spans: dict[tuple[str, ...], safe_yaml.Span],
    key: str,
    value: Scalar | Sequence[str],
    newline: str,
) -> str:
    span = spans[(key,)]
    end = len(source[: span.end].rstrip("\r\n")) if span.style != "flow" else span.end
    if not isinstance(value, Scalar) and value and (key, "0") in spans and span.style == "block":
        line_start = source.rfind("\n", 0, span.start) + 1
        indent = source[line_start : span.start]
        written = f"{newline}{indent}".join(f"- {_scalar(item)}" for item in value)
        return source[: span.start] + written + source[end:]
    written = _flow(value)
    between = source[span.key_end : span.start]
    if span.start == span.end or "\n" in between or "\r" in between:
        # A value that is absent or begins on a later line: write from the colon on.
        at = source.index(":", span.key_end) + 1
        if span.start == span.end:
            return f"{source[:at]} {written}{source[at:]}"
        return f"{source[:at]} {written}{source[end:]}"
    return source[: span.start] + written + source[max(end, span.start) :]


def _add(source: str, spans: dict[tuple[str, ...], safe_yaml.Span], line: str, newline: str) -> str:
    root = spans.get(())
    indent = ""
    if root is not None and root.style == "block":
        indent = source[source.rfind("\n", 0, root.start) + 1 : root.start]
    gap = "" if not source or source.endswith(("\n", "\r")) else newline
    return f"{source}{gap}{indent}{line}{newline}"


def _checked(
    text: str, front: FrontMatter, result: str, key: str, value: Scalar | Sequence[object]
) -> str:
    """Return the result if it says what it should: a patch that touches another key is refused."""
    expected: object = value if isinstance(value, Scalar) else list(value)
    after, problems = read_front_matter(result)
    same_body = result[after.end :] == text[front.end :]
    if problems or not same_body or after.fields != {**front.fields, key: expected}:
        raise ValueError(f"`{key}` of the front matter cannot be set without touching more than it")
    return result


def _line_end(source: str, at: int) -> int:
    ends = [found for mark in "\r\n" if (found := source.find(mark, at)) >= 0]
    return min(ends, default=len(source))


def _flow(value: Scalar | Sequence[str]) -> str:
    if isinstance(value, Scalar):
        return _scalar(value)
    return f"[{', '.join(_scalar(item) for item in value)}]"


@lru_cache(maxsize=1024, typed=True)
def _scalar(value: Scalar) -> str:
    """Write a value so that it is read back as it was: plain where that is certain, else quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    is_trap = value.lower() in _YAML_1_1_BOOLS
    if not is_trap and _PLAIN.fullmatch(value) and safe_yaml.load(f"- {value}") == [value]:
        return value
    return f'"{"".join(_quoted(char) for char in value)}"'


def _quoted(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def _bad(message: str, line: int) -> Problem:
    return Problem(
        "bad-front-matter",
        line,
        f"the front matter cannot be read: {message}",
        "correct the YAML between the `---` lines; the text below it is read all the same",
    )
