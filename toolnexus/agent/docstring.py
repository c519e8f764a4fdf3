"""Docstrings in Google's style, read for what a model should know of a function."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SECTION = re.compile(r"(?:Args|Arguments|Returns|Yields|Raises|Example|Examples|Note|Notes):\s*$")
_ARGUMENT = re.compile(r"(?P<indent> +)\*{0,2}(?P<name>\w+)(?: *\([^)]*\))?: *(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """What a docstring says.

    Attributes:
        description: All before the first section, paragraphs parted by blank lines.
        arguments: What its ``Args`` section says of each argument.
    """

    description: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


def parse_docstring(text: str | None) -> Docstring:
    r"""Read a docstring; there is none that it cannot read.

    Example:
        >>> parse_docstring("Waters.\n\nArgs:\n    plant: Which one.").arguments
        {'plant': 'Which one.'}
    """
    lines = inspect.cleandoc(text or "").splitlines()
    sections = [n for n, line in enumerate(lines) if _SECTION.match(line)]
    description = lines[: sections[0]] if sections else lines
    arguments: dict[str, str] = {}
    ends = [*sections, len(lines)][1:]
    for start, end in zip(sections, ends, strict=True):
        if lines[start].startswith("Arg"):
            arguments |= _parse_arguments(lines[start + 1 : end])
    return Docstring("\n".join(description).strip(), arguments)


def _parse_arguments(lines: list[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    indent, name = "", ""
    for line in lines:
        match = _ARGUMENT.match(line)
        if match and (not indent or match["indent"] == indent):
            indent, name = match["indent"], match["name"]
            found[name] = [match["text"]]
        elif name and line.strip():
            found[name].append(line.strip())
    return {name: " ".join(parts).strip() for name, parts in found.items()}
