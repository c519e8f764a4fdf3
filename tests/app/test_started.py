"""Started personas, on virtual time: beats and dreams come, coalesce, fail loudly, and stop."""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import timedelta
from typing import Any

import pytest
from talking_homes import open_ava

from toolnexus.errors import ConfigError, Unreachable, UsageError
from toolnexus.testing.model import ScriptedModel

PROSE = "Tell Maria what is new.\n"


def due_ava(root: Any, *replies: Any, text: str = PROSE, **options: Any) -> Any:
    """A persona that has something to look at at every beat."""
    home = open_ava(root, ScriptedModel(*replies, default="HEARTBEAT_OK"), **options)
    (root / "HEARTBEAT.md").write_text(text)
    return home


class Gate:
    """A reply that waits until it may be given."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.begun, self.open = threading.Event(), threading.Event()

    def __call__(self, _request: Any) -> str:
        """Say that it was asked, and wait."""
        self.begun.set()
        assert self.open.wait(20)
        return self.text


def test_a_due_beat_reports_its_words(tmp_path):
    """A beat comes when its time has, and not before; a silent one reports nothing."""
    home = due_ava(tmp_path / "ava", "The parcel has come.", "HEARTBEAT_OK", "And another.")
    said: list[Any] = []
    with home.start(every="30m", on_beat=lambda beat: said.append(str(beat))) as started:
        for minutes, wanted in ((29, 0), (1, 1), (30, 1), (30, 2)):
            home.clock.advance(minutes=minutes)
            assert started.settle()
            assert len(said) == wanted
    assert said == ["The parcel has come.", "And another."]
    assert [turn.text for turn in home.transcripts.get("heartbeat").turns] == said


def test_nothing_due_woken_twice_reports_nothing(tmp_path):
    """Without anything to do a beat asks no model, however often it is woken."""
    home = due_ava(tmp_path / "ava", text="# Nothing\n")
    said: list[Any] = []
    with home.start(every="30m", on_beat=said.append) as started:
        for _ in range(2):
            started.wake()
            assert started.settle()
    assert (said, home.host.model.requests) == ([], [])
    assert home.store.read_state("beat-last")["skipped_because"] == "empty"


def test_ticks_of_a_held_beat_are_one(tmp_path):
    """While a beat goes on, all that becomes due is one beat, made right after it."""
    gate = Gate("First.")
    home = due_ava(tmp_path / "ava", gate, "Second.", "Third.")
    said: list[str] = []
    with home.start(every="30m", on_beat=lambda beat: said.append(beat.reply)) as started:
        home.clock.advance(minutes=30)
        assert gate.begun.wait(20)
        for _ in range(3):
            home.clock.advance(minutes=30)
            started.wake()
        gate.open.set()
        assert started.settle()
        assert said == ["First.", "Second."]
        home.clock.advance(minutes=30)
        assert started.settle()
    assert said == ["First.", "Second.", "Third."]


def test_what_a_callback_raises_stops_nothing(tmp_path):
    """An error in on_beat is reported, and the next beat comes."""
    home = due_ava(tmp_path / "ava", "One.", "Two.")
    seen: list[str] = []
    errors: list[Exception] = []

    def on_beat(beat: Any) -> None:
        seen.append(beat.reply)
        raise ZeroDivisionError("oh")

    with home.start(every="30m", on_beat=on_beat, on_error=errors.append) as started:
        for _ in range(2):
            home.clock.advance(minutes=30)
            assert started.settle()
    assert seen == ["One.", "Two."]
    assert [str(error) for error in errors] == ["oh", "oh"]


def test_a_callback_that_ends_the_program_ends_no_beats(tmp_path):
    """On a thread SystemExit goes by without a word: it is reported, and the next beat comes."""
    home = due_ava(tmp_path / "ava", "One.", "Two.")
    seen: list[str] = []
    errors: list[Exception] = []

    def on_beat(beat: Any) -> None:
        seen.append(beat.reply)
        raise SystemExit(3)

    with home.start(every="30m", on_beat=on_beat, on_error=errors.append) as started:
        for _ in range(2):
            home.clock.advance(minutes=30)
            assert started.settle()
    assert seen == ["One.", "Two."]
    assert [str(error) for error in errors] == ["on_beat tried to end the program: 3"] * 2


def test_a_failed_beat_is_never_silent(tmp_path, caplog):
    """Without on_error what went wrong is in the log, also when on_error itself fails."""
    home = due_ava(tmp_path / "ava", Unreachable("nobody there"), Unreachable("still nobody"))
    said: list[Any] = []

    def broken(error: Exception) -> None:
        raise RuntimeError(f"cannot tell of: {error}")

    with caplog.at_level(logging.ERROR, "toolnexus"):
        with home.start(every="30m", on_beat=said.append) as started:
            started.wake()
            assert started.settle()
        home.clock.advance(days=2)
        with home.start(every="30m", on_beat=said.append, on_error=broken) as started:
            started.wake()
            assert started.settle()
    assert said == []
    assert "nobody there" in caplog.text
    assert "cannot tell of: still nobody" in caplog.text


def test_dreams_come_at_their_own_pace(tmp_path):
    """A pass that did something is reported as its sentence; one without is not."""
    home = due_ava(tmp_path / "ava", text="")
    (tmp_path / "ava/memory").mkdir()
    (tmp_path / "ava/memory/green-teas.md").write_text("- Sencha.\n")
    home.remember("Drinks [[gren-teas]].")
    said: list[str] = []
    pace = {"every": "24h"}
    offline = open_ava(tmp_path / "ava", "none", clock=home.clock)
    with offline.start(on_beat=lambda done: said.append(str(done)), dream=pace) as started:
        for _ in range(3):
            offline.clock.advance(hours=24)
            assert started.settle()
    assert said == ["1 link repaired"]


def test_a_slow_dream_holds_up_no_beat(tmp_path):
    """Beats go on while a dream does, and stopping waits for both."""
    gate = Gate("HEARTBEAT_OK")
    home = due_ava(tmp_path / "ava", "Here.", "Still here.")
    home.transcripts.append("talk", {"role": "user", "content": "I like tea, and coffee too."})
    said: list[str] = []
    pace = {"every": "1h", "model": ScriptedModel(gate, default="HEARTBEAT_OK")}
    on_beat = lambda done: said.append(str(done))  # noqa: E731
    with home.start(every="30m", on_beat=on_beat, dream=pace) as started:
        home.clock.advance(minutes=60)
        assert gate.begun.wait(20)
        home.clock.advance(minutes=30)
        assert not started.settle(0.2)
        gate.open.set()
        assert started.settle()
    assert said == ["Here.", "Still here."]


def test_stopping_closes_everything(tmp_path):
    """After the block no beat and no dream comes any more, and its threads have ended."""
    home = due_ava(tmp_path / "ava", "Here.")
    before = set(threading.enumerate())
    with home.start(every="30m", dream={"every": "1h"}) as started:
        assert len(set(threading.enumerate()) - before) == 2
    assert set(threading.enumerate()) <= before
    home.clock.advance(hours=9)
    started.wake()
    assert started.settle()
    assert home.host.model.requests == []
    assert started.stop()


def test_a_callback_may_stop_it(tmp_path):
    """Stopping from within a beat waits for nobody, least of all for itself."""
    home = due_ava(tmp_path / "ava", "Bye.", "Never said.")
    said: list[str] = []

    def on_beat(beat: Any) -> None:
        said.append(beat.reply)
        started.stop()

    with home.start(every="30m", on_beat=on_beat) as started:
        home.clock.advance(minutes=30)
        assert started.settle()
        home.clock.advance(minutes=30)
        assert started.settle()
    assert said == ["Bye."]


def test_a_clock_that_is_put_back_delays_by_no_more_than_a_pace(tmp_path):
    """Where the clock jumps back by a year the next beat still comes within half an hour."""
    home = due_ava(tmp_path / "ava", "Here.", "Here again.")
    said: list[str] = []
    with home.start(every="30m", on_beat=lambda beat: said.append(beat.reply)) as started:
        home.clock.advance(minutes=30)
        assert started.settle()
        home.clock.advance(days=-365)
        started.wake()
        assert started.settle()
        home.clock.advance(minutes=30)
        assert started.settle()
    assert len(said) == 2


def test_a_missed_beat_is_made_at_once_after_a_restart(tmp_path):
    """What should have come while the program was down comes when it is started again, once."""
    home = due_ava(tmp_path / "ava", "One.", "Two.")
    said: list[str] = []
    on_beat = lambda beat: said.append(beat.reply)  # noqa: E731
    for _ in range(2):
        with home.start(every="30m", on_beat=on_beat) as started:
            started.settle()
            if not said:
                home.clock.advance(minutes=30)
                assert started.settle()
        home.clock.advance(hours=5)
    assert said == ["One.", "Two."]


def test_the_settings_pace_beats_and_dreams(tmp_path):
    """Without `every` the settings say it, as a cron schedule too."""
    home = due_ava(tmp_path / "ava", "At nine.")
    settings = tmp_path / "ava/persona.yaml"
    settings.write_text('heartbeat: {timezone: UTC, cron: "0 9 * * *"}\n')
    home = open_ava(tmp_path / "ava", home.host.model, clock=home.clock)
    said: list[str] = []
    with home.start(on_beat=lambda beat: said.append(beat.reply)) as started:
        for minutes, wanted in ((59, []), (1, ["At nine."])):
            home.clock.advance(minutes=minutes)
            assert started.settle()
            assert said == wanted


@pytest.mark.parametrize(
    "options",
    [
        {"every": "0m"},
        {"every": "soon"},
        {"every": timedelta(0)},
        {"every": timedelta(seconds=-1)},
        {"every": 30},
        {"dream": {"every_ms": 0}},
        {"dream": {"every_ms": -5}},
        {"dream": {"evry": "1h"}},
        {"dream": {"every": "never"}},
        {"dream": "24h"},
    ],
)
def test_a_length_of_time_that_will_not_do(tmp_path, options):
    """Nothing is started at a pace of zero, below it, or that cannot be read."""
    before = threading.active_count()
    with pytest.raises(UsageError):
        open_ava(tmp_path / "ava").start(**options)
    assert threading.active_count() == before


def test_wrong_settings_start_nothing(tmp_path):
    """What the settings do not allow is told before a thread begins."""
    open_ava(tmp_path / "ava")
    (tmp_path / "ava/persona.yaml").write_text("heartbeat: {evry: 30m}\n")
    with pytest.raises(ConfigError):
        open_ava(tmp_path / "ava").start()


def test_starting_from_an_event_loop(tmp_path):
    """Callbacks come on the loop and may be async, async tools run there, and stopping waits."""
    loops: list[Any] = []
    said: list[str] = []

    async def on_beat(beat: Any) -> None:
        loops.append(asyncio.get_running_loop())
        said.append(beat.reply)
        if beat.reply == "Two.":
            raise ZeroDivisionError("oh")

    async def main() -> Any:
        async with home.astart(every="30m", on_beat=on_beat, on_error=errors.append) as started:
            for _ in range(2):
                home.clock.advance(minutes=30)
                assert await started.settle()
        started = await home.astart(every="30m")
        started.wake()
        assert await started.settle()
        assert await started.stop()
        return asyncio.get_running_loop()

    home = due_ava(tmp_path / "ava", "One.", "Two.")
    errors: list[Exception] = []
    loop = asyncio.run(main())
    assert (said, loops, [str(error) for error in errors]) == (["One.", "Two."], [loop] * 2, ["oh"])


def test_beats_and_dreams_from_an_event_loop(tmp_path):
    """The async twins give what their namesakes give."""
    home = due_ava(tmp_path / "ava", "Here.")

    async def main() -> Any:
        return await home.abeat(), await home.adream(dry_run=True)

    beat, done = asyncio.run(main())
    assert (beat.outcome, str(beat), str(done)) == ("delivered", "Here.", "HEARTBEAT_OK")
