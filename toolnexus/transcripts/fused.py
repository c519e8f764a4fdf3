"""Search with a second opinion: words first, meaning only where words leave it open.

Over real conversations BM25 finds the right turn more often than vectors or an even fusion of both.
So meaning only lifts turns that have one of the query's rare words, and only a little: none that
lacks them gets past one that words put above it. And it adds turns that say it in other words,
below all that words found.

Vectors are made when they are needed and thrown away: of the turns that words found and, where
those are fewer than asked for, of some of the newest. To keep them for a million turns would take
minutes to make and a gigabyte to hold, for the worse of two opinions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from toolnexus.transcripts.hit import LIMIT_CAP, check_search, parse_filters, time_key
from toolnexus.transcripts.query import parse_query
from toolnexus.transcripts.search import count_rows, find_newest, find_speeches, keys_with
from toolnexus.transcripts.show import make_hits

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import date, datetime

    from toolnexus.transcripts.hit import Filters, Order, TurnHit
    from toolnexus.transcripts.query import Query
    from toolnexus.transcripts.search import Found
    from toolnexus.transcripts.search_index import TranscriptIndex

Closeness = Callable[[str, Sequence[str]], Sequence[float]]
"""Takes a query and texts; returns of each text from 0 to 1 how close it comes in meaning."""

# How many turns words find for each that is asked for, so that there is something to choose from.
_POOL_FACTOR = 2
# Where words find fewer turns than asked for, so many of the newest are looked at for meaning.
_WINDOW = 64
# A turn without any of the query's words has to come at least this close.
_CLOSE = 0.4
# A word is rare when one turn in so many has it.
_RARE = 50
# By how much meaning at most lifts what words say of a turn.
_MEANING_SHARE = 0.3
# What a turn without any of the words scores at most, times its closeness.
_MEANING_SCORE = 0.25


def search_fused(
    index: TranscriptIndex,
    query: str,
    closeness: Closeness,
    *,
    limit: int = 8,
    after: datetime | date | None = None,
    before: datetime | date | None = None,
    role: str | None = None,
    conversation: str | None = None,
    order: Order = "best",
) -> list[TurnHit]:
    """Find turns by their words, with a second opinion on what they mean.

    Args:
        index: The transcripts, refreshed.
        query: As of `TranscriptIndex.search`, and so are the other arguments.
        closeness: The second opinion.
        limit: How many hits at most, 1 to 50.
        after: No turns before this.
        before: Only turns before this.
        role: Only what this role says.
        conversation: Only this conversation.
        order: "best", or "time": the same hits, the earliest first.

    Returns:
        Hits; what was found by meaning alone has no match in its excerpt and scores below 0.25.

    Raises:
        UsageError: when an argument makes no sense.
        SearchIndexError: when the database is damaged and cannot be made anew.

    Example:
        >>> hits = search_fused(index, "her car", lambda query, texts: embedder_says(query, texts))
        >>> hits[0].excerpt
        'The old Volvo broke down again.'
    """
    check_search(query, limit, order)
    filters = parse_filters(after=after, before=before, role=role, conversation=conversation)
    search = _FusedSearch(parse_query(query), filters, limit)
    found = index.find(search.look)
    hits = make_hits(found, search.query.with_anything())
    close = closeness(query, [hit.excerpt for hit in hits]) if hits else ()
    has_rare = [search.has_rare.get(speech.key) for speech, _ in found]
    best = _fuse(zip(hits, has_rare, close, strict=True))[:limit]
    return sorted(best, key=time_key) if order == "time" else best


@dataclass(slots=True)
class _FusedSearch:
    """Looks for speeches; `has_rare` is filled for those that words found.

    Attributes:
        query: What to look for.
        filters: What a speech must be besides.
        limit: How many are asked for.
        has_rare: Of each speech that words found, whether it has one of the query's rare words.
    """

    query: Query
    filters: Filters
    limit: int
    has_rare: dict[int, bool] = field(default_factory=dict)

    def look(self, connection: sqlite3.Connection) -> list[Found]:
        """Find what words find, and the newest speeches where that is little."""
        pool = min(LIMIT_CAP, self.limit * _POOL_FACTOR)
        rows_of = count_rows(connection, self.query.words)
        found = find_speeches(connection, self.query, self.filters, pool, known=rows_of)
        keys = [each.key for each in found]
        rare = _with_rare_words(connection, rows_of, keys)
        self.has_rare = {key: key in rare for key in keys}
        if len(found) >= self.limit or self.query.phrases:
            return found
        window = find_newest(connection, self.filters, _WINDOW)
        return [*found, *(each for each in window if each.key not in self.has_rare)]


def _with_rare_words(
    connection: sqlite3.Connection, rows_of: dict[str, int], keys: list[int]
) -> set[int]:
    """Return which speeches have one of the query's rare words; its rarest always is one."""
    (total,) = connection.execute("SELECT next_key FROM counters").fetchone()
    there = {word: rows for word, rows in rows_of.items() if rows}
    bound = max(min(there.values(), default=0), total // _RARE)
    rare = [word for word, rows in there.items() if rows <= bound]
    return set().union(*(keys_with(connection, word, keys) for word in rare))


def _fuse(found: Iterable[tuple[TurnHit, bool | None, float]]) -> list[TurnHit]:
    """Put hits in order: those with all words, then with some, then with none.

    Args:
        found: Each hit with whether it has a rare word, None for one that words did not find, and
            its closeness in meaning.
    """
    ranked: list[tuple[tuple[int, float], TurnHit]] = []
    for hit, has_rare, close in found:
        if has_rare is not None:
            lift = 1 + _MEANING_SHARE * close if has_rare else 1.0
            ranked.append(((2 if hit.score > 0.5 else 1, _bm25(hit.score) * lift), hit))
        elif close >= _CLOSE:
            ranked.append(((0, close), replace(hit, score=_MEANING_SCORE * close)))
    ranked.sort(key=lambda each: each[0], reverse=True)
    # No hit scores more than the one above it: what meaning moved up lends its place's score.
    scores = accumulate((hit.score for _, hit in ranked), min)
    return [replace(hit, score=score) for (_, hit), score in zip(ranked, scores, strict=True)]


def _bm25(score: float) -> float:
    """Return what a hit's score was made of, up to a factor: among scores, it was squashed."""
    share = min(2 * (score - 0.5 if score > 0.5 else score), 0.999)
    return share / (1 - share)
