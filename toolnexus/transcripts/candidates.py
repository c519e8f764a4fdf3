"""Candidates: the turns that may say whether a claim still holds.

Three kinds share the places. The turns with most of the claim's words say where it comes from.
Those with most of its words that are no values say what became of it, whatever the value is by
now. And the latest turns about its subject are always there, for the latest word counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Literal

from toolnexus.errors import UsageError
from toolnexus.transcripts.hit import LIMIT_CAP, Filters, time_key
from toolnexus.transcripts.query import Query, parse_words
from toolnexus.transcripts.search import count_rows, find_latest, find_speeches
from toolnexus.transcripts.turn import ROLES, is_role

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from toolnexus.transcripts.search import Found
    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.turn import Turn

Why = Literal["words", "subject", "latest", "answer"]

FEWEST = 10
# How many of the places the latest turns get. The others go to both kinds of best turns by turns.
_LATEST_SHARE = 0.4
# How many answers may come on top.
_ANSWERS = 2
# The subject's rarest words, of which a latest turn holds at least two.
_TELLING_WORDS = 8
_BEFORE, _AFTER = 1, 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be about a claim.

    Attributes:
        turn: The turn.
        before: The turn before it in its conversation, where there is one.
        after: The two turns behind it, as far as there are: an answer, and what is said to that.
        why: ``words`` for one of those with most of the claim's words, ``subject`` for one with
            most of its words that are no values, ``latest`` for one of the latest about the
            subject, ``answer`` for another role's turn, which counts if it is confirmed.
    """

    turn: Turn
    before: tuple[Turn, ...]
    after: tuple[Turn, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim as terms of the full-text engine, each with about how many rows it has.

    Attributes:
        words: All its words.
        subject: Those that are no values, the rarest first.
        named: The words that the caller says it is about.
    """

    words: dict[str, int]
    subject: dict[str, int]
    named: dict[str, int]


def candidates(
    index: TranscriptIndex,
    claim_text: str,
    *,
    subject_words: Sequence[str] = (),
    count: int = FEWEST,
    roles: Sequence[str] = ("user",),
) -> list[Candidate]:
    """Find the turns that may say whether a claim still holds.

    Args:
        index: The transcripts, refreshed.
        claim_text: The claim's words.
        subject_words: What it is about, where that is known: the latest turns with all of these
            words are among the candidates. Else its rarest words that are no values stand in.
        count: How many turns at most, 10 to 50; up to two answers come on top.
        roles: The roles whose turns are evidence.

    Returns:
        The candidates in time order, undated ones first; fewer than `count` where not so many
        turns share a word with the claim.

    Raises:
        UsageError: when `count` or a role makes no sense.
        SearchIndexError: when the database is damaged and cannot be made anew.

    Example:
        >>> found = candidates(index, "Ava lives in Paris.", subject_words=["lives"])
        >>> [(candidate.turn.text, candidate.why) for candidate in found]
        [('We live in Paris now.', 'words'), ('Berlin is where we live.', 'latest')]
    """
    if not FEWEST <= count <= LIMIT_CAP:
        raise UsageError(f"count is {count}, not between {FEWEST} and {LIMIT_CAP}")
    unknown = [role for role in roles if not is_role(role)]
    if unknown or not roles:
        raise UsageError(f"role {', '.join(unknown)!r} is none of {', '.join(ROLES)}")
    whys: dict[int, Why] = {}

    def look(connection: sqlite3.Connection) -> list[Found]:
        claim = _read_claim(connection, claim_text, subject_words)
        filters = Filters(roles=tuple(ROLES.index(role) for role in roles if is_role(role)))
        picked = _pick(connection, claim, filters, count)
        whys.update({found.key: why for found, why in picked})
        return [found for found, _ in picked]

    found = [(turn, whys[speech.key]) for speech, turn in index.find(look)]
    shown = [_with_neighbours(index, turn, why) for turn, why in found]
    return sorted(_without_shown(shown), key=lambda each: time_key(each.turn))


def _read_claim(
    connection: sqlite3.Connection, claim_text: str, subject_words: Sequence[str]
) -> _Claim:
    words = count_rows(connection, parse_words(claim_text))
    there = {word: rows for word, rows in words.items() if rows}
    rarest = sorted((word for word in there if not _is_value(word)), key=there.__getitem__)
    named = count_rows(connection, parse_words(" ".join(subject_words)))
    return _Claim(there, {word: there[word] for word in rarest}, named)


def _is_value(term: str) -> bool:
    return any(char.isdigit() for char in term)


def _pick(
    connection: sqlite3.Connection, claim: _Claim, filters: Filters, count: int
) -> list[tuple[Found, Why]]:
    """Fill the places: the latest first, so that they are always there, then the best."""
    latest = _find_latest(connection, claim, filters, round(count * _LATEST_SHARE))
    picked: dict[int, tuple[Found, Why]] = {each.key: (each, "latest") for each in latest}
    by_words = _find_best(connection, claim.words, filters, count)
    by_subject = _find_best(connection, claim.subject, filters, count)
    for found, why in _in_turn(by_words, by_subject):
        if len(picked) < count:
            picked.setdefault(found.key, (found, why))
    answers = _find_answers(connection, claim, filters)
    return [*picked.values(), *((answer, "answer") for answer in answers)]


def _in_turn(by_words: list[Found], by_subject: list[Found]) -> Iterator[tuple[Found, Why]]:
    for one, other in zip_longest(by_words, by_subject):
        if one is not None:
            yield one, "words"
        if other is not None:
            yield other, "subject"


def _find_best(
    connection: sqlite3.Connection, words: dict[str, int], filters: Filters, limit: int
) -> list[Found]:
    return find_speeches(connection, Query((), tuple(words)), filters, limit, known=words)


def _find_answers(connection: sqlite3.Connection, claim: _Claim, filters: Filters) -> list[Found]:
    """Find the best turns of the assistant, where its turns are no evidence by themselves."""
    assistant = ROLES.index("assistant")
    if assistant in filters.roles:
        return []
    others = replace(filters, roles=(assistant,))
    return _find_best(connection, claim.words, others, _ANSWERS)


def _find_latest(
    connection: sqlite3.Connection, claim: _Claim, filters: Filters, limit: int
) -> list[Found]:
    """Find the latest turns about the subject: by all its words, else by two, else by one."""
    found: dict[int, Found] = {}
    for match, rows in _subjects(claim):
        for each in find_latest(connection, match, rows, filters, limit):
            found.setdefault(each.key, each)
        if len(found) >= limit:
            break
    return list(found.values())[:limit]


def _subjects(claim: _Claim) -> Iterator[tuple[str, int]]:
    """Yield what stands for the subject, from strict to loose, with its most rows."""
    if claim.named and all(claim.named.values()):
        yield " AND ".join(claim.named), min(claim.named.values())
    telling = list(claim.subject)[:_TELLING_WORDS]
    pairs = [f"({one} AND {other})" for one, other in combinations(telling, 2)]
    if pairs:
        yield " OR ".join(pairs), sum(claim.subject[word] for word in telling[:-1])
    for word in telling[:1]:
        yield word, claim.subject[word]


def _with_neighbours(index: TranscriptIndex, turn: Turn, why: Why) -> Candidate:
    around = index.turns_around(turn.conversation, turn.number, max(_BEFORE, _AFTER))
    before = [each for each in around if each.number < turn.number]
    after = [each for each in around if each.number > turn.number]
    return Candidate(turn, tuple(before[-_BEFORE:]), tuple(after[:_AFTER]), why)


def _without_shown(found: list[Candidate]) -> Iterator[Candidate]:
    """Leave out the answers that stand beside another candidate anyway."""
    beside = {
        turn.address
        for each in found
        if each.why != "answer"
        for turn in (*each.before, *each.after)
    }
    return (each for each in found if each.why != "answer" or each.turn.address not in beside)
