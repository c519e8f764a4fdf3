"""The journal of uses: nothing is lost under many processes, torn lines or a full disk."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import DiskError, LockedError
from toolnexus.files import Disk, hold_lock
from toolnexus.store import use_journal
from toolnexus.store.use_journal import USES_FILE, UseJournal, parse_uses
from toolnexus.store.uses import KEPT_REASONS, NoteUses, Use, Uses
from toolnexus.testing.disk import CrashError

TEA, CUP = "memory/tea.md", "memory/cup.md"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def praise(path: str, score: float, reason: str = "") -> Use:
    """Return feedback that was given at noon."""
    return Use(path, NOON, "feedback", score, reason)


instants = st.integers(0, 10**9).map(lambda seconds: NOON + timedelta(seconds=seconds))
paths = st.sampled_from([TEA, CUP, "memory/größe \ud800.md"])
uses = st.one_of(
    st.builds(Use, paths, instants),
    st.builds(
        Use,
        paths,
        instants,
        st.just("feedback"),
        st.floats(-1, 1, allow_nan=False),
        st.sampled_from(["", "wrong", "line\nline", '"quoted"']),
    ),
)


def summed(all_uses: list[Use]) -> dict[str, NoteUses]:
    """Add up uses one by one, as the journal should."""
    found: dict[str, NoteUses] = {}
    for use in all_uses:
        found[use.path] = found.get(use.path, NoteUses()).after(use)
    return found


def test_uses_and_feedback_are_summed_by_note(tmp_path: Path):
    """What was appended is read back: how often, how well, when and why."""
    journal = UseJournal(tmp_path)
    journal.append(Use(TEA, NOON), Use(TEA, NOON + timedelta(hours=1)), durable=True)
    journal.append(praise(TEA, 0.5, "it helped"), praise(CUP, -1, "it is broken"))
    tea, cup = journal.read().of(TEA), journal.read().of(CUP)
    assert (tea.uses, tea.last_used, tea.boost) == (2, NOON + timedelta(hours=1), 1.5)
    assert (tea.last_praised, [reason.text for reason in tea.reasons]) == (NOON, ["it helped"])
    assert (cup.uses, cup.boost, cup.last_score, cup.last_praised) == (0, 0.1, -1, None)


def test_a_boost_stays_within_its_bounds(tmp_path: Path):
    """However often a note is praised or blamed, its boost lies within .1 and 5."""
    journal = UseJournal(tmp_path)
    journal.append(*(praise(TEA, 1) for _ in range(50)), *(praise(CUP, -1) for _ in range(50)))
    assert (journal.read().of(TEA).boost, journal.read().of(CUP).boost) == (5.0, 0.1)
    journal.append(praise(TEA, -1))
    assert journal.read().of(TEA).boost == 4.0


def test_the_newest_reasons_are_kept(tmp_path: Path):
    """A note that is talked about for ever keeps a bounded number of reasons, the newest."""
    journal = UseJournal(tmp_path)
    journal.append(*(praise(TEA, 0, f"reason {number}") for number in range(100)))
    kept = [reason.text for reason in journal.read().of(TEA).reasons]
    assert kept == [f"reason {number}" for number in range(100 - KEPT_REASONS, 100)]


def test_nothing_there_is_nothing_used(tmp_path: Path):
    """Without a journal no note was ever used, and reading makes none."""
    assert UseJournal(tmp_path).read() == Uses()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(uses, max_size=30), st.integers(0, 30))
def test_folding_changes_nothing_that_is_read(all_uses: list[Use], cut: int):
    """A journal that is folded at any moment comes to the same as one that never is."""
    with TemporaryDirectory() as folder:
        journal = UseJournal(Path(folder))
        journal.append(*all_uses[:cut])
        if all_uses[:cut]:
            journal._fold()
        journal.append(*all_uses[cut:])
        assert journal.read().by_path == summed(all_uses)


def test_a_long_journal_is_folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The file stays small however often a few notes are used, and counts every use."""
    monkeypatch.setattr(use_journal, "FOLD_BYTES", 2_000)
    journal = UseJournal(tmp_path)
    for _ in range(300):
        journal.append(Use(TEA, NOON), praise(CUP, 0.001))
    assert journal.read().of(TEA).uses == 300
    assert journal.read().of(CUP).boost == pytest.approx(1.3)
    assert (tmp_path / USES_FILE).stat().st_size < 3_000


def test_folding_many_notes_is_seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A journal of many notes, that folding cannot shorten, is not folded at every use."""
    monkeypatch.setattr(use_journal, "FOLD_BYTES", 2_000)
    folded: list[int] = []
    fold = UseJournal._fold
    monkeypatch.setattr(UseJournal, "_fold", lambda self: (folded.append(1), fold(self)))
    journal = UseJournal(tmp_path)
    for number in range(400):
        journal.append(Use(f"memory/{number}.md", NOON))
    assert len(journal.read().by_path) == 400
    assert len(folded) < 10


@given(st.lists(uses, max_size=8), st.binary(max_size=60))
def test_no_bytes_break_the_reader(all_uses: list[Use], junk: bytes):
    """Junk between whole lines is skipped, and the lines around it are read."""
    with TemporaryDirectory() as folder:
        journal = UseJournal(Path(folder))
        path = Path(folder) / USES_FILE
        for use in all_uses:
            journal.append(use)
            with path.open("ab") as file:
                file.write(b"\n~" + junk.replace(b"\n", b"") + b"\n")
        assert journal.read().by_path == summed(all_uses)
    parse_uses(junk)


@pytest.mark.parametrize(
    "line",
    [
        b'{"path":1,"at":"2026-03-01T12:00:00Z","kind":"used"}',
        b'{"path":"a","at":"yesterday","kind":"used"}',
        b'{"path":"a","at":"2026-03-01T12:00:00Z","kind":"loved"}',
        b'{"path":"a","at":"2026-03-01T12:00:00Z","kind":"feedback","score":NaN,"reason":""}',
        b'{"path":"a","at":"2026-03-01T12:00:00Z","kind":"feedback","score":7,"reason":""}',
        b'{"path":"a","at":"2026-03-01T12:00:00Z","kind":"feedback","score":true,"reason":""}',
        b'{"path":"a","kind":"total","uses":Infinity}',
        b'{"path":"a","kind":"total","uses":1,"last_used":7}',
        b"[" * 5_000,
        b'"a"',
    ],
)
def test_a_line_that_makes_no_sense_is_skipped(line: bytes):
    """What no journal of ours says counts for nothing."""
    assert parse_uses(line) == Uses({})


def test_a_torn_line_harms_no_other(tmp_path: Path):
    """What is appended behind a torn line stands on a line of its own."""
    journal = UseJournal(tmp_path)
    journal.append(Use(TEA, NOON))
    path = tmp_path / USES_FILE
    path.write_bytes(path.read_bytes() + b'{"path":"memory/c')
    journal.append(Use(CUP, NOON))
    assert set(journal.read().by_path) == {TEA, CUP}


class HalfDisk(Disk):
    """A disk that takes half of what is appended, and then fails as it is told."""

    def __init__(self, error: int | None) -> None:
        self.error = error

    def append(self, descriptor: int, data: bytes) -> int:
        """Write half of the bytes."""
        written = os.write(descriptor, data[: len(data) // 2])
        if self.error is None:
            raise CrashError
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        return written


@pytest.mark.parametrize("error", [0, errno.ENOSPC, errno.EIO])
def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, error: int):
    """An append that fails is an error, and leaves not a byte behind."""
    UseJournal(tmp_path).append(Use(TEA, NOON))
    before = (tmp_path / USES_FILE).read_bytes()
    with pytest.raises(DiskError):
        UseJournal(tmp_path, HalfDisk(error)).append(Use(CUP, NOON), Use(CUP, NOON))
    assert (tmp_path / USES_FILE).read_bytes() == before


def test_a_crash_loses_only_what_was_being_written(tmp_path: Path):
    """A process that dies amid an append takes no earlier or later use with it."""
    UseJournal(tmp_path).append(Use(TEA, NOON))
    with pytest.raises(CrashError):
        UseJournal(tmp_path, HalfDisk(None)).append(Use(CUP, NOON))
    UseJournal(tmp_path).append(Use(TEA, NOON))
    assert UseJournal(tmp_path).read().of(TEA).uses == 2


@pytest.mark.parametrize("call", ["write_new", "replace"])
def test_a_crash_while_folding_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
):
    """The old journal stands until the folded one is whole."""
    from toolnexus.testing.disk import FaultyDisk

    journal = UseJournal(tmp_path)
    journal.append(*(Use(TEA, NOON) for _ in range(30)))
    monkeypatch.setattr(use_journal, "FOLD_BYTES", 100)
    with pytest.raises(CrashError):
        UseJournal(tmp_path, FaultyDisk(0, calls=frozenset({call}))).append(Use(TEA, NOON))
    assert journal.read().of(TEA).uses == 31


def test_a_lock_that_stays_taken_is_told(tmp_path: Path):
    """An append waits for others no longer than it was told to."""
    lock = tmp_path / "locks" / "uses.lock"
    with hold_lock(lock, timeout_seconds=0, what="a test"), pytest.raises(LockedError):
        UseJournal(tmp_path).append(Use(TEA, NOON), timeout_seconds=0)


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from toolnexus.store import use_journal
from toolnexus.store.uses import Use
use_journal.FOLD_BYTES = 4_000
journal = use_journal.UseJournal(Path(sys.argv[1]))
for number in range(100):
    journal.append(Use("memory/tea.md", datetime(2026, 3, 1, tzinfo=UTC)))
    journal.append(Use(f"memory/{sys.argv[2]}.md", datetime(2026, 3, 1, tzinfo=UTC),
                       "feedback", 0.01, "x" * 40))
"""


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(tmp_path: Path):
    """Four processes append and fold the same journal: every use and every score is there."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in "abcd"
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0, 0]
    read = UseJournal(tmp_path).read()
    assert read.of(TEA).uses == 400
    for name in "abcd":
        assert read.of(f"memory/{name}.md").feedbacks == 100
        assert read.of(f"memory/{name}.md").boost == pytest.approx(2.0)


def test_uses_follow_a_renamed_note():
    """What was known of a note is known under its new name, beside what that name got itself."""
    read = Uses(summed([Use(TEA, NOON), praise(TEA, 1, "old"), praise(CUP, -0.5, "new")]))
    followed = read.following({TEA: CUP}, {CUP})
    assert set(followed.by_path) == {CUP}
    assert (followed.of(CUP).uses, followed.of(CUP).boost) == (1, 1.5)
    assert [reason.text for reason in followed.of(CUP).reasons] == ["old", "new"]


def test_a_new_note_under_an_old_name_keeps_its_own():
    """A note that was written anew where another one was renamed away has its own feedback."""
    read = Uses(summed([praise(TEA, 1)]))
    assert read.following({TEA: CUP}, {TEA, CUP}) == read
