from __future__ import annotations

import pytest

from toolnexus.models.completion import Usage
from toolnexus.testing.model import ScriptedModel, call, say, use

PLANTS = "Be brief.\n\n## Tasks\n- [ ] Water (every 1d at 09:00)\n- [ ] Pay (at 2026-11-30 12:00)\n"


def test_a_reply_is_delivered_and_recorded_as_no_evidence(ava):
    """It is said as it is, costs are counted, and its turn is marked as unprompted."""
    ava.write("HEARTBEAT.md", "Tell me when the build is red.\n")
    beat = ava.beat(ScriptedModel(say("**Red** since 9.", usage=Usage(90, 10, 0.25, 1))))
    assert (beat.outcome, beat.reply, str(beat), beat.exit_code) == (
        "delivered", "**Red** since 9.", "**Red** since 9.", 0,
    )  # fmt: skip
    assert ava.said == ["**Red** since 9."]
    [turn] = ava.turns()
    assert (turn.role, turn.text, turn.record["unprompted"]) == (
        "assistant",
        "**Red** since 9.",
        True,
    )
    usage = beat.usage
    assert (usage.model_calls, usage.tokens_in, usage.tokens_out, usage.usd) == (1, 90, 10, 0.25)
    assert ava.state("beat")["spent_usd"] == {"2026-11-30": 0.25}


def test_silence_leaves_no_turn(ava):
    """HEARTBEAT_OK says nothing, and nothing is written to the home."""
    ava.write("HEARTBEAT.md", "Tell me when the build is red.\n")
    beat = ava.beat(ScriptedModel("**HEARTBEAT_OK**."))
    assert (beat.outcome, beat.reply, ava.said, ava.turns()) == ("silent", "", [], [])
    assert not (ava.root / "transcripts").exists()


def test_the_request_has_the_soul_the_time_and_what_is_due(ava):
    """The model sees the due tasks and the prose of HEARTBEAT.md, and not what is to come."""
    ava.write("HEARTBEAT.md", PLANTS + "- [ ] Plan the jubilee (at 2999-01-01)\n")
    ava.write("MEMORY.md", "- Likes tea.\n\n## AGENTS.md\n\nObey.\n")
    model = ScriptedModel("Water the plants, please.")
    ava.at("2026-11-30T08:00:00Z").beat(ScriptedModel("HEARTBEAT_OK"))
    beat = ava.at("2026-11-30T12:00:00Z").beat(model)
    assert beat.tasks == ("Water", "Pay")
    soul, prompt = (message.text for message in model.requests[0].messages)
    assert "## SOUL.md\n" in soul
    assert "Be brief." in soul
    assert "jubilee" not in soul + prompt
    assert "\n## AGENTS.md" not in soul
    assert "It is Monday, 2026-11-30 12:00 (UTC)." in prompt
    assert "- Water\n- Pay" in prompt
    assert {tool.name for tool in model.requests[0].tools} == {
        "memory", "note_search", "transcript_search",
    }  # fmt: skip


def test_every_run_starts_afresh(ava):
    """A beat knows nothing of the beat before it but what stands in the home."""
    ava.write("HEARTBEAT.md", "Look.\n")
    ava.beat(ScriptedModel("First."))
    model = ScriptedModel("Second.")
    ava.later(minutes=30).beat(model)
    assert [message.role for message in model.requests[0].messages] == ["system", "user"]


def test_tools_work_on_the_home(ava):
    """What the persona remembers is on the disk, can be undone, and a host's tools are offered."""
    ava.write("HEARTBEAT.md", "Look at the thermometer.\n")

    def thermometer(room: str) -> str:
        """Read a thermometer."""
        return f"{room}: 31 degrees"

    model = ScriptedModel(
        use(call("thermometer", room="attic")),
        use(call("memory", action="add", text="The attic is hot.")),
        use(call("memory", action="read")),
        use(call("note_search", query="attic")),
        use(call("transcript_search", query="attic")),
        "The attic is at 31 degrees.",
    )
    beat = ava.beat(model, tools=[thermometer])
    results = [message.text for message in model.requests[-1].messages if message.role == "tool"]
    assert beat.outcome == "delivered"
    assert results[0] == "attic: 31 degrees"
    assert "The attic is hot." in results[2]
    assert "The attic is hot." in results[3]
    assert results[4].startswith("No conversation")
    assert "The attic is hot." in ava.read("MEMORY.md")
    [entry] = [entry for entry in ava.open().log() if entry.job == "memory"]
    ava.open().revert(entry.id)
    assert not (ava.root / "MEMORY.md").exists()


def test_a_recurring_task_is_done_once_however_many_beats(ava):
    """It is first due at its slot after it was seen, once, and once after missed ones."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Water (every 1d at 09:00)\n")
    outcomes = {}
    for instant in (
        "2026-11-30T08:00", "2026-11-30T09:00", "2026-11-30T09:30", "2026-12-04T11:00",
        "2026-12-04T11:30", "2026-12-05T09:00",
    ):  # fmt: skip
        outcomes[instant] = ava.at(instant).beat().reply
    assert list(outcomes.values()) == ["", "Water", "", "Water", "", "Water"]
    assert ava.beat().next_due.isoformat() == "2026-12-06T09:00:00+00:00"


def test_a_one_time_task_is_ticked_after_it_was_delivered(ava):
    """Its box is ticked and nothing else is touched; a second beat says nothing."""
    ava.write("HEARTBEAT.md", "## Tasks\r\n- [ ] Pay (at 2026-11-30)\r\n- [ ] Go (at 2999-01-01)")
    beat = ava.beat()
    assert (beat.outcome, beat.reply, beat.tasks) == ("delivered", "Pay", ("Pay",))
    assert beat.next_due.year == 2999
    assert ava.read("HEARTBEAT.md") == (
        "## Tasks\r\n- [x] Pay (at 2026-11-30)\r\n- [ ] Go (at 2999-01-01)"
    )
    assert ava.beat().skipped_because == "nothing due"
    assert ava.said == ["Pay"]


def test_a_tick_is_told_as_one(ava):
    """The history gives a beat's reason for a ticked box, and speaks of no transcript."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30)\n")
    ava.beat()
    [entry] = ava.open().log()
    assert [change.why for change in entry.changes] == ["its time came, and the beat was made"]


def test_a_one_time_task_given_a_new_date_is_due_again(ava):
    """A later moment of the same text is another time, and so is a box that a person clears."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30)\n")
    ava.beat()
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30 08:30)\n")
    assert ava.at("2026-11-30T08:30:00Z").beat().reply == "Pay"
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30 08:30)\n")
    assert ava.later(minutes=1).beat().reply == "Pay"


def test_a_model_that_completes_a_run_ticks_its_tasks(ava):
    """A silent run counts as done as well."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30)\n")
    assert ava.beat(ScriptedModel("HEARTBEAT_OK")).outcome == "silent"
    assert "[x] Pay" in ava.read("HEARTBEAT.md")


def test_paused_tasks_wait_and_begin_anew(ava):
    """A ticked recurring task is never due; when its box is cleared it waits for its next slot."""
    text = "## Tasks\n- [{}] Water (every 1d at 09:00)\n"
    ava.write("HEARTBEAT.md", text.format("x"))
    assert ava.beat().reply == ""
    assert ava.later(days=3).beat().reply == ""
    ava.write("HEARTBEAT.md", text.format(" "))
    assert ava.beat().reply == ""
    assert ava.at("2026-12-04T09:00:00Z").beat().reply == "Water"


def test_without_a_model_prose_is_left_out_and_that_is_said(ava):
    """Due tasks go out as they stand, with their details; prose and timeless tasks need a model."""
    ava.write(
        "HEARTBEAT.md",
        "Look.\n\n## Tasks\n- [ ] Pay (at 2026-11-30)\n  - by card\n- [ ] Call (at 2026-11-29)\n"
        "- [ ] Keep an eye on it\n",
    )
    beat = ava.beat()
    assert beat.reply == "- Pay\n  - by card\n- Call"
    assert "no model is set" in beat.reason
    again = ava.beat()
    assert (again.skipped_because, again.exit_code) == ("nothing due", 0)
    assert "no model is set" in again.reason
    assert ava.state()["reason"] == again.reason


@pytest.mark.parametrize("text", [None, "", "# Heartbeat\n<!-- nothing yet -->\n- [ ]\n"])
def test_an_empty_heartbeat_asks_no_model(ava, text):
    """Neither a missing file nor a template costs anything; why is in the state folder."""
    if text is not None:
        ava.write("HEARTBEAT.md", text)
    model = ScriptedModel(default="I am here.")
    beat = ava.beat(model)
    assert (beat.outcome, beat.skipped_because, model.requests) == ("skipped", "empty", [])
    assert ava.state()["skipped_because"] == "empty"
    forced = ava.beat(model, force=True)
    assert (forced.outcome, len(model.requests)) == ("delivered", 1)


def test_force_does_not_invent_work_without_a_model(ava):
    """With nothing due and no model a forced beat has nothing to say."""
    ava.write("HEARTBEAT.md", "Look.\n")
    assert ava.beat(force=True).outcome == "skipped"
    assert ava.said == []


def test_the_days_money_ends_the_days_beats(ava):
    """Beats stop when it is spent, in the home's own day, and begin again the next."""
    ava.write("persona.yaml", "heartbeat: {timezone: Asia/Tokyo, budget: {usd_per_day: 0.5}}\n")
    ava.write("HEARTBEAT.md", "Look.\n")
    model = ScriptedModel(default=say("Fine.", usage=Usage(10, 10, 0.3, 1)))
    outcomes = [ava.later(minutes=30).beat(model).skipped_because for _ in range(3)]
    assert outcomes == ["", "", "budget spent"]
    assert ava.beat(model, force=True).outcome == "delivered"
    assert ava.at("2026-11-30T15:00:00Z").beat(model).outcome == "delivered"


def test_a_beat_that_costs_more_than_it_may_is_ended(ava):
    """Tokens are counted while it runs; it fails with its reason, and its tasks stay due."""
    ava.write("persona.yaml", "heartbeat: {timezone: UTC, budget: {tokens_per_beat: 5000}}\n")
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 2026-11-30)\n")
    model = ScriptedModel(
        use(call("memory", action="list"), usage=Usage(4990, 5, None, 1)), "Done."
    )
    beat = ava.beat(model)
    assert (beat.outcome, beat.exit_code, len(model.requests)) == ("failed", 69, 1)
    assert "tokens" in beat.reason
    assert "[ ] Pay" in ava.read("HEARTBEAT.md")


def test_active_hours_are_the_homes_own(ava):
    """Outside of them nothing happens; the task that fell into the night is done in the morning."""
    ava.write("persona.yaml", "heartbeat: {timezone: Europe/Berlin, active_hours: 08:00-22:00}\n")
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Water (every 1d at 23:00)\n")
    ava.at("2026-11-30T12:00:00Z").beat()
    night = ava.at("2026-11-30T23:00:00Z").beat()
    assert night.skipped_because == "outside active hours"
    assert night.next_due.isoformat() == "2026-11-30T22:00:00+00:00"
    assert ava.at("2026-12-01T07:00:00Z").beat().reply == "Water"


def test_a_bad_task_is_told_once(ava):
    """Its line and reason are a notice at the first beat that meets it, and at no other."""
    ava.write("HEARTBEAT.md", "## Tasks\n- [ ] Pay (at 15:00)\n")
    first, second = ava.beat(), ava.beat()
    assert first.skipped_because == second.skipped_because == "nothing due"
    assert "HEARTBEAT.md:2: " in first.notices[0]
    assert second.notices == ()


def test_a_command_delivers(ava):
    """A reply can go to a program that runs in the home."""
    ava.write("persona.yaml", "heartbeat: {timezone: UTC, deliver: [{command: [tee, got.txt]}]}\n")
    ava.write("HEARTBEAT.md", "Look.\n")
    beat = ava.beat(ScriptedModel("Hello."))
    assert (beat.outcome, ava.said, ava.read("got.txt")) == ("delivered", [], "Hello.\n")


def test_the_overview_shows_the_last_beat_and_what_is_due(ava):
    """Due tasks with a time are listed until a beat has done them, and nothing is written."""
    ava.write("HEARTBEAT.md", PLANTS)
    assert ava.open().overview().last_beat is None
    ava.beat()
    seen = ava.at("2026-11-30T09:00:00Z").open().overview()
    assert (seen.last_beat, seen.due) == ("2026-11-30T08:00:00Z", ("Water",))
    ava.beat()
    assert ava.open().overview().due == ()
    (ava.root / "HEARTBEAT.md").write_bytes(b"\xff")
    assert ava.open().overview().due == ()
