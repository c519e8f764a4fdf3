"""Passes that are recorded and replayed, and bounded in money."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import UsageError
from toolnexus.models.completion import Usage
from toolnexus.testing.model import ScriptedModel, call, say, use

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-abcdef0123456789abcdef"
MOVED = {"conversation": "m", "turn": 1, "quote": "we finally moved to Berlin"}
MOVE = {"action": "replace", "text": "Lives in Paris.", "with": "Lives in Berlin."}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home with one claim that its transcript contradicts, and a key that somebody pasted."""
    root = tmp_path / "ava"
    (root / "transcripts").mkdir(parents=True)
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_text("# Memory\n\n- Lives in Paris.\n- Plays the flute.\n")
    text = f"Big news: we finally moved to Berlin. My key is {SECRET}."
    line = json.dumps({"role": "user", "content": text, "ts": "2026-11-20T14:03:11Z"})
    (root / "transcripts" / "m.jsonl").write_text(line + "\n")
    return root


def open_home(root: Path, model: str | None = None) -> Home:
    clock = FixedClock(parse_instant("2026-11-29T03:00:00Z"))
    return Home.open(root, clock=clock, model=model)


def scripted() -> ScriptedModel:
    return ScriptedModel(use(call("memory", **MOVE, evidence=[MOVED])), "HEARTBEAT_OK")


def test_a_replay_makes_the_same_pass_without_a_model(root: Path, tmp_path: Path) -> None:
    """A copy of the home replays the recorded pass to the same bytes, key and network unneeded."""
    copy, tape = tmp_path / "copy", tmp_path / "tape.jsonl"
    shutil.copytree(root, copy)
    first = open_home(root).dream(model=scripted(), record=tape)
    again = open_home(copy, "none").dream(replay=tape)
    assert first.outcome == again.outcome == "done"
    assert (copy / "MEMORY.md").read_bytes() == (root / "MEMORY.md").read_bytes()
    assert again.stats.tokens_in == first.stats.tokens_in
    assert again.notices == ()


def test_a_recording_holds_no_key(root: Path, tmp_path: Path) -> None:
    """What looks like a key in a turn is masked in the recording, which replays all the same."""
    tape = tmp_path / "tape.jsonl"
    open_home(root).dream(model=scripted(), record=tape, dry_run=True)
    assert SECRET not in tape.read_text()
    assert open_home(root).dream(replay=tape).outcome == "done"


def test_a_recording_of_another_home_is_told(root: Path, tmp_path: Path) -> None:
    """Where the pass asks something else than was recorded it stops, and nothing has changed."""
    tape = tmp_path / "tape.jsonl"
    open_home(root).dream(model=scripted(), record=tape, dry_run=True)
    changed = "# Memory\n\n- Lives in Paris.\n- Plays the harp, and we moved it.\n"
    (root / "MEMORY.md").write_text(changed)
    with pytest.raises(UsageError, match="asks something else than was recorded") as caught:
        open_home(root).dream(replay=tape)
    assert caught.value.path == str(tape)
    assert (root / "MEMORY.md").read_text() == changed


def test_what_was_not_asked_for_is_told(root: Path, tmp_path: Path) -> None:
    """A replay over a home that was dreamt already asks nothing, and says what was left over."""
    tape = tmp_path / "tape.jsonl"
    open_home(root).dream(model=scripted(), record=tape)
    again = open_home(root).dream(replay=tape)
    assert again.outcome == "nothing"
    assert again.notices == ("2 replies of the recording were not asked for",)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"record": "a", "replay": "b"}, "not both"),
        ({"record": "a"}, "no model to record"),
        ({"replay": "missing"}, "cannot read the recording"),
    ],
)
def test_senseless_recordings_are_refused(root: Path, options: dict[str, str], told: str) -> None:
    """Both at once, nothing to record, and a file that is not there are errors with a hint."""
    with pytest.raises(UsageError, match=told) as caught:
        open_home(root, "none").dream(**options)  # type: ignore[arg-type]
    assert caught.value.hint


def test_a_bound_in_money_ends_a_pass_early(root: Path) -> None:
    """The call's bound goes before the settings', keeps what was earned and says what is left."""
    (root / "persona.yaml").write_text("dream: {budget: {usd: 100}}\n")
    dear = use(call("memory", **MOVE, evidence=[MOVED]), usage=Usage(100, 20, 0.3, 1))
    model = ScriptedModel(dear, default=say("HEARTBEAT_OK"))
    done = open_home(root).dream(model=model, budget_usd=0.25)
    assert (done.outcome, done.stats.usd, len(model.requests)) == ("partial", 0.3, 1)
    assert "0.3000 of 0.2500 US dollars" in done.reply
    assert "Lives in Berlin." in (root / "MEMORY.md").read_text()


def test_no_money_asks_nothing(root: Path) -> None:
    """A budget of nothing makes no model call; the claims stay due."""
    model = ScriptedModel()
    done = open_home(root).dream(model=model, budget_usd=0)
    assert (done.outcome, model.requests) == ("partial", [])


def test_a_recording_overwrites_nothing_but_a_recording(root: Path, tmp_path: Path) -> None:
    """A slip of the hand that names MEMORY.md empties no memory; an older recording may go."""
    before = (root / "MEMORY.md").read_bytes()
    linked = tmp_path / "memory.jsonl"
    linked.hardlink_to(root / "MEMORY.md")
    for slip in (root / "MEMORY.md", linked):
        with pytest.raises(UsageError):
            open_home(root).dream(model=scripted(), record=slip)
    assert (root / "MEMORY.md").read_bytes() == before
    tape = tmp_path / "tape.jsonl"
    open_home(root).dream(model=scripted(), record=tape)
    open_home(root).dream(model=scripted(), full=True, record=tape)
    assert tape.read_bytes().startswith(b'{"schema"')


def test_a_recording_is_no_note(root: Path) -> None:
    """What was asked and replied does not become memory: no recording into a home's Markdown."""
    with pytest.raises(UsageError, match="memory"):
        open_home(root).dream(model=scripted(), record=root / "memory" / "tape.md")
    assert not (root / "memory" / "tape.md").exists()
