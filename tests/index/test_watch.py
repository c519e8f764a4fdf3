"""Watching folders: hints that come, and hints that do not."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from toolnexus.errors import DiskError
from toolnexus.index.watch import MOST_PATHS, Watch, is_ours

PATIENCE = 20.0


def wait_for(watch: Watch, path: Path) -> set[Path]:
    """Collect hints until one of a path comes; what the system tells late is waited for."""
    found: set[Path] = set()
    while path not in found:
        hints = watch.wait(PATIENCE)
        assert hints, f"no hint of {path}"
        found |= hints
    return found


def test_what_is_written_moved_and_removed_is_hinted_at(tmp_path):
    """Also in folders that are made later."""
    root = tmp_path.resolve()
    with Watch([root]) as watch:
        (root / "new").mkdir()
        wait_for(watch, root / "new")
        (root / "a.md").write_text("a")
        wait_for(watch, root / "a.md")
        (root / "a.md").rename(root / "b.md")
        wait_for(watch, root / "b.md")
        (root / "b.md").unlink()
        wait_for(watch, root / "b.md")
        (root / "new" / "c.md").write_text("c")
        wait_for(watch, root / "new" / "c.md")


def test_what_is_read_or_ours_is_not(tmp_path):
    """Neither reading a file nor what we write for ourselves is a hint."""
    root = tmp_path.resolve()
    (root / "a.md").write_text("a")
    (root / ".toolnexus").mkdir()
    with Watch([root]) as watch:
        (root / "a.md").read_text()
        (root / ".toolnexus" / "state.json").write_text("{}")
        (root / ".toolnexus-tmp-1-a.md").write_text("")
        (root / "end.md").write_text("")
        assert wait_for(watch, root / "end.md") == {root / "end.md"}


def test_hints_are_taken_together_and_once(tmp_path):
    """Whoever waits is woken for the first of a batch alone, and the batch is forgotten."""
    woken: list[None] = []
    watch = Watch([tmp_path], lambda: woken.append(None))
    watch.add([Path("a.md")])
    watch.add([Path("a.md"), Path("b.md"), Path(".toolnexus/x")])
    assert watch.has_changes
    assert watch.take() == {Path("a.md"), Path("b.md")}
    assert len(woken) == 1
    assert watch.take() == frozenset()
    watch.add([Path(".toolnexus/x")])
    assert len(woken) == 1
    assert watch.wait(0.0) == frozenset()


def test_a_flood_of_hints_becomes_one(tmp_path):
    """Beyond a bound the folder itself stands for all that is in it."""
    watch = Watch([tmp_path])
    watch.add(Path(f"{number}.md") for number in range(MOST_PATHS + 1))
    assert watch.take() == {tmp_path.resolve()}


def test_whoever_waits_is_woken_from_another_thread(tmp_path):
    """A hint ends the wait."""
    watch = Watch([tmp_path])
    threading.Timer(0.01, watch.add, [[Path("a.md")]]).start()
    assert watch.wait(PATIENCE) == {Path("a.md")}


def test_a_system_that_lets_nobody_watch_is_told(tmp_path, monkeypatch):
    """The limit of watches is named, and nothing is left running."""
    from watchdog.observers import Observer

    def full(_self):
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "start", full)
    with pytest.raises(DiskError, match="limit reached") as told:
        Watch([tmp_path]).__enter__()
    assert "max_user_watches" in told.value.hint


@pytest.mark.parametrize(
    ("path", "ours"),
    [("ava/.toolnexus/x.json", True), ("ava/.toolnexus-tmp-1-x", True), ("ava/x.md", False)],
)
def test_our_own_files_are_known(path, ours):
    """State folders and temporary files are ours."""
    assert is_ours(Path(path)) is ours
