"""A person's words as a full-text query. Pure, and never a syntax error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.transcripts.stop_words import STOP_WORDS
from toolnexus.transcripts.words import searchable, split_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A long text as a query is judged by its first words; the engine bounds its expressions too.
_TERMS_CAP = 48
_QUOTED = re.compile(r'["“”„«»]([^"“”„«»]*)["“”„«»]')
# What holds an identifier, a date, an address or a contraction together: AB-1234, don't, a@b.org.
_JOINED = re.compile(r"\w+(?:[-'’.@:/+]+\w+)*")
_QUOTE_MARK = re.compile('["“”„«»]')
_UNSAFE = re.compile(r"[\x00-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for; each term is quoted for the full-text engine.

    Attributes:
        phrases: What stood in quotation marks: all must be there, word by word.
        words: The other words that say something; stop words only when there is nothing else.
    """

    phrases: tuple[str, ...]
    words: tuple[str, ...]

    def with_all(self, words: Iterable[str]) -> str:
        """Return the expression that asks for the phrases and all of some words."""
        return " AND ".join((*self.phrases, *words))

    def with_any(self, words: Iterable[str]) -> str:
        """Return the expression that asks for the phrases and any of some words."""
        any_word = " OR ".join(words)
        return " AND ".join((*self.phrases, f"({any_word})")) if any_word else self.with_all(())

    def with_anything(self) -> str:
        """Return the expression that asks for any phrase, word or part of a joined word."""
        parts = (part for word in self.words for part in parts_of(word))
        return " OR ".join(_unique((*self.phrases, *self.words, *parts)))


def parse_query(text: str) -> Query:
    """Read a query as a person types it.

    Example:
        >>> parse_query('where is the "spare key"?')
        Query(phrases=('"spare key"',), words=())
        >>> parse_query("AB-1234 AND (").words
        ('"AB-1234"',)
    """
    text = _UNSAFE.sub(" ", text)
    phrases = _unique(_quote(match[1]) for match in _QUOTED.finditer(text) if _has_word(match[1]))
    rest = _QUOTED.sub(" ", text)
    found = [part for word in _JOINED.findall(rest) for part in split_unspaced(word)]
    words = [word for word in found if _has_word(word)]
    telling = [word for word in words if word.casefold() not in STOP_WORDS]
    if not telling and not phrases:
        telling = words
    return Query(phrases, _unique(map(_quote, telling)))


def parse_words(text: str) -> tuple[str, ...]:
    """Read a text that was not written as a query: its words, quotation marks without a meaning.

    Example:
        >>> parse_words('He calls it "the den".')
        ('"calls"', '"den"')
    """
    return parse_query(_QUOTE_MARK.sub(" ", text)).words


def parts_of(term: str) -> tuple[str, ...]:
    """Return the words that a joined term is made of, for when the whole is nowhere.

    Example:
        >>> parts_of('"spare-key"'), parts_of('"key"')
        (('"spare"', '"key"'), ())
    """
    parts = [part for part in re.findall(r"[^\W_]+", term) if part.casefold() not in STOP_WORDS]
    return _unique(_quote(part) for part in parts if len(part) > 1) if len(parts) > 1 else ()


def _has_word(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _quote(text: str) -> str:
    return '"' + searchable(" ".join(text.split())) + '"'


def _unique(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(_first_of_each(terms))[:_TERMS_CAP]


def _first_of_each(terms: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for term in terms:
        folded = term.casefold()
        if folded not in seen:
            seen.add(folded)
            yield term
