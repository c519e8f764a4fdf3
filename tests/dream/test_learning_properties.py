"""Whatever a model wants added: only what one turn of the user's says comes in, with its quote."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.home.claims import all_claims
from toolnexus.testing.model import ScriptedModel, call, use
from toolnexus.text.fold import fold_claim
from toolnexus.text.words import content_words

SENTENCES = (
    "I work at a bakery in Ghent.",
    "My sister Clara plays the cello.",
    "I might move to Lyon next year.",
    "Do I need a new bicycle?",
    "We don't eat meat.",
    "The password is tulip99.",
    "He said: “I sold the house in Bruges”.",
    "Yes, exactly!",
)
FACTS = (
    "Works at a bakery in Ghent.",
    "Works at a bakery in Lyon.",
    "Plays the cello.",
    "Sister Clara plays the cello.",
    "Moves to Lyon.",
    "Needs a new bicycle.",
    "Eats meat.",
    "Does not eat meat.",
    "The password is tulip99.",
    "Sold the house in Bruges.",
    "Lives in Paris.",
    "[[works]] <!-- keep -->",
)
NEVER = frozenset(map(fold_claim, (*FACTS[1:3], *FACTS[4:7], *FACTS[8:])))
"""What no turn of the user's states: it must not come in, whatever is quoted."""

turns = st.lists(
    st.tuples(st.sampled_from(("user", "user", "assistant", "tool")), st.sampled_from(SENTENCES)),
    min_size=1,
    max_size=5,
)
wishes = st.lists(
    st.tuples(
        st.sampled_from(FACTS),
        st.integers(1, 5),
        st.sampled_from((*SENTENCES, "I never said this.")),
        st.sampled_from(("self", "user", "people")),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@given(turns, wishes)
@settings(max_examples=60, deadline=None)
def test_only_what_was_said_comes_in(said: list[tuple[str, str]], wanted: list[tuple]) -> None:  # type: ignore[type-arg]
    """No claim is lost, and each that is new has a quote of the user's that says all of it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ava"
        (root / "transcripts").mkdir(parents=True)
        (root / "SOUL.md").write_text("You are Ava.\n")
        (root / "persona.yaml").write_text("owner: Maria\ndream: {learn: true}\n")
        (root / "MEMORY.md").write_text("# Memory\n\n- Lives in Paris.\n- Likes tea.\n")
        lines = [{"role": role, "content": text} for role, text in said]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (root / "transcripts" / "m.jsonl").write_text(text)
        calls = [
            call(
                "memory",
                action="add",
                text=fact,
                target=target,
                evidence=[{"conversation": "m", "turn": turn, "quote": quote}],
            )
            for fact, turn, quote, target in wanted
        ]
        home = Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))
        before = {claim.claim.fold for claim in all_claims(home.read())}
        done = home.dream(model=ScriptedModel(use(*calls), default="HEARTBEAT_OK"))
        after = [claim.claim for claim in all_claims(home.read())]
    assert before <= {claim.fold for claim in after}
    new = [claim for claim in after if claim.fold not in before]
    assert len(new) == len({claim.fold for claim in new}) == len(done.changes)
    assert not NEVER & {claim.fold for claim in new}
    for change in done.changes:
        [evidence] = change.evidence
        role, words = said[evidence.turn - 1]
        assert (change.kind, role, evidence.quote in words) == ("added", "user", True)
        assert len(content_words(change.after)) <= len(content_words(words))
