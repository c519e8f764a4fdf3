"""A person saves files in the very moment in which a pass reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus.app import Home
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.store import texts
from toolnexus.testing.model import ScriptedModel, call, use

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from toolnexus.models.completion import Completion

SAID = "Big news: we finally moved to Berlin."
FILES = {
    "SOUL.md": "You are Ava.\n",
    "MEMORY.md": "# Memory\n\n- Lives in Paris.\n- Likes boats.\n",
    "memory/boat.md": "# Boat\n\n- Some [[gren-tea]] is in the boat.\n- It is red.\n",
    "memory/green-tea.md": "# Green tea\n\n- It is hot.\n- It is hot.\n",
    "transcripts/m.jsonl": json.dumps({"role": "user", "content": SAID}) + "\n",
}
NOTES = ("MEMORY.md", "memory/boat.md", "memory/green-tea.md")
ADDED = "- One more by hand.\n"
CLAIMS = ("Likes boats.", "is in the boat.", "It is red.", "It is hot.")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home whose files are known from an earlier reading, so that texts are loaded late."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    open_home(tmp_path).read()
    return tmp_path


def open_home(root: Path) -> Home:
    return Home.open(root, clock=FixedClock(parse_instant("2026-11-29T03:00:00Z")))


def save_all(root: Path) -> None:
    """Save every note with one line more, as an editor does."""
    for path in NOTES:
        with (root / path).open("a") as file:
            file.write(ADDED)


@pytest.fixture
def saving(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[str]]:
    """Return what makes a person save everything just before the n-th reading of a file."""
    read = texts.read_capped

    def at(moment: int) -> list[str]:
        asked: list[str] = []

        def read_late(home: Path, path: str) -> bytes:
            asked.append(path)
            if len(asked) == moment:
                save_all(root)
            return read(home, path)

        monkeypatch.setattr(texts, "read_capped", read_late)
        return asked

    return at


def require_all_stands(root: Path) -> None:
    """Every claim stands, and every line that the person added."""
    said = {path: (root / path).read_text() for path in NOTES}
    for claim in CLAIMS:
        assert any(claim in text for text in said.values()), claim
    assert all(ADDED in text for text in said.values())


@pytest.mark.parametrize("moment", range(1, 5))
@pytest.mark.parametrize("job", ["dream", "compact"])
def test_a_job_goes_on_with_what_was_saved(root, saving, moment, job):
    """A file that is saved while a job reads costs nothing: it begins anew, and does its work."""
    asked = saving(moment)
    done = getattr(open_home(root), job)(model="none")
    assert len(asked) >= moment
    assert done.outcome == "done"
    require_all_stands(root)
    if job == "dream":
        assert "[[green-tea]]" in (root / "memory/boat.md").read_text()


def test_a_pass_with_a_model_outlasts_a_save_of_everything(root):
    """What a model was paid for is kept, though every file was saved while it thought."""

    def save_and_move(_request: object) -> Completion:
        save_all(root)
        turn: dict[str, Any] = {
            "conversation": "m",
            "turn": 1,
            "quote": "we finally moved to Berlin",
        }
        arguments = {"text": "Lives in Paris.", "with": "Lives in Berlin.", "evidence": [turn]}
        return use(call("memory", action="replace", **arguments))

    asked = ScriptedModel(save_and_move, default="HEARTBEAT_OK")
    done = open_home(root).dream(model=asked)
    assert done.outcome == "done"
    require_all_stands(root)
    assert "Lives in Berlin." in (root / "MEMORY.md").read_text()
    assert "[[green-tea]]" in (root / "memory/boat.md").read_text()
