"""Suspicions: the claims of a home that its transcripts seem to contradict, found by rule.

A pass costs what is new: a ledger keeps what was said about each claim. New turns are put to the
claims that share words with them; new claims look for their turns by search, or, where there are
many, all turns are read once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from toolnexus.dream.claim_digest import claim_digest
from toolnexus.dream.claim_index import content_stems, index_of
from toolnexus.dream.contradiction import Verdict, decide, judge, prune
from toolnexus.dream.evidence_turns import News, find_candidates
from toolnexus.dream.recalled import Recalled
from toolnexus.dream.saying import read_sayings
from toolnexus.dream.sentence import TEXT_CAP_CHARS
from toolnexus.dream.statement import Statement, read_statement
from toolnexus.dream.types import Suspicion
from toolnexus.dream.verified import CheckedFile, Ledger, ledger_value, read_ledger
from toolnexus.home.claims import CLAIM_FILES, holds_claims, located_claims

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolnexus.change.located import LocatedClaim
    from toolnexus.dream.saying import Saying
    from toolnexus.home.snapshot import Snapshot
    from toolnexus.transcripts.search_index import TranscriptIndex
    from toolnexus.transcripts.turn import Turn

_TURNS_PER_SEARCH = 150
"""One search costs about as much as reading so many turns once."""


@dataclass(frozen=True)  # no slots: the statement is read when it is first needed
class _Open:
    """A claim that is being checked; `verdicts` grow."""

    text: str
    context: tuple[str, ...]
    topic: str
    digest: str
    is_fresh: bool
    verdicts: list[Verdict] = field(default_factory=list)

    @cached_property
    def statement(self) -> Statement:
        return read_statement(self.text, self.context, self.topic)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.

    Attributes:
        suspicions: The suspected claims, file by file in their order.
        ledger: What to keep for the next check; the object handed in when nothing is new.
        checked: How many claims were put to turns.
        turns_new: How many turns were not known before.
    """

    suspicions: tuple[Suspicion, ...] = ()
    ledger: object = None
    checked: int = 0
    turns_new: int = 0


def find_suspicions(
    home: Snapshot,
    turns: TranscriptIndex,
    *,
    evidence_roles: Sequence[str] = ("user",),
    owner: str = "",
    known: object = None,
    recalled: Recalled | None = None,
) -> Checked:
    """Find the claims that the transcripts seem to contradict; nothing is written.

    Args:
        home: The home as read.
        turns: The transcripts, refreshed.
        evidence_roles: The roles whose turns are evidence.
        owner: Whose memory it is; empty for the name on the turns.
        known: The ledger that the last check gave; None, or a damaged one, checks everything.
        recalled: What memory says: a turn that merely repeats it contradicts nothing.

    Raises:
        SearchIndexError: when the transcripts' database is damaged and cannot be made anew.
    """
    cursors = {cursor.conversation: cursor for cursor in turns.cursors()}
    if not cursors:
        return Checked()
    basis = (*sorted(evidence_roles), owner)
    ledger = read_ledger(known, basis)
    changed = _changed_files(home, ledger)
    if cursors == ledger.cursors and not changed and ledger.files.keys() <= home.notes.keys():
        return Checked(_tell(home, ledger), known)
    news = News(turns, ledger.cursors, cursors)
    opened = _open(home, ledger, news, changed)
    check = _Check(turns, news, tuple(evidence_roles), owner, recalled or Recalled())
    check.run([claim for claims in opened.values() for claim in claims])
    kept = {p: row for p, row in ledger.files.items() if p in home.notes and p not in opened}
    files = kept | {path: _checked(home, path, claims) for path, claims in opened.items()}
    fresh = Ledger(cursors, {path: files[path] for path in home.notes if path in files})
    suspicions = _tell(home, fresh)
    return Checked(suspicions, ledger_value(fresh, basis), check.checked, check.turns_new)


def _changed_files(home: Snapshot, ledger: Ledger) -> tuple[str, ...]:
    return tuple(
        path
        for path, note in home.notes.items()
        if holds_claims(note)
        and ((row := ledger.files.get(path)) is None or row.digest != note.digest)
    )


def _open(
    home: Snapshot, ledger: Ledger, news: News, changed: Sequence[str]
) -> dict[str, list[_Open]]:
    """Open the claims that a check may be about: of changed files, or of all when turns are new."""
    known = {
        digest: row.verdicts.get(number, ())
        for row in ledger.files.values()
        for number, digest in enumerate(row.claims)
    }
    located: dict[str, Sequence[LocatedClaim]]
    if news.is_empty:
        located = {path: located_claims(home, path) for path in changed}
    else:
        located = {path: () for path, note in home.notes.items() if holds_claims(note)}
        located |= {path: tuple(found) for path, found in groupby(home.claims, lambda c: c.path)}
    return {
        path: list(_open_file(home, path, claims, known, news.void))
        for path, claims in located.items()
    }


def _open_file(
    home: Snapshot,
    path: str,
    claims: Iterable[LocatedClaim],
    known: Mapping[str, tuple[Verdict, ...]],
    void: frozenset[str],
) -> Iterator[_Open]:
    topic = "" if path in CLAIM_FILES else home.notes[path].title
    for located in claims:
        digest = claim_digest(located.claim.text, located.context)
        said = [v for v in known.get(digest, ()) if v.rests_on.isdisjoint(void)]
        is_fresh = digest not in known
        yield _Open(located.claim.text, located.context, topic, digest, is_fresh, said)


@dataclass(slots=True)
class _Check:
    """Puts claims to turns, and counts."""

    turns: TranscriptIndex
    news: News
    roles: tuple[str, ...]
    owner: str
    recalled: Recalled
    checked: int = 0
    turns_new: int = 0

    def run(self, claims: Sequence[_Open]) -> None:
        fresh = [claim for claim in claims if claim.is_fresh]
        seen = [claim for claim in claims if not claim.is_fresh]
        self.checked = len(fresh)
        self.turns_new = self.news.count
        if len(fresh) * _TURNS_PER_SEARCH > self.news.total:
            self._put_turns(fresh, self.news.all_turns())
        else:
            for claim in fresh:
                self._search(claim)
        self.checked += self._put_turns(seen, self.news.new_turns())
        for claim in claims:
            claim.verdicts[:] = prune(claim.verdicts)

    def _put_turns(self, claims: Sequence[_Open], turns: Iterable[Turn]) -> int:
        """Put turns to the claims that they touch; tell how many were."""
        if not claims:
            return 0
        index = index_of(tuple(claim.text for claim in claims))
        put: set[int] = set()
        for saying in read_sayings(turns, self.owner, self.roles):
            near = index.touched(content_stems(saying.turn.text[:TEXT_CAP_CHARS]))
            for number in near:
                if not any(index.shares(number, said.stems) for said in saying.sentences):
                    continue
                put.add(number)
                claims[number].verdicts.extend(self._judge(claims[number], saying))
        return len(put)

    def _search(self, claim: _Open) -> None:
        query = f"{claim.text} {claim.topic}"
        for saying in read_sayings(
            find_candidates(self.turns, query, self.roles), self.owner, self.roles
        ):
            claim.verdicts.extend(self._judge(claim, saying))

    def _judge(self, claim: _Open, saying: Saying) -> Iterator[Verdict]:
        """Yield what a saying tells of a claim; what has it from memory contradicts nothing."""
        for verdict in judge(claim.statement, saying):
            start = verdict.position
            end = start + len(verdict.evidence[0].quote)
            if verdict.contradicts is None or not self.recalled.covers_quote(
                saying.turn, start, end
            ):
                yield verdict


def _checked(home: Snapshot, path: str, claims: Sequence[_Open]) -> CheckedFile:
    verdicts = {n: tuple(claim.verdicts) for n, claim in enumerate(claims) if claim.verdicts}
    return CheckedFile(home.notes[path].digest, tuple(c.digest for c in claims), verdicts)


def _tell(home: Snapshot, ledger: Ledger) -> tuple[Suspicion, ...]:
    return tuple(
        suspicion
        for path in home.notes
        if (row := ledger.files.get(path)) is not None
        for suspicion in _tell_file(home, path, row)
    )


def _tell_file(home: Snapshot, path: str, row: CheckedFile) -> Iterator[Suspicion]:
    claims = home.notes[path].document.claims
    for number in sorted(row.verdicts):
        found = decide(row.verdicts[number])
        if found is not None and number < len(claims):
            claim = claims[number]
            yield Suspicion(path, claim.line, claim.text, found.evidence)
