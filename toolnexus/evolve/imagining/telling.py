"""Telling: an idea in a sentence, made by rule of what its notes share."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from toolnexus.evolve.imagining.material import as_written, texts_of
from toolnexus.text.lexicon import fold_words, guess_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.evolve.imagining.idea import Idea
    from toolnexus.home.snapshot import Snapshot

TITLE_CHARS = 60
_MARKUP = re.compile(r"[\[\]<>`*_|#\\^~{}\x00-\x1f\x7f]+")


def tell(home: Snapshot, idea: Idea) -> str:
    """Tell an idea in the language of its notes; the sentence says that it is a guess."""
    told = [texts_of(home.notes[piece.path]) for piece in idea.sources]
    language = guess_language(fold_words(" ".join(text for texts in told for text in texts)))
    words = words_of(home, idea)
    what = "question" if idea.phase == "divergence" and not words else idea.phase
    return sentences()[language, what].format(
        titles=_listed([f"“{plain(piece.title)}”" for piece in idea.sources], language),
        words=_listed(words, language),
        topics=_listed([plain(topic) for topic in idea.topics], language),
    )


def words_of(home: Snapshot, idea: Idea) -> tuple[str, ...]:
    """Return the words that an idea's notes share, as the first of them writes them."""
    texts = [text for piece in idea.sources for text in texts_of(home.notes[piece.path])]
    return tuple(plain(as_written(term, texts)) for term in idea.terms)


def plain(text: str) -> str:
    """Reduce a title or tag to words: nothing in it can be taken for markup or a link.

    Example:
        >>> plain("[[tea]] <!-- keep -->  and *cups*")
        'tea !-- keep -- and cups'
    """
    flat = " ".join(_MARKUP.sub(" ", text).split())
    return flat if len(flat) <= TITLE_CHARS else f"{flat[: TITLE_CHARS - 1]}…"


@cache
def sentences() -> dict[tuple[str, str], str]:
    """Return the sentences by language and by what they tell."""
    source = files(__package__) / "data" / "sentences.txt"
    lines = source.read_text(encoding="utf-8").splitlines()
    rows = (line.split(" ", 2) for line in lines if line and not line.startswith("#"))
    return {(language, what): sentence for language, what, sentence in rows}


def _listed(words: Sequence[str], language: str) -> str:
    """Write several in a row: ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {sentences()[language, 'and']} {words[-1]}"
