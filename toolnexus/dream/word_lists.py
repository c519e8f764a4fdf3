"""Word lists: data files with headings in brackets, one file a language."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.text.lexicon import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def sections(package: str, name: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of a language's file by their heading, folded; comments are left out.

    Args:
        package: The package whose ``data`` holds the file.
        name: How the file's name begins.
        language: One of ``en de fr es pt``; any other has none.
    """
    if language not in LANGUAGES:
        return {}
    source = files(package) / "data" / f"{name}.{language}.txt"
    found: dict[str, tuple[str, ...]] = {}
    heading = ""
    for line in source.read_text(encoding="utf-8").casefold().splitlines():
        if line.startswith("["):
            heading = line.strip("[] ")
        elif line and not line.startswith("#"):
            found[heading] = (*found.get(heading, ()), line)
    return found


@cache
def phrases(package: str, name: str, language: str, heading: str) -> frozenset[str]:
    """Return the words and phrases, parted by commas, under a heading of a language's file.

    Example:
        >>> "if" in phrases("toolnexus.dream", "speech", "en", "hypothetical")
        True
    """
    lines = sections(package, name, language).get(heading, ())
    return frozenset(word.strip() for line in lines for word in line.split(",") if word.strip())


@cache
def pattern_of(listed: frozenset[str]) -> re.Pattern[str]:
    """Return what finds phrases in folded words, which blanks part and surround; the longest first.

    Example:
        >>> pattern_of(frozenset({"used to"})).findall(" i used to run ")
        ['used to']
    """
    either = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    return re.compile(rf"(?<= )(?:{either or '(?!)'})(?= )")
