"""Framed: whether words stand in a text to work on, under a label, or in marks of irony.

"Check my grammar:", "Lyrics:" and scare quotes say that what they frame is not meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus.dream.guard.vocabulary import listed
from toolnexus.dream.speech import alike, words
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Collection

    from toolnexus.dream.sentence import Sentence
    from toolnexus.dream.token import Token

_LABEL = re.compile(r"\s*(?:[-*+]\s+)?([^\W\d_][^:\n]{0,50}?)\s*:\s")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_MARKED = re.compile(r"[\"“”„«»]([^\"“”„«»\n]{3,80})[\"“”»«]")
_LONGEST_LABEL = 6


def is_framed(sentence: Sentence, said: Token, text: str) -> bool:
    """Whether a word stands under a label or heading that says what kind of text it is.

    Args:
        sentence: The sentence that it stands in.
        said: The word.
        text: All of the turn.

    Example:
        >>> from toolnexus.dream.sentence import read_sentences
        >>> for text in ("Lyrics: I moved to Lyon", "News: I moved to Lyon"):
        ...     (sentence,) = read_sentences(text)
        ...     print(is_framed(sentence, sentence.tokens[-1], text))
        True
        False
    """
    kinds = listed("kind", sentence.language) | listed("working", sentence.language)
    line_start = text.rfind("\n", 0, said.start) + 1
    label = _LABEL.match(text, line_start, said.start)
    if label is not None:
        named = fold_words(label.group(1))
        if len(named) <= _LONGEST_LABEL and not kinds.isdisjoint(named):
            return True
    header, is_open = _header(text[:line_start])
    if is_open:
        return not kinds.isdisjoint(header)
    return not listed("working", sentence.language).isdisjoint(header)


def is_marked(sentence: Sentence, said: Token, text: str, topic: Collection[str]) -> bool:
    """Whether a word stands in quotation marks together with what the claim says of it.

    A title alone, as in 'my favourite book is now "Emma"', is no irony, nor is what the user says
    that they said.

    Args:
        sentence: The sentence that it stands in.
        said: The word.
        text: All of the turn.
        topic: The stems of what the claim says, without what would be replaced.
    """
    for match in _MARKED.finditer(text):
        if match.start() <= said.start < match.end():
            before = fold_words(text[sentence.start : match.start()])
            if not words("telling", sentence.language).isdisjoint(before):
                return False
            same = alike(sentence.language)
            marked = map(stem, fold_words(match.group(1)))
            return any(same.get(word, word) in topic for word in marked)
    return False


def _header(before: str) -> tuple[list[str], bool]:
    """Return the words of the line over a passage, items left out, and whether a colon opens it."""
    for line in reversed(before.splitlines()):
        if not line.strip() or _ITEM.match(line):
            continue
        return fold_words(line), line.rstrip().endswith(":")
    return [], False
