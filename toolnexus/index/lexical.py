"""The lexical side: BM25 over SQLite's FTS5, and the nearest known word for a misspelt one."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from toolnexus.index.database import Database
    from toolnexus.index.query import Query

# A query's cost is the number of passages its words stand in: more than this are not ranked.
MAX_RANKED = 1_000
MIN_MISSPELT = 5
LONG = 8
_COLUMN_WEIGHTS = "2.0, 1.5, 1.0, 3.0"  # title, heading, text, keys


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How common a query's words are.

    Attributes:
        total: How many passages there are.
        by_term: In how many of them each term or key stands.
    """

    total: int
    by_term: dict[str, int]

    def of(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return self.by_term.get(term, 0)


class Lexical:
    """Searches the words of the index.

    Args:
        database: The index's SQLite file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._generation = -1
        self._total = 0
        self._counts: dict[str, int] = {}
        self._vocabulary: dict[str, int] | None = None

    def frequencies(self, query: Query, generation: int) -> Frequencies:
        """Count the passages of each of a query's terms and keys; remembered for a generation."""
        if generation != self._generation:
            self._generation, self._counts, self._vocabulary = generation, {}, None
            self._total = self._database.number("SELECT count(*) FROM chunk")
        wanted = [*query.terms, *query.keys]
        return Frequencies(self._total, {term: self._count(term) for term in wanted})

    def search(
        self,
        query: Query,
        frequencies: Frequencies,
        limit: int,
        allowed: Collection[int] | None = None,
    ) -> list[int]:
        """Return the row numbers of the passages that fit best, the best first.

        Args:
            query: What is looked for; any text is safe.
            frequencies: How common its words are.
            limit: At most this many.
            allowed: Only among these row numbers; all when it is None.
        """
        exact = [_column("keys", key) for key in query.keys if frequencies.of(key)]
        exact += [_quote(" ".join(phrase)) for phrase in query.phrases if len(phrase) > 1]
        known = sorted((term for term in query.terms if frequencies.of(term)), key=frequencies.of)
        ranked = _affordable(known, frequencies)
        found: list[int] = []
        together = " AND ".join(map(_quote, known)) if len(ranked) < len(known) else ""
        if together and _expected(known, frequencies) <= MAX_RANKED:
            found += self._match(together, limit, allowed)
        elif together:
            found += self._match(f"{{title heading}} : ({together})", limit, allowed)
        found += self._match(" OR ".join([*exact, *map(_quote, ranked)]), limit, allowed)
        if together and len(found) < limit:
            found += self._match(together, limit, allowed, rank=False)
        return list(dict.fromkeys(found))[:limit]

    def nearest_word(self, word: str) -> str | None:
        """Return the known word that a misspelt one most likely stands for.

        Args:
            word: A folded word that the index does not know.

        Returns:
            A word as the index stems it, one typing slip away (two in long ones); None without one.
        """
        if len(word) < MIN_MISSPELT or not word.isalpha():
            return None
        from rapidfuzz import process
        from rapidfuzz.distance import DamerauLevenshtein

        slips = 1 if len(word) < LONG else 2
        stem, known = self._stem(word), self._words_by_count()
        found = process.extract(
            stem,
            [one for one in known if one[0] == word[0] and abs(len(one) - len(word)) <= slips + 3],
            scorer=DamerauLevenshtein.distance,
            score_cutoff=slips,
            limit=None,
        )
        likely = [
            (slips, -known[term], str(term)) for term, slips, _ in found if _is_slip(term, stem)
        ]
        return min(likely)[2] if likely else None

    def _count(self, term: str) -> int:
        if term not in self._counts:
            self._counts[term] = self._database.number(
                "SELECT count(*) FROM words WHERE words MATCH ?", _quote(term)
            )
        return self._counts[term]

    def _match(
        self, expression: str, limit: int, allowed: Collection[int] | None, *, rank: bool = True
    ) -> list[int]:
        """Run an FTS5 expression; without ranking the newest come first, however many there are."""
        if not expression:
            return []
        only = "" if allowed is None else " AND rowid IN (SELECT value FROM json_each(?))"
        values = [] if allowed is None else [json.dumps(sorted(allowed))]
        order = f"bm25(words, {_COLUMN_WEIGHTS}), rowid" if rank else "rowid DESC"
        rows = self._database.rows(
            f"SELECT rowid FROM words WHERE words MATCH ?{only} ORDER BY {order} LIMIT ?",  # noqa: S608
            expression,
            *values,
            limit,
        )
        return [int(str(row[0])) for row in rows]

    def _words_by_count(self) -> dict[str, int]:
        if self._vocabulary is None:
            rows = self._database.rows("SELECT term, doc FROM vocabulary")
            self._vocabulary = {
                str(term): int(str(count)) for term, count in rows if str(term).isalpha()
            }
        return self._vocabulary

    def _stem(self, word: str) -> str:
        """Stem a word as FTS5 does it, by letting FTS5 do it."""
        self._database.rows(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.one_word USING fts5"
            " (word, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._database.rows(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.one_stem"
            " USING fts5vocab (temp, one_word, 'row')"
        )
        self._database.rows("DELETE FROM temp.one_word")
        self._database.rows("INSERT INTO temp.one_word VALUES (?)", word)
        rows = self._database.rows("SELECT term FROM temp.one_stem")
        return str(rows[0][0]) if rows else word


def _is_slip(term: str, word: str) -> bool:
    """Tell a slip from another word: a short word with one letter exchanged is another word."""
    same_letters = sorted(term) == sorted(word)
    return len(term) != len(word) or same_letters or len(word) >= LONG - 1


def _affordable(terms: Sequence[str], frequencies: Frequencies) -> list[str]:
    """Keep the rarest terms that together stand in no more passages than are ranked."""
    costs = accumulate(frequencies.of(term) for term in terms)
    return [term for term, cost in zip(terms, costs, strict=True) if cost <= MAX_RANKED]


def _expected(terms: Sequence[str], frequencies: Frequencies) -> float:
    """Guess in how many passages all the terms stand, as if they did not know of each other."""
    total = max(1, frequencies.total)
    return total * math.prod(frequencies.of(term) / total for term in terms)


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _column(name: str, text: str) -> str:
    return f"{name} : {_quote(text)}"
