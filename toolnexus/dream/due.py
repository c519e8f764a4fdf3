"""Due claims: those that are new, changed, or touched by new turns, with the turns to judge by."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.dream.claim_index import index_of
from toolnexus.dream.evidence_turns import News
from toolnexus.dream.hand import digest_of_claim
from toolnexus.dream.recalled import Recalled
from toolnexus.dream.saying import read_sayings
from toolnexus.dream.speech import guess_language, likes
from toolnexus.dream.turn_source import order_of, place_of
from toolnexus.home.claims import all_claims
from toolnexus.text.lexicon import fold_words
from toolnexus.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from toolnexus.change.located import LocatedClaim
    from toolnexus.dream.asked import Asked
    from toolnexus.dream.turn_source import SearchedTurns
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.cursor import Cursor
    from toolnexus.transcripts.turn import Turn

CANDIDATES = 12
"""How many of the user's turns a claim is put to, at the least ten."""
ANSWERS = 3
"""How many of the persona's answers, each with the turn that may confirm it."""


@dataclass(frozen=True, slots=True)
class DueClaim:
    """A claim that needs to be verified.

    Attributes:
        claim: The claim.
        digest: What names it in the ledger.
        turns: The turns that may speak of it, in time order; empty where none does.
    """

    claim: LocatedClaim
    digest: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Due:
    """What a pass has to verify.

    Attributes:
        claims: The claims that turns may speak of.
        silent: The digests of due claims that no turn speaks of: they stay, unasked.
        cursors: How far the conversations go.
        turns_new: How many turns are new.
        skipped: How many claims are left alone because a change of them waits for a person.
    """

    claims: tuple[DueClaim, ...]
    silent: tuple[str, ...]
    cursors: Mapping[str, Cursor]
    turns_new: int
    skipped: int = 0


def find_due(
    home: Snapshot,
    turns: SearchedTurns,
    asked: Asked,
    owner: str = "",
    waiting: Collection[tuple[str, str]] = (),
    recalled: Recalled | None = None,
) -> Due:
    """Find the claims that need to be verified.

    Args:
        home: The home as read.
        turns: The transcripts, refreshed.
        asked: What was asked before; an empty one makes every claim due.
        owner: Whose memory it is.
        waiting: Claims that wait for a person, by path and fold: they are left alone.
        recalled: What memory says: a turn that merely repeats it is no candidate.
    """
    said_before = Recalled() if recalled is None else recalled
    cursors = {cursor.conversation: cursor for cursor in turns.index.cursors()}
    news = News(turns.index, asked.cursors, cursors)
    free = [claim for claim in all_claims(home) if not claim.claim.pinned]
    claims = [claim for claim in free if (claim.path, claim.claim.fold) not in waiting]
    digests = [digest_of_claim(claim) for claim in claims]
    fresh = {n for n, digest in enumerate(digests) if digest not in asked.claims}
    seen = [n for n in range(len(claims)) if n not in fresh]
    touched = _touched([claims[n] for n in seen], news, turns.roles, owner)
    by_number = {seen[place]: found for place, found in touched.items()}
    due: list[DueClaim] = []
    silent: list[str] = []
    for number in sorted(fresh | by_number.keys()):
        found = tuple(
            turn
            for turn in _candidates(claims[number], turns, by_number.get(number, ()))
            if not (turn.is_unprompted or said_before.covers(turn.text, turn))
        )
        if found:
            due.append(DueClaim(claims[number], digests[number], found))
        else:
            silent.append(digests[number])
    turns_new = 0 if news.is_empty else news.count
    return Due(tuple(due), tuple(silent), cursors, turns_new, len(free) - len(claims))


def _touched(
    claims: Sequence[LocatedClaim], news: News, roles: Sequence[str], owner: str
) -> dict[int, list[Turn]]:
    """Find the claims that new turns touch, by their number, with those turns."""
    found: defaultdict[int, list[Turn]] = defaultdict(list)
    if not claims or news.is_empty:
        return found
    index = index_of(tuple(claim.claim.text for claim in claims))
    for saying in read_sayings(news.new_turns(), owner, roles):
        touched = {n for said in saying.sentences for n in index.touched(said.stems)}
        for number in touched:
            found[number].append(saying.turn)
    return found


def _candidates(
    claim: LocatedClaim, turns: SearchedTurns, touching: Sequence[Turn]
) -> tuple[Turn, ...]:
    """Gather the turns that may speak of a claim, in time order."""
    words = _query(" ".join((claim.claim.text, *claim.context)))
    found = {place_of(turn): turn for turn in touching}
    found |= {place_of(turn): turn for turn in turns.search(words, turns.roles, CANDIDATES)}
    if "assistant" not in turns.roles:
        for answer in turns.search(words, ("assistant",), ANSWERS):
            around = turns.turns_around(answer.conversation, answer.number, 1)
            reply = [t for t in around if t.number > answer.number and t.role in turns.roles]
            found |= {place_of(turn): turn for turn in (answer, *reply) if reply}
    return tuple(sorted(found.values(), key=order_of))


def _query(words: str) -> str:
    """Add the words that say the same: who "lives" somewhere may have "moved"."""
    folded = fold_words(words)
    groups = likes(guess_language(folded))
    return " ".join([words, *(like for word in folded for like in groups.get(stem(word), ()))])
