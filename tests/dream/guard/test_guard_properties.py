"""What the guard never does, whatever it is asked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolnexus.agent.memory_actions import CitedTurn
from toolnexus.dream.guard import Facts, Request, judge
from toolnexus.home.claims import located_claims
from toolnexus.home.snapshot import Snapshot
from toolnexus.text.quotes import find_quote
from toolnexus.transcripts.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.change.located import LocatedClaim

TEXT = (
    "Lives in Paris moved to Berlin now not 7 three 2024 Ines the cat never on 3 May if my sister "
    "no longer works as a nurse , . ? yes yesterday sold"
)
WORDS = [*TEXT.split(), "\n"]
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
TEXTS = PHRASES | st.text(max_size=60)
ROLES = st.sampled_from(["user", "assistant", "tool", "system"])


class OneTurn:
    """A transcript of one turn."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    def find_turn(self, conversation: str, ref: int | str) -> Turn | None:
        """The one turn, by its place."""
        return self.turn if (conversation, ref) == ("c", 1) else None

    def turns_around(self, _conversation: str, _number: int, _count: int) -> Sequence[Turn]:
        """The one turn."""
        return [self.turn]

    def turns_about(self, _words: str) -> Sequence[Turn]:
        """The one turn."""
        return [self.turn]


def facts(text: str, role: str = "user") -> Facts:
    when = datetime(2026, 11, 20, tzinfo=UTC)
    return Facts(OneTurn(Turn(role, text, when, conversation="c", number=1)))  # type: ignore[arg-type]


def claim_of(text: str) -> LocatedClaim | None:
    home = Snapshot(name="ava").with_texts({"MEMORY.md": f"- {' '.join(text.split())}\n"})
    return next(iter(located_claims(home, "MEMORY.md")), None)


@settings(max_examples=80, deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS, ROLES, st.sampled_from(["replace", "remove", "add"]))
def test_judging_never_raises(
    claim: str, after: str, said: str, quote: str, role: str, action: str
) -> None:
    """Any claim, any text, any quote gets one of the three answers, and a refusal says why."""
    located = claim_of(claim)
    assume(located is not None or action == "add")
    evidence = (CitedTurn("c", 1, quote),)
    words = "" if action == "remove" else after
    request = Request(action, None if action == "add" else located, words, evidence)  # type: ignore[arg-type]
    verdict = judge(request, facts(said, role))
    assert verdict.answer in {"accept", "refuse", "review"}
    assert verdict.is_accepted or (verdict.reason and verdict.next)


@settings(max_examples=80, deadline=None)
@given(PHRASES, TEXTS, TEXTS, TEXTS)
def test_an_invented_quote_changes_nothing(claim: str, after: str, said: str, quote: str) -> None:
    """Words that do not stand in the turn are refused, not even left to a person."""
    located = claim_of(claim)
    assume(located is not None and find_quote(quote, said) is None)
    request = Request("replace", located, after, (CitedTurn("c", 1, quote),))
    assert judge(request, facts(said)).answer == "refuse"


@settings(max_examples=80, deadline=None)
@given(PHRASES, st.sampled_from(["tool", "system", "assistant"]), st.data())
def test_nobody_but_the_user_is_evidence(claim: str, role: str, data: st.DataObject) -> None:
    """What a tool, the system or the persona said by itself changes nothing."""
    located = claim_of(claim)
    assume(located is not None)
    said = data.draw(PHRASES)
    after = data.draw(PHRASES)
    request = Request("replace", located, after, (CitedTurn("c", 1, said),))
    assert judge(request, facts(said, role)).answer == "refuse"


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["Lives in Paris.", "Has 2 cats.", "Met Ines on 3 May."]),
    PHRASES,
    st.sampled_from(["Zagreb", "4711", "9 August 1999", "http://no.example/x", "eva@no.example"]),
)
def test_a_value_that_nobody_said_is_never_written(claim: str, said: str, value: str) -> None:
    """A number, date, name or address without ground is refused beside any quote."""
    located = claim_of(claim)
    after = f"{claim.removesuffix('.')} with {value}."
    request = Request("replace", located, after, (CitedTurn("c", 1, said),))
    assert judge(request, facts(said)).answer == "refuse"
