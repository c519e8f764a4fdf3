from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from toolnexus.change.plan import Change, FileWrite, Plan
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import HomeError, LockedError, UsageError
from toolnexus.home.layout import SOUL_CAP_BYTES
from toolnexus.store.door import Store

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))
MEMORY = b"# Memory\n- Lives in Paris.\n- Works as a nurse.\n"
MOVED = MEMORY.replace(b"Paris", b"Berlin")
MOVE = Change("corrected", "MEMORY.md", 2, "Lives in Paris.", "Lives in Berlin.")


def make_home(root):
    root.mkdir(exist_ok=True)
    (root / "SOUL.md").write_text("You are Ava.\n")
    (root / "MEMORY.md").write_bytes(MEMORY)
    return root


def open_store(root, **options):
    return Store(make_home(root), clock=CLOCK, **options)


def plan_of(*writes, job="dream", changes=(), logged=True):
    return Plan(job, tuple(FileWrite(*write) for write in writes), tuple(changes), logged)


def test_a_commit_writes_files_and_log_together(tmp_path):
    """After a commit the files, one log entry and one record stand; the id is in the log."""
    store = open_store(tmp_path)
    done = store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), changes=[MOVE]))
    assert (tmp_path / "MEMORY.md").read_bytes() == MOVED
    assert done.id.startswith("20261129T030012Z-")
    log = (tmp_path / "memory" / "log.md").read_text()
    assert log.count("\n- ") + log.startswith("- ") == 1
    assert done.id in log
    assert [entry.id for entry in store.history()] == [done.id]


def test_an_empty_plan_writes_nothing_at_all(tmp_path):
    """Without writes there is no entry, no record and no state folder."""
    assert open_store(tmp_path).commit(plan_of(changes=[MOVE])).id == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["MEMORY.md", "SOUL.md"]


def test_a_plan_may_go_unlogged(tmp_path):
    """A plan that asks for no log entry gets none, and can still be reverted."""
    store = open_store(tmp_path)
    done = store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), logged=False))
    assert not (tmp_path / "memory").exists()
    store.revert(done.id)
    assert (tmp_path / "MEMORY.md").read_bytes() == MEMORY


@pytest.mark.parametrize(
    ("before", "joint"), [(b"- old\n", b"- old\n- "), (b"- old", b"- old\n- "), (b"a\r\n", b"\r\n")]
)
def test_the_log_is_appended_to_as_it_is(tmp_path, before, joint):
    """Whatever stands in the log stays, its line endings go on, and a torn line is closed."""
    store = open_store(tmp_path)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "log.md").write_bytes(before)
    store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), changes=[MOVE]))
    log = (tmp_path / "memory" / "log.md").read_bytes()
    assert log.startswith(before)
    assert joint in log
    assert (b"\r\n" in before) == (log.count(b"\r\n") == log.count(b"\n"))


def test_reading_makes_no_folder_where_there_is_no_home(tmp_path):
    """A folder that is no home stays untouched, and one that is gets only the state folder."""
    with pytest.raises(HomeError):
        Store(tmp_path).read()
    assert list(tmp_path.iterdir()) == []
    open_store(tmp_path).read()
    assert {path.name for path in tmp_path.iterdir()} == {"MEMORY.md", "SOUL.md", ".toolnexus"}
    assert (tmp_path / ".toolnexus" / ".gitignore").read_text() == "*\n"


def test_the_state_can_live_elsewhere(tmp_path):
    """With another state folder the home holds nothing of ours, and reverts still work."""
    store = open_store(tmp_path / "ava", state=tmp_path / "state")
    store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))
    store.revert("last")
    assert (tmp_path / "ava" / "MEMORY.md").read_bytes() == MEMORY
    assert not (tmp_path / "ava" / ".toolnexus").exists()


def test_file_modes_stay_and_new_files_follow_the_umask(tmp_path):
    """A rewritten file keeps its permissions; a new one is readable as any other."""
    store = open_store(tmp_path)
    (tmp_path / "MEMORY.md").chmod(0o600)
    umask = os.umask(0o027)
    try:
        store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), ("memory/tea.md", None, b"- Green\n")))
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "MEMORY.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "memory" / "tea.md").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path):
    """A write to a link inside the home goes to its target."""
    store = open_store(tmp_path)
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").rename(tmp_path / "memory" / "real.md")
    (tmp_path / "MEMORY.md").symlink_to("memory/real.md")
    store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))
    assert (tmp_path / "MEMORY.md").is_symlink()
    assert (tmp_path / "memory" / "real.md").read_bytes() == MOVED


def test_no_plan_writes_outside(tmp_path):
    """A plan with a path that leads out is refused whole."""
    store = open_store(tmp_path / "ava")
    (tmp_path / "ava" / "out").symlink_to(tmp_path)
    for path in ("../x.md", "out/x.md", "/tmp/x.md"):
        with pytest.raises((UsageError, HomeError)):
            store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), (path, None, b"x")))
    assert (tmp_path / "ava" / "MEMORY.md").read_bytes() == MEMORY
    assert not (tmp_path / "x.md").exists()


def test_a_file_over_the_cap_is_not_rewritten(tmp_path):
    """What is too large to be read whole is not written either."""
    store = open_store(tmp_path)
    (tmp_path / "MEMORY.md").write_bytes(b"x" * (SOUL_CAP_BYTES + 1))
    with pytest.raises(UsageError, match="read-only"):
        store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))


def test_a_persons_edit_is_rebased_onto(tmp_path):
    """Edits to claims that still stand are carried over, the others dropped and told."""
    store = open_store(tmp_path)
    after = MOVED.replace(b"a nurse", b"a doctor")
    work = Change("corrected", "MEMORY.md", 3, "Works as a nurse.", "Works as a doctor.")
    by_hand = MEMORY.replace(b"a nurse", b"a midwife") + b"- Plays the cello.\n"
    (tmp_path / "MEMORY.md").write_bytes(by_hand)
    done = store.commit(plan_of(("MEMORY.md", MEMORY, after), changes=[MOVE, work]))
    assert (tmp_path / "MEMORY.md").read_bytes() == by_hand.replace(b"Paris", b"Berlin")
    assert done.plan.changes == (MOVE,)
    assert done.dropped == (work,)
    assert "doctor" not in (tmp_path / "memory" / "log.md").read_text()


def test_a_plan_that_no_longer_fits_is_made_anew(tmp_path):
    """With `replan` the plan comes from what stands there now."""
    store = open_store(tmp_path)
    stale = plan_of(("MEMORY.md", MEMORY, MOVED))
    now = MEMORY + b"- Plays the cello.\n"
    (tmp_path / "MEMORY.md").write_bytes(now)
    seen = []

    def replan(home):
        text = home.text("MEMORY.md").encode()
        seen.append(text)
        return plan_of(("MEMORY.md", text, text + b"- New.\n"))

    store.commit(stale, replan=replan)
    assert seen == [now]
    assert (tmp_path / "MEMORY.md").read_bytes() == now + b"- New.\n"


def test_a_home_that_never_holds_still_is_rebased(tmp_path):
    """When each new plan is overtaken again, it is asked for three times and then rebased."""
    store = open_store(tmp_path)
    calls = []

    def replan(home):
        calls.append(home)
        text = home.text("MEMORY.md").encode()
        with (tmp_path / "MEMORY.md").open("ab") as file:
            file.write(b"- Line %d\n" % len(calls))
        return plan_of(("MEMORY.md", text, text + b"- Ours\n"))

    (tmp_path / "MEMORY.md").write_bytes(MEMORY + b"- Line 0\n")
    assert store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)), replan=replan).id
    assert len(calls) == 3
    text = (tmp_path / "MEMORY.md").read_bytes()
    assert all(b"- Line %d" % n in text for n in range(4))
    assert b"- Ours" in text


def test_a_plan_that_comes_to_nothing_writes_nothing(tmp_path):
    """When nothing of a plan can be placed, there is no entry and no record."""
    store = open_store(tmp_path)
    (tmp_path / "MEMORY.md").write_bytes(b"# Memory\n- Lives in Rome.\n")
    done = store.commit(plan_of(("MEMORY.md", MEMORY, MOVED), changes=[MOVE]))
    assert (done.id, done.dropped, len(done.left)) == ("", (MOVE,), 1)
    assert store.history() == ()
    assert not (tmp_path / "memory").exists()


def test_last_means_the_newest_dream(tmp_path):
    """`revert last` undoes the newest pass, not what was remembered after it."""
    store = open_store(tmp_path)
    dream = store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))
    more = MOVED + b"- Plays the cello.\n"
    store.commit(plan_of(("MEMORY.md", MOVED, more), job="remember"))
    assert store.record("last").id == dream.id
    done = store.revert("last")
    assert (tmp_path / "MEMORY.md").read_bytes() == MEMORY + b"- Plays the cello.\n"
    assert done.left == ()
    assert store.history()[-1].reverts == dream.id


def test_an_unknown_id_is_a_usage_error_with_the_nearest(tmp_path):
    """A mistyped id is answered with the ids that are close to it."""
    store = open_store(tmp_path)
    with pytest.raises(UsageError):
        store.revert("last")
    done = store.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))
    with pytest.raises(UsageError) as raised:
        store.revert(done.id[:-1] + "x")
    assert done.id in raised.value.hint
    assert store.record(done.id[:12]).id == done.id


def test_a_revert_takes_its_new_folders_along(tmp_path):
    """A folder that a commit made for a note goes with the note."""
    store = open_store(tmp_path)
    done = store.commit(plan_of(("memory/people/ines.md", None, b"- Sings.\n")))
    store.revert(done.id)
    assert not (tmp_path / "memory" / "people").exists()
    assert (tmp_path / "memory" / "log.md").exists()


def test_a_held_job_locks_the_next_one_out(tmp_path):
    """Two dreams exclude each other; a beat and a commit go on beside one."""
    store = open_store(tmp_path)
    with store.hold("dream"):
        with pytest.raises(LockedError), open_store(tmp_path).hold("dream"):
            pass
        with store.hold("beat"):
            assert store.commit(plan_of(("MEMORY.md", MEMORY, MOVED))).id
    with store.hold("dream"):
        pass
    with pytest.raises(UsageError), store.hold("../x"):
        pass


def test_renames_are_remembered_beyond_the_history(tmp_path):
    """Where a note went is known after its record was pruned, step by step to the newest path."""
    store = open_store(tmp_path)

    def move(old, new):
        change = Change("renamed", old, 0, "", to=new)
        store.commit(plan_of((old, b"- x\n", None), (new, None, b"- x\n"), changes=[change]))

    store.commit(plan_of(("memory/a.md", None, b"- x\n")))
    move("memory/a.md", "memory/b.md")
    move("memory/b.md", "memory/c.md")
    assert store.renames() == {"memory/a.md": "memory/c.md", "memory/b.md": "memory/c.md"}
    move("memory/c.md", "memory/a.md")
    assert store.renames() == {"memory/b.md": "memory/a.md", "memory/c.md": "memory/a.md"}


def test_snapshots_never_show_half_a_commit(tmp_path):
    """A commit that begins while a home is read makes the reading start again."""
    store = open_store(tmp_path)
    real, calls = store._read, []

    def read():
        snapshot = real()
        if not calls:
            open_store_again = Store(tmp_path, clock=CLOCK)
            open_store_again.commit(plan_of(("MEMORY.md", MEMORY, MOVED)))
        calls.append(snapshot)
        return snapshot

    store._read = read
    assert store.read().text("MEMORY.md").encode() == MOVED
    assert len(calls) == 2


def test_a_damaged_record_does_not_block_the_home(tmp_path):
    """An unfinished record that cannot be read is set aside with a notice."""
    store = open_store(tmp_path)
    folder = tmp_path / ".toolnexus" / "history" / "20261129T030012Z-dead"
    folder.mkdir(parents=True)
    (folder / "record.json").write_text("{}")
    store.read()
    assert "damaged" in store.notices[0]
    assert store.commit(plan_of(("MEMORY.md", MEMORY, MOVED))).id


WRITER = """
import sys
from pathlib import Path
from toolnexus.change.plan import FileWrite, Plan
from toolnexus.store.door import Store

store = Store(Path(sys.argv[1]))

def plan(home):
    text = home.text("MEMORY.md").encode()
    line = f"- {sys.argv[2]} {number}\\n".encode()
    return Plan("remember", (FileWrite("MEMORY.md", text, text + line),))

for number in range(int(sys.argv[3])):
    store.commit(plan(store.read()), replan=plan)
"""


def test_two_processes_lose_nothing(tmp_path):
    """Entries that two processes add at the same time all arrive."""
    make_home(tmp_path)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, name, "8"]) for name in "ab"
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    lines = (tmp_path / "MEMORY.md").read_text().splitlines()
    assert sorted(lines[3:]) == sorted(f"- {name} {n}" for name in "ab" for n in range(8))
    assert len(Store(tmp_path).history()) == 16


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_home_that_may_not_be_written_can_be_read(tmp_path):
    """Without permission there is no cache and no state folder, and reading works."""
    store = open_store(tmp_path)
    tmp_path.chmod(0o555)
    try:
        assert store.read().text("MEMORY.md").encode() == MEMORY
    finally:
        tmp_path.chmod(0o755)
