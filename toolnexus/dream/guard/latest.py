"""Latest wins: whether somebody said otherwise later on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.dream.guard.about import HOLDS
from toolnexus.dream.guard.case import EPOCH, KINDS, Case
from toolnexus.dream.guard.ground import Ground, Said
from toolnexus.dream.guard.later import gives_another, later_queries
from toolnexus.dream.guard.verdict import Verdict, review
from toolnexus.dream.guard.vocabulary import denied_words, denies, filler_stems, says
from toolnexus.dream.sentence import read_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.dream.token import Token
    from toolnexus.transcripts.turn import Turn

_PASSAGE = 3
WORDS_BESIDE = 2
"""How many of a claim's words a later turn must hold beside the value."""


def is_latest(case: Case) -> Verdict | None:
    """No later turn of the user's holds the value that would go, and not the one that comes."""
    if case.request.claim is None:
        return None
    for turn in _later_turns(case):
        if _stands_by(case, turn):
            return review(
                f"a later turn, {turn.address}, still says what the claim says",
                f"cite a turn after {turn.address}, if there is one",
            )
        if gives_another(case, turn):
            return review(
                f"a later turn, {turn.address}, tells of another change of the same",
                f"cite {turn.address}, or a turn after it",
            )
    return None


def _later_turns(case: Case) -> Iterator[Turn]:
    """Yield the turns about the claim whose word counts and that come after all cited ones."""
    for words in later_queries(case):
        for turn in case.facts.turns.turns_about(words):
            if turn.role in case.facts.evidence_roles and _is_later(case, turn):
                yield turn


def _is_later(case: Case, turn: Turn) -> bool:
    """Whether a turn comes after all cited ones."""
    when = turn.ts or EPOCH
    for cited in case.cited:
        other = cited.turn.ts or EPOCH
        same_place = turn.conversation == cited.turn.conversation
        if when < other or (when == other and not same_place):
            return False
        if when == other and turn.number <= cited.turn.number:
            return False
    return True


def _stands_by(case: Case, turn: Turn) -> bool:
    """Whether a turn says what the claim says: its value, and enough of its words beside it."""
    whole = Ground((Said(turn.text, turn.ts),))
    if not _may_stand_by(case, whole) or _holds_new(case, whole):
        return False
    return any(_passage_stands_by(case, Ground((Said(p, turn.ts),))) for p in _passages(turn.text))


def _may_stand_by(case: Case, whole: Ground) -> bool:
    """Whether a turn holds at all what a passage of it must hold: that is cheap to tell."""
    if sum(map(whole.has_stem, _topic(case))) < (0 if _is_small(case) else WORDS_BESIDE):
        return False
    lost = _lost(case)
    return not lost or any(_holds(case, whole, kind, value) for kind, value in lost)


def _topic(case: Case) -> set[str]:
    return {stem for sentence in case.changed for stem in case.topic_stems(sentence)}


def _is_small(case: Case) -> bool:
    return all(map(case.is_small, case.changed))


def _passages(text: str) -> Iterator[str]:
    """Yield what belongs together: each sentence with its neighbours."""
    spans = [(sentence.start, sentence.end) for sentence in read_sentences(text)]
    if len(spans) <= _PASSAGE:
        yield text
        return
    for first, last in zip(spans, spans[_PASSAGE - 1 :], strict=False):
        yield text[first[0] : last[1]]


def _passage_stands_by(case: Case, ground: Ground) -> bool:
    lost = _lost(case)
    denied = any(denies(said.text, said.language) for said in ground.said)
    wanted = _topic(case)
    beside = sum(map(ground.has_stem, wanted))
    is_small = _is_small(case)
    if lost:
        holds = any(_holds(case, ground, kind, value) for kind, value in lost)
        return holds and not (case.is_removal and denied) and (is_small or beside >= WORDS_BESIDE)
    if case.is_removal or len(case.new.negations) != len(case.old.negations):
        # The claim as a whole is at stake: whether it is denied, and all but its negations.
        if denied_words(case.before):
            said = frozenset().union(*(denied_words(each.text) for each in ground.said))
            denied = said.isdisjoint(denied_words(case.before))
        resumed = any(says(each.text, "again", each.language) for each in ground.said)
        return not denied and beside >= min(WORDS_BESIDE + (not resumed), len(wanted) or 1)
    words = case.lost_words
    return bool(words) and all(map(ground.has_stem, words)) and (is_small or beside > WORDS_BESIDE)


def _holds(case: Case, ground: Ground, kind: str, value: str) -> bool:
    """Whether a passage holds a value; a number must count the same: five weeks, not five dogs."""
    if kind != "numbers":
        return HOLDS[kind](ground, value)
    units = {token.unit for token in _numbers(case.before, value)}
    said = {token.unit for each in ground.said for token in _numbers(each.text, value)}
    is_bare = not said.isdisjoint({"", *filler_stems()})  # "it is 900 now"
    if not any(units) or (_is_small(case) and is_bare):
        return ground.has_number(value)
    return bool(units & said)


def _numbers(text: str, value: str) -> Iterator[Token]:
    for sentence in read_sentences(text):
        yield from (t for t in sentence.tokens if t.kind == "number" and t.key == value)


def _lost(case: Case) -> tuple[tuple[str, str], ...]:
    return tuple((kind, value) for kind in KINDS for value in case.lost[kind])


def _holds_new(case: Case, ground: Ground) -> bool:
    gained = [(kind, value) for kind in KINDS for value in case.gained[kind]]
    if gained:
        return any(HOLDS[kind](ground, value) for kind, value in gained)
    return bool(case.gained_words) and any(map(ground.has_stem, case.gained_words))
