"""A query as a person types it, read: its words, its exact parts, and so its shape."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from toolnexus.index.words import STOP_WORDS, content_words, fold, identifiers, keys, squash, words

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape = Literal["exact", "mixed", "prose"]
MAX_TERMS = 24
_QUOTED = re.compile(
    r"\"([^\"]{1,400})\"|“([^”]{1,400})”|„([^“”]{1,400})[“”]|«([^»]{1,400})»"
    r"|\[\[([^\[\]|#]{1,400})[^\[\]]{0,400}\]\]"
)
_CAPITAL = re.compile(r"(?<![.!?\w])(?<!^)\b([A-Z][a-z]+)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Query:
    """What a query asks for.

    Attributes:
        text: Its text, without what no text can hold.
        terms: Its words, folded, each once, without stop words.
        phrases: What stands in quotes or wiki brackets, as words in a row.
        keys: The keys of its identifiers, numbers and dates.
        partial: The terms that are but parts of an identifier or a phrase, and say little alone.
        names: The terms that are written like names.
    """

    text: str
    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    keys: tuple[str, ...] = ()
    partial: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    @property
    def blank(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.terms or self.keys)

    def read_as(self, corrections: Mapping[str, str]) -> Query:
        """Return the query with its misspelt words replaced.

        Example:
            >>> parse_query("my passprot").read_as({"passprot": "passport"}).terms
            ('passport',)
        """
        if not corrections:
            return self
        return replace(self, terms=tuple(corrections.get(term, term) for term in self.terms))


def parse_query(text: str) -> Query:
    """Read a query; there is no text that it cannot read.

    Example:
        >>> query = parse_query('who flies "window seat" on LH-1234?')
        >>> query.terms, query.phrases, query.keys
        (('flies', 'window', 'seat', 'lh', '1234'), (('window', 'seat'),), ('lh1234',))
    """
    clean = _CONTROL.sub(" ", text)
    quoted = ["".join(groups) for groups in _QUOTED.findall(clean)]
    phrases = tuple(dict.fromkeys(tuple(words(part)) for part in quoted if words(part)))
    shouting = clean.isupper()
    exact = [] if shouting else identifiers(clean)
    exact += [token for token in clean.split() if shouting and any(map(str.isdigit, token))]
    slugs = [squash(groups[-1]) for groups in _QUOTED.findall(clean) if groups[-1]]
    found = keys(clean.lower() if shouting else clean)
    partial = {word for token in [*exact, *quoted] for word in words(token)}
    return Query(
        text=clean.strip(),
        terms=tuple(content_words(clean)[:MAX_TERMS]),
        phrases=phrases,
        keys=tuple(dict.fromkeys([*slugs, *found]))[:MAX_TERMS],
        partial=frozenset(partial),
        names=frozenset(fold(name) for name in _CAPITAL.findall(clean)) - STOP_WORDS,
    )


def query_shape(query: Query, rare: frozenset[str]) -> Shape:
    """Tell what kind of query it is.

    Args:
        query: The query.
        rare: Its terms that the index knows, but from few passages.

    Returns:
        "exact" for identifiers, numbers, dates or quoted words with at most one plain word beside
        them; "mixed" when more are beside them, or there is a name or a rare word; else "prose".

    Example:
        >>> query_shape(parse_query("LH-1234"), frozenset())
        'exact'
        >>> query_shape(parse_query("where do I keep the spare key"), frozenset())
        'prose'
    """
    numbers = {term for term in query.terms if any(map(str.isdigit, term))}
    exact = (query.partial | numbers) & set(query.terms)
    plain = set(query.terms) - exact
    if not plain or (exact and len(plain) == 1):
        return "exact"
    return "mixed" if exact or query.names or rare else "prose"
