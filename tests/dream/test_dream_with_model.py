"""Passes with a scripted model: what it may do, what it costs, what is asked again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import Unreachable, UsageError
from toolnexus.testing.model import ScriptedModel, raw_call, use
from toolnexus.testing.model import call as scripted_call

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus.models.completion import Completion
    from toolnexus.models.message import ToolCall

MEMORY = "# Memory\n\n- Lives in Paris.\n- Works as a nurse.\n- Likes green tea.\n"
MOVED = {"conversation": "m", "turn": 1, "quote": "we finally moved to Berlin"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home whose one transcript contradicts one claim."""
    root = tmp_path / "ava"
    (root / "transcripts").mkdir(parents=True)
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_text(MEMORY)
    say(root, "m", "Big news: we finally moved to Berlin, and I work as a nurse there.")
    return open_home(root)


def open_home(root: Path) -> Home:
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def say(root: Path, conversation: str, text: str, ts: str = "2026-11-20T14:03:11Z") -> None:
    """Append one user turn."""
    line = json.dumps({"role": "user", "content": text, "ts": ts})
    with (root / "transcripts" / f"{conversation}.jsonl").open("a") as file:
        file.write(line + "\n")


def call(**arguments: Any) -> ToolCall:
    return scripted_call("memory", **arguments)


def move(with_: str = "Lives in Berlin.") -> Completion:
    """Correct where they live, on real evidence."""
    words = {"action": "replace", "text": "Lives in Paris.", "with": with_, "evidence": [MOVED]}
    return use(call(**words))


def model(*replies: Any) -> ScriptedModel:
    return ScriptedModel(*replies, default="HEARTBEAT_OK")


def test_a_proved_correction_is_written_and_logged(home: Home) -> None:
    """What the guard accepts is committed with its evidence; the other claims stay."""
    done = home.dream(model=model(move()))
    assert done.outcome == "done"
    assert (home.root / "MEMORY.md").read_text() == MEMORY.replace("Paris", "Berlin")
    assert done.changes[0].evidence[0].quote == MOVED["quote"]
    assert "we finally moved to Berlin" in (home.root / "memory" / "log.md").read_text()


def test_the_same_is_not_asked_twice(home: Home) -> None:
    """A second pass over unchanged input makes no model call and says so."""
    first = home.dream(model=model(move()))
    asked = model()
    second = open_home(home.root).dream(model=asked)
    assert first.stats.model_calls > 0
    assert (second.outcome, second.reply) == ("nothing", "HEARTBEAT_OK")
    assert asked.requests == []


def test_new_turns_make_what_they_touch_due(home: Home) -> None:
    """After a new turn only the claims that share words with it are put to the model."""
    home.dream(model=model())
    say(home.root, "n", "I no longer like green tea at all.", "2026-11-21T10:00:00Z")
    asked = model()
    done = open_home(home.root).dream(model=asked)
    assert done.stats.checked == 1
    assert "Likes green tea." in str(asked.requests[0].messages)


def test_a_claim_that_no_turn_speaks_of_is_not_asked_about(home: Home) -> None:
    """Without candidate turns there is nothing that a model could go by."""
    asked = model()
    home.dream(model=asked)
    assert "Likes green tea." not in str(asked.requests)


def test_doubt_waits_and_is_left_alone(home: Home) -> None:
    """A change that cannot be proved becomes a proposal; until it is decided nobody is asked."""
    done = home.dream(model=model(move("Lives in sunny Berlin.")))
    assert done.outcome == "nothing"
    assert "wait" in done.reply
    assert [change.after for change in done.waiting] == ["Lives in sunny Berlin."]
    assert (home.root / "MEMORY.md").read_text() == MEMORY
    again = open_home(home.root).dream(full=True, model=model(move()))
    assert not again.wrote
    assert "waits" in again.refused[0].reason
    assert "a change of 1 claim waits for you" in again.notices[0]


def test_what_a_person_discards_is_not_done_on_the_same_evidence(home: Home) -> None:
    """A discarded change needs evidence that is newer, also in a full pass."""
    home.dream(propose=True, model=model(move()))
    home.discard(home.proposals()[0].id)
    again = open_home(home.root).dream(full=True, model=model(move()))
    assert not again.wrote
    assert "took this change back" in again.refused[0].reason


def test_what_a_person_reverts_is_not_done_again(home: Home) -> None:
    """A reverted pass is not made once more on the same evidence."""
    home.dream(model=model(move()))
    home.revert("last")
    assert (home.root / "MEMORY.md").read_text() == MEMORY
    again = open_home(home.root).dream(full=True, model=model(move()))
    assert not again.wrote


@pytest.mark.parametrize(
    "calls",
    [
        [call(action="write", target="self", text="# Memory\n")],
        [call(action="write", target="new", text="- Invented.")],
        [call(action="add", text="Owns a boat.", evidence=[MOVED])],
        [call(action="remove", text="Likes green tea.")],
        [call(action="remove", text="Works as a nurse.", evidence=[{**MOVED, "quote": "no more"}])],
        [call(action="relink", text="Paris", with_="x")],
        [raw_call("bash", "{}")],
        [raw_call("memory", '{"action": "remove", "te')],
    ],
)
def test_a_bad_model_harms_nothing(home: Home, calls: list[ToolCall]) -> None:
    """Whatever it calls without proof is refused and counted, and the pass goes on."""
    done = home.dream(model=model(use(*calls)))
    assert not done.wrote
    assert all(refusal.reason and refusal.next for refusal in done.refused)
    assert done.refused
    assert (home.root / "MEMORY.md").read_text() == MEMORY


def test_what_was_earned_outlives_an_unreachable_model(home: Home) -> None:
    """Corrections of before are kept when the model goes away, and the pass is told as failed."""
    (home.root / "memory").mkdir()
    for name in ("tea", "cats"):
        (home.root / "memory" / f"{name}.md").write_text(f"- A claim about {name}s.\n")
    gone = ScriptedModel(move(), "HEARTBEAT_OK", Unreachable("nobody answers"))
    done = open_home(home.root).dream(model=gone)
    assert done.outcome == "failed"
    assert done.wrote
    assert "Lives in Berlin." in (home.root / "MEMORY.md").read_text()


def test_a_spent_budget_ends_a_pass_early_but_cleanly(home: Home) -> None:
    """What is left is counted and stays due: the next pass asks about it."""
    (home.root / "persona.yaml").write_text("dream:\n  budget: {calls: 1}\n")
    done = open_home(home.root).dream(model=model(move()))
    assert done.outcome == "partial"
    assert done.stats.claims_left > 0
    assert f"left for the next pass: {done.stats.claims_left} claim" in done.reply
    assert "Lives in Berlin." in (home.root / "MEMORY.md").read_text()
    asked = model()
    open_home(home.root).dream(model=asked)
    assert asked.requests


def test_a_dry_run_leaves_no_trace(home: Home) -> None:
    """Nothing is kept: the next pass asks the same again."""
    done = home.dream(dry_run=True, model=model(move()))
    assert done.outcome == "dry-run"
    assert (home.root / "MEMORY.md").read_text() == MEMORY
    asked = model()
    open_home(home.root).dream(model=asked)
    assert asked.requests


def test_what_a_person_overtakes_is_told(home: Home) -> None:
    """A correction that a person's edit came before is dropped, and the result says so."""
    memory = home.root / "MEMORY.md"

    def edit_and_move(_request: object) -> Completion:
        memory.write_text(MEMORY.replace("Lives in Paris.", "Lives in Rome."))
        return move()

    done = home.dream(model=model(edit_and_move))
    assert memory.read_text() == MEMORY.replace("Paris", "Rome")
    assert (done.wrote, done.changes) == (False, ())
    assert "edited while the pass ran" in done.refused[0].reason
    assert done.refused[0].next


@pytest.mark.parametrize("usd", [float("nan"), -1.0])
def test_a_bound_that_bounds_nothing_is_refused(home: Home, usd: float) -> None:
    """A budget that is no amount ends the pass before the model is asked, and not in spending."""
    asked = model()
    with pytest.raises(UsageError, match="budget"):
        home.dream(model=asked, budget_usd=usd)
    assert asked.requests == []


def test_a_pass_without_a_model_sees_the_persons_hand(home: Home) -> None:
    """What a person writes after a pass yields to no older turn, be it a pass without a model."""
    (home.root / "MEMORY.md").write_text(MEMORY.replace("Paris", "Rome"))
    assert home.dream(model="none").outcome == "nothing"
    (home.root / "MEMORY.md").write_text(MEMORY)
    done = home.dream(model=model(move()))
    assert not done.wrote
    assert "a person wrote this claim" in done.waiting[0].reason


def test_a_dry_run_is_no_pass_that_a_hand_comes_after(home: Home) -> None:
    """Before the first pass no claim counts as edited, and a look alone is none."""
    assert not home.dream(model="none", dry_run=True).wrote
    (home.root / "MEMORY.md").write_text(MEMORY + "- Sings.\n")
    assert home.dream(model=model(move())).wrote
