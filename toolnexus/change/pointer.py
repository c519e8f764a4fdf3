"""Pointers: short claims that say nothing but where the detail is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.text.fold import fold_claim
from toolnexus.text.lexicon import LANGUAGES, negations

if TYPE_CHECKING:
    from collections.abc import Iterable

_WIKI = re.compile(
    r"!?\[\[(?P<target>[^\[\]|#\\]*)(?:#[^\[\]|\\]*)?(?:\\?\|(?P<label>[^\[\]]*))?\]\]"
)
_MARKDOWN = re.compile(r"\[(?P<label>[^\[\]]*)\]\((?P<target>[^()\s]*)\)")
_WORD = re.compile(r"[\w'’-]+")
_STATEMENT = 2
"""So many words may state something; fewer only name it."""


def is_pointer(text: str, said: Iterable[str]) -> bool:
    """Whether a claim is a link with nothing beside it but words that are said elsewhere.

    Args:
        text: The claim's text.
        said: What it may repeat a run of: the linked note's title, the claims that went there.
            A link's own target is always among it.

    Example:
        >>> is_pointer("Travel: [[travel]]", ["Travel"])
        True
        >>> is_pointer("Never flies: [[travel]]", ["Travel", "Flies often"])
        False
        >>> is_pointer("Eats nuts: [[food]]", ["Food", "Never eats nuts"])
        False
    """
    targets: list[str] = []
    labels: list[str] = []

    def note_link(match: re.Match[str]) -> str:
        target = match["target"].rsplit("/", 1)[-1].removesuffix(".md")
        targets.append(target.replace("-", " ").replace("_", " "))
        labels.append(match["label"] or "")
        return " \x00 "

    rest = _MARKDOWN.sub(note_link, _WIKI.sub(note_link, text))
    if not targets:
        return False
    runs = [words_of(run) for run in [*rest.split("\x00"), *labels]]
    sources = [words_of(source) for source in [*said, *targets]]
    return all(not run or any(_repeats(run, source) for source in sources) for run in runs)


def words_of(text: str) -> tuple[str, ...]:
    """Return a text's folded words in order."""
    return tuple(_WORD.findall(fold_claim(text)))


def _repeats(run: tuple[str, ...], source: tuple[str, ...]) -> bool:
    """Whether a run says what its source says: "eats nuts" leaves the "never" of a claim out."""
    if not _is_run(run, source):
        return False
    return len(run) < _STATEMENT or _negations(run) == _negations(source)


def _negations(folded: tuple[str, ...]) -> int:
    return sum(
        word.endswith(("n't", "n’t")) or any(word in negations(each) for each in LANGUAGES)
        for word in folded
    )


def _is_run(run: tuple[str, ...], source: tuple[str, ...]) -> bool:
    width = len(run)
    return any(source[at : at + width] == run for at in range(len(source) - width + 1))
