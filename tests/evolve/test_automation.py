"""Gates and automation: jobs that recorded turns set off, one at a time, over restarts."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from compacting_homes import FADED, files, lay_out
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.app import Home
from toolnexus.app import automation as automating
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.evolve.gates import Gate, GateState, gate_value, read_gate_state
from toolnexus.testing.model import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


NOW = parse_instant("2026-11-30T08:00:00Z")
HOUR = timedelta(hours=1)
ARCHIVED = "memory/archive/bike.md"


def talking(root: Path, setting: str, at: timedelta = timedelta()) -> Home:
    """Open a home that compacts by itself, and has something to compact."""
    if not root.exists():
        lay_out(root, FADED, settings=f"compact: {{{setting}}}\n")
    model = ScriptedModel(default="Hm.")
    return Home.open(root, clock=FixedClock(NOW + at), model=model)


def jobs_done(home: Home) -> list[str]:
    """Return the jobs that wrote something, once all that is under way has ended."""
    assert home.automation.wait(60)
    return [record.job for record in home.log()]


# The gates themselves


def test_both_gates_have_to_be_open() -> None:
    """Neither turns nor time alone begins a job."""
    gate = Gate(2, HOUR)
    begun = GateState().recorded(2).begun(NOW)
    assert not begun.is_open(gate, NOW + 2 * HOUR)
    assert not begun.recorded(2).is_open(gate, NOW + HOUR / 2)
    assert begun.recorded(2).is_open(gate, NOW + HOUR)


def test_a_clock_that_was_put_back_shuts_no_gate() -> None:
    """A last time in the future counts as long ago."""
    assert GateState(2, NOW + 100 * HOUR).is_open(Gate(2, HOUR), NOW)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    st.builds(
        GateState,
        st.integers(0, 10**6),
        st.none() | st.datetimes().map(lambda day: NOW.replace(year=max(1000, day.year))),
        st.integers(0, 99),
        st.integers(0, 99),
    )
)
def test_what_is_kept_is_read_back(state: GateState) -> None:
    """Through JSON and back, nothing is lost."""
    assert read_gate_state(json.loads(json.dumps(gate_value(state)))) == state


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["turns", "last", "runs", "dropped"]), inner, max_size=4
            )
        ),
        max_leaves=6,
    )
)
def test_damaged_state_never_stops_anything(value: object) -> None:
    """Whatever stands there reads as a state with counts of nought or more."""
    state = read_gate_state(value)
    assert min(state.turns, state.runs, state.dropped) >= 0


# Over a home


def test_without_a_setting_nothing_is_counted(tmp_path: Path) -> None:
    """Off unless asked for: no state is kept, and nothing is compacted."""
    root = lay_out(tmp_path, FADED)
    home = Home.open(root, clock=FixedClock(NOW), model=ScriptedModel(default="Hm."))
    for _ in range(30):
        home.ask("hi")
    assert jobs_done(home) == []
    assert home.store.read_state("gates") is None


@pytest.mark.slow
def test_the_memory_compacts_by_itself_after_enough_turns(tmp_path: Path) -> None:
    """Question and answer are two turns; over a restart they count on."""
    root = tmp_path / "ava"
    talking(root, "every_turns: 4").ask("one")
    assert ARCHIVED not in files(root)
    home = talking(root, "every_turns: 4")
    home.ask("two")
    assert jobs_done(home) == ["compact"]
    assert ARCHIVED in files(root)
    state = home.automation.states()["compact"]
    assert (state.turns, state.runs, state.dropped) == (0, 1, 0)


def test_the_least_time_between_two_runs_is_kept_over_a_restart(tmp_path: Path) -> None:
    """What is due by turns waits for the time, and then begins with the next turn."""
    root, setting = tmp_path / "ava", "every_turns: 2, min_interval: 1h"
    first = talking(root, setting)
    first.ask("one")
    first.automation.wait()
    early = talking(root, setting, HOUR / 2)
    early.ask("two")
    assert early.automation.states()["compact"].runs == 1
    later = talking(root, setting, HOUR)
    later.ask("three")
    later.automation.wait()
    assert later.automation.states()["compact"].runs == 2


def held_open(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Make every job wait; return what tells that one has begun, and what lets it go."""
    begun, go = threading.Event(), threading.Event()

    def do(home: object, job: str) -> None:
        begun.set()
        assert go.wait(60)

    monkeypatch.setattr(automating, "_do", do)
    return begun, go


def test_a_trigger_while_one_is_under_way_is_dropped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jobs never pile up: of three triggers one runs, and two are counted as dropped."""
    begun, go = held_open(monkeypatch)
    home = talking(tmp_path / "ava", "every_turns: 2")
    for word in ("one", "two", "three"):
        home.ask(word)
        assert begun.wait(60)
    state = home.automation.states()["compact"]
    go.set()
    assert (state.runs, state.dropped, state.turns) == (1, 2, 0)
    assert home.automation.wait(60)


def test_a_trigger_while_another_process_compacts_is_dropped_and_counted(tmp_path: Path) -> None:
    """The lock of the job is held elsewhere: nothing is done, and it is counted."""
    home = talking(tmp_path / "ava", "every_turns: 2")
    with home.store.hold("compact"):
        home.ask("one")
        assert home.automation.wait(60)
    assert home.automation.states()["compact"].dropped == 1
    assert jobs_done(home) == []


def test_a_stop_waits_for_the_one_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`stop` gives it time, tells when that was not enough, and never breaks it off."""
    begun, go = held_open(monkeypatch)
    home = talking(tmp_path / "ava", "every_turns: 2")
    with home.start() as started:
        home.ask("one")
        assert begun.wait(60)
        assert not started.stop(0.01)
        go.set()
        assert started.stop(60)


def test_a_job_that_fails_is_logged_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The conversation goes on, and the next trigger tries again."""

    def fail(home: object, job: str) -> None:
        raise RuntimeError("no luck")

    monkeypatch.setattr(automating, "_do", fail)
    home = talking(tmp_path / "ava", "every_turns: 2")
    assert home.ask("one").text == "Hm."
    home.automation.wait()
    home.ask("two")
    home.automation.wait()
    assert home.automation.states()["compact"].runs == 2
    assert "no luck" in caplog.text


def test_many_processes_count_each_turn_once(tmp_path: Path) -> None:
    """Homes opened side by side share one count, and begin one job at its threshold."""
    root = tmp_path / "ava"
    homes = [talking(root, "every_turns: 50") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda home=home: [home.automation.recorded(1) for _ in range(10)])
        for home in homes
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert homes[0].automation.states()["compact"].turns == 40


def test_the_overview_tells_how_far_the_gates_are(tmp_path: Path) -> None:
    """Turns and dropped triggers are told of each job that the settings ask for."""
    home = talking(tmp_path / "ava", "every_turns: 50")
    home.ask("one")
    assert home.overview().automation == {"compact": GateState(2)}


def test_beats_count_as_well(tmp_path: Path) -> None:
    """What a heartbeat records brings the next compaction nearer."""
    root = lay_out(
        tmp_path,
        FADED,
        {"HEARTBEAT.md": "- Say hello.\n"},
        settings="compact: {every_turns: 1000}\n",
    )
    home = Home.open(root, clock=FixedClock(NOW), model=ScriptedModel(default="Hello!"))
    assert home.beat(force=True).outcome == "delivered"
    assert home.automation.states()["compact"].turns > 0
