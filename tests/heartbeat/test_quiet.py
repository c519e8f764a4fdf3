from __future__ import annotations

import pytest

from toolnexus.heartbeat.quiet import fingerprint, is_settled, still_quiet

TASKS = "## Tasks\n- [ ] Water (every 1d at 09:00)\n"


@pytest.fixture
def quiet(ava, monkeypatch):
    """A home whose last beat was skipped until 09:00."""
    monkeypatch.setattr("toolnexus.heartbeat.quiet._TICK_NS", -10_000_000_000)
    ava.write("HEARTBEAT.md", TASKS)
    assert ava.at("2026-11-30T08:00:00Z").beat().skipped_because == "nothing due"
    return ava


def answer(ava, instant: str):
    return still_quiet(ava.root, ava.root / ".toolnexus", ava.at(instant).clock.now())


def test_a_quiet_spell_answers_until_the_next_task(quiet):
    """The same answer stands until a task is due, and neither before it was given."""
    beat = answer(quiet, "2026-11-30T08:59:59Z")
    assert (beat.outcome, beat.skipped_because, beat.exit_code) == ("skipped", "nothing due", 0)
    assert beat.next_due.hour == 9
    assert quiet.state()["at"] == "2026-11-30T08:59:59Z"
    assert answer(quiet, "2026-11-30T09:00:00Z") is None
    assert answer(quiet, "2026-11-30T07:59:59Z") is None
    assert quiet.at("2026-11-30T09:00:00Z").beat().reply == "Water"
    assert answer(quiet, "2026-11-30T09:00:01Z") is None


@pytest.mark.parametrize("path", ["HEARTBEAT.md", "persona.yaml"])
def test_an_edit_ends_it(quiet, path):
    """Whatever is saved, removed or touched is looked at."""
    text = quiet.read(path)
    quiet.write(path, text + "\n")
    assert answer(quiet, "2026-11-30T08:10:00Z") is None
    (quiet.root / path).unlink()
    assert answer(quiet, "2026-11-30T08:10:00Z") is None


@pytest.mark.parametrize("name", ["TOOLNEXUS_MODEL", "TZ"])
def test_another_environment_ends_it(quiet, monkeypatch, name):
    """A model that is set, or another zone, can make something due."""
    monkeypatch.setenv(name, "Asia/Tokyo")
    assert answer(quiet, "2026-11-30T08:10:00Z") is None


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b'{"quiet": 1}', b'{"quiet": {"since": "x", "until": null}}', b"\xff"],
)
def test_a_damaged_note_is_no_answer(quiet, damage):
    """Whatever is odd about it, the beat is made in full."""
    (quiet.root / ".toolnexus/state/beat-last.json").write_bytes(damage)
    assert answer(quiet, "2026-11-30T08:10:00Z") is None
    assert quiet.beat().skipped_because == "nothing due"


def test_no_home_is_no_answer(quiet):
    """A home that is gone is told by the beat itself."""
    quiet.root.rename(quiet.root.with_name("gone"))
    state = quiet.root.with_name("gone") / ".toolnexus"
    assert still_quiet(quiet.root, state, quiet.clock.now()) is None


def test_a_file_that_was_just_saved_is_looked_at_again(ava):
    """Nothing rests on a stamp that a second save within the disk's tick could bear as well."""
    ava.write("HEARTBEAT.md", "")
    found = fingerprint(ava.root)
    saved_ns = max(found["HEARTBEAT.md"][1:3])
    assert not is_settled(found, saved_ns + 50_000_000)
    coarse = {name: [1, 10**9, 2 * 10**9, 7] for name in ("HEARTBEAT.md", "persona.yaml")}
    assert not is_settled(coarse, 4 * 10**9)
    assert is_settled(coarse, 4 * 10**9 + 1)
    assert is_settled({}, 0)


def test_a_beat_with_another_model_notes_nothing(quiet):
    """What a caller's own model was asked says nothing of the next scheduler's beat."""
    from toolnexus.testing.model import ScriptedModel

    quiet.later(minutes=1).beat(ScriptedModel())
    assert answer(quiet, "2026-11-30T08:10:00Z") is None
