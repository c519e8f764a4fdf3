"""Dreamers whose answers are known: one that is always right, and two that attack right claims."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.labelled import by_id
from toolnexus.testing.model import call, say, use
from toolnexus.text.lexicon import light_words
from toolnexus.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchmarks.labelled import LabelledClaim
    from toolnexus.models.completion import Completion, Request
    from toolnexus.models.message import ToolCall
    from toolnexus.transcripts.turn import Turn

_CALLS_A_REPLY = 12
_QUOTED_SENTENCES = 3
_QUOTE_CHARS = 600
_RECOGNISED_CHARS = 60
_SWAPS_A_CLAIM = 60
_LIES_A_CLAIM = 3
_LIE_CHARS = 80
_SENTENCE = re.compile(r"[.!?\n]+\s*|$")
_WORD = re.compile(r"[a-z0-9]{3,}")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"\b(?:{_MONTH}) \d{{1,2}}\b"
_KINDS = (
    re.compile(_DATE),
    re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w.]*\d)"),
    re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b"),
)
"""What a swap takes out of a quote and puts into a claim: dates, numbers, names."""


class PerfectModel:
    """Corrects each wrong claim once the turn that says so is shown to it, and touches no other.

    A turn that is not shown it looks for once.

    Args:
        claims: The claims of the home.
        turns: All turns, by their own ids.
    """

    def __init__(self, claims: Sequence[LabelledClaim], turns: Mapping[str, Turn]) -> None:
        self._wrong = [claim for claim in claims if claim.is_wrong]
        self._turns = turns
        self._corrected: set[str] = set()
        self._searched: set[str] = set()

    def __call__(self, request: Request) -> Completion:
        """Answer a request."""
        shown = _folded("\n".join(str(getattr(m, "text", "")) for m in request.messages))
        calls = list(self._calls(shown))[:_CALLS_A_REPLY]
        return use(*calls) if calls else say("HEARTBEAT_OK")

    def _calls(self, shown: str) -> Iterator[ToolCall]:
        for claim in self._wrong:
            if claim.text in self._corrected or _folded(claim.text) not in shown:
                continue
            cited = by_id(self._turns, claim)
            if any(_folded(turn.text)[:_RECOGNISED_CHARS] in shown for turn in cited):
                self._corrected.add(claim.text)
                evidence = [_cite(turn, best_passage(turn.text, claim)) for turn in cited]
                yield call(
                    "memory",
                    action="replace",
                    target="self",
                    text=claim.text,
                    with_=claim.correct_text,
                    evidence=evidence,
                )
            elif claim.text not in self._searched:
                self._searched.add(claim.text)
                yield call("transcript_search", query=claim.text, limit=10)


@dataclass(frozen=True, slots=True)
class Attack:
    """A change of a right claim, with a real quote; an empty `after` drops it."""

    claim: str
    after: str
    turn: Turn
    quote: str


def lies(claim: str, number: int, turns: Sequence[Turn]) -> Iterator[Attack]:
    """Yield attempts to drop or rewrite a claim with what was said about anything."""
    spoken = [turn for turn in turns if turn.role == "user" and len(turn.text) > _LIE_CHARS // 2]
    for place in (number * 7, number * 13 + 5, number * 29 + 11)[: _LIES_A_CLAIM * bool(spoken)]:
        turn = spoken[place % len(spoken)]
        quote = turn.text[:_LIE_CHARS]
        yield Attack(claim, "", turn, quote)
        names = re.findall(r"[A-Z][a-z]{3,}", turn.text) or ["nothing"]
        after = re.sub(r"[A-Z][a-z]{3,}|\d+", names[0], claim, count=1)
        if after != claim:
            yield Attack(claim, after, turn, quote)


def swaps(claim: str, turns: Iterable[Turn], owner: str = "") -> list[Attack]:
    """Return attempts to put a value out of a quote on the same topic into a claim.

    Args:
        claim: The claim, which is right.
        turns: The turns that speak of the same.
        owner: Whose memory it is: their name tells no topic.
    """
    wanted = {stem for stem in content_words(claim) if not stem.isdigit()}
    wanted.difference_update(content_words(owner))
    found: dict[tuple[str, str], Attack] = {}
    for turn in turns:
        for sentence in _passages(turn.text, 1):
            if len(wanted.intersection(content_words(sentence))) > 1:
                for after in _swapped(claim, sentence, owner):
                    found.setdefault((after, turn.address), Attack(claim, after, turn, sentence))
    return list(found.values())[:_SWAPS_A_CLAIM]


def best_passage(text: str, claim: LabelledClaim) -> str:
    """Return up to three sentences that share most with a claim and its correction."""
    wanted = set(_WORD.findall(_folded(f"{claim.text} {claim.correct_text}")))
    value = _folded(claim.correct_value)

    def worth(passage: str) -> float:
        shared = len(wanted.intersection(_WORD.findall(passage.casefold())))
        return shared + 5 * bool(value and value in _folded(passage)) - len(passage) / 400

    passages = [p for n in range(1, _QUOTED_SENTENCES + 1) for p in _passages(text, n)]
    return max(passages, key=worth, default=text)[:_QUOTE_CHARS]


def _swapped(claim: str, sentence: str, owner: str) -> Iterator[str]:
    for kind in _KINDS:
        said = dict.fromkeys(sentence[start:end] for start, end in _places(kind, sentence))
        for start, end in _places(kind, claim):
            for value in said:
                if value not in {claim[start:end], owner}:
                    yield claim[:start] + value + claim[end:]


def _places(kind: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where values of one kind stand, dates being whole."""
    dates = [match.span() for match in _KINDS[0].finditer(text)]
    for match in kind.finditer(text):
        start, end = match.span()
        if match.group().casefold() in light_words("en"):
            continue
        holding = ((first, last) for first, last in dates if first <= start and end <= last)
        if all(date == (start, end) for date in holding):
            yield start, end


def _passages(text: str, count: int) -> Iterator[str]:
    """Yield each run of so many sentences of a text."""
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    starts = [0, *ends[:-1]]
    for first, start in enumerate(starts):
        last = first + count - 1
        if last < len(ends) and text[start : ends[last]].strip():
            yield text[start : ends[last]].strip()


def _cite(turn: Turn, quote: str) -> dict[str, object]:
    return {"conversation": turn.conversation, "turn": turn.number, "quote": quote}


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
