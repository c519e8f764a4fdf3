from __future__ import annotations

import contextlib
import errno

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from toolnexus.change.plan import Change, FileWrite, Plan
from toolnexus.clock import FixedClock, parse_instant
from toolnexus.errors import DiskError
from toolnexus.files import TEMP_PREFIX
from toolnexus.store.door import Store
from toolnexus.testing.disk import WRITING_CALLS, CrashError, FaultyDisk

CLOCK = FixedClock(parse_instant("2026-11-29T03:00:12Z"))
MEMORY = "# Memory\n- Lives in Paris.\n- Prefers window seats on night flights.\n"
TEA = "# Tea\n- Green, no sugar.\n"
FILES = {"SOUL.md": "You are Ava.\n", "MEMORY.md": MEMORY, "memory/tea.md": TEA}


def make_home(root, files=FILES):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root


def files_of(root):
    """Every file of a home, with its bytes; temporary ones and the state folder left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not any(
            part == ".toolnexus" or part.startswith(TEMP_PREFIX)
            for part in path.relative_to(root).parts
        )
    }


def temps_of(root):
    return [path for path in root.rglob(f"{TEMP_PREFIX}*") if ".toolnexus" not in path.parent.parts]


def folders_of(root):
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_dir() and ".toolnexus" not in path.relative_to(root).parts
    }


def a_plan():
    """A pass that rewrites one file, makes one in a new folder and removes one."""
    pointer = MEMORY.replace("- Prefers window seats on night flights.", "- [[travel]]")
    return Plan(
        "dream",
        (
            FileWrite("MEMORY.md", MEMORY.encode(), pointer.encode()),
            FileWrite(
                "memory/people/travel.md", None, b"- Prefers window seats on night flights.\n"
            ),
            FileWrite("memory/tea.md", TEA.encode(), None),
            FileWrite("memory/drinks.md", None, TEA.encode()),
        ),
        (
            Change("demoted", "MEMORY.md", 3, "Prefers window seats on night flights."),
            Change("merged", "memory/tea.md", 0, "tea", to="memory/drinks.md"),
        ),
    )


def count_calls(tmp_path, calls=WRITING_CALLS):
    root = make_home(tmp_path / "count")
    Store(root, clock=CLOCK).read()
    disk = FaultyDisk(calls=calls)
    Store(root, clock=CLOCK, disk=disk).commit(a_plan())
    return disk.count, files_of(root)


def without_log(files):
    return {path: data for path, data in files.items() if path != "memory/log.md"}


def assert_whole_or_none(root, before, after):
    """The home is as before or as after, its log likewise, and no temporary file is left."""
    found = files_of(root)
    assert without_log(found) in (without_log(before), without_log(after))
    assert ("memory/log.md" in found) == (without_log(found) == without_log(after))
    assert not temps_of(root)


def test_a_crash_at_any_call_leaves_all_or_nothing(tmp_path):
    """A process that dies at any single disk call of a commit leaves the whole pass or none."""
    total, after = count_calls(tmp_path)
    before = {path: text.encode() for path, text in FILES.items()}
    seen = set()
    for call in range(total):
        root = make_home(tmp_path / f"crash-{call}")
        store = Store(root, clock=CLOCK, disk=FaultyDisk(call, "crash"))
        with pytest.raises(CrashError):
            store.commit(a_plan())
        Store(root, clock=CLOCK)
        assert_whole_or_none(root, before, after)
        seen.add("MEMORY.md" in files_of(root) and files_of(root)["MEMORY.md"] == MEMORY.encode())
    assert seen == {True, False}


@pytest.mark.slow
def test_a_crash_in_recovery_is_recovered_from(tmp_path):
    """A recovery that dies at any call is finished by the next one."""
    total, after = count_calls(tmp_path)
    before = {path: text.encode() for path, text in FILES.items()}
    for call in range(0, total, 5):
        for again in range(call % 4, 60, 4):
            root = make_home(tmp_path / f"twice-{call}-{again}")
            with pytest.raises(CrashError):
                Store(root, clock=CLOCK, disk=FaultyDisk(call, "crash")).commit(a_plan())
            try:
                Store(root, clock=CLOCK, disk=FaultyDisk(again, "crash"))
            except CrashError:
                Store(root, clock=CLOCK)
                assert_whole_or_none(root, before, after)
            else:
                assert_whole_or_none(root, before, after)
                break


@pytest.mark.slow
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_failing_call_leaves_the_home_as_it_was(tmp_path, code):
    """A disk error at any call is a DiskError with the home as it was, or no error at all."""
    total, after = count_calls(tmp_path)
    before = {path: text.encode() for path, text in FILES.items()}
    for call in range(total):
        root = make_home(tmp_path / f"fail-{call}")
        try:
            Store(root, clock=CLOCK, disk=FaultyDisk(call, code)).commit(a_plan())
        except DiskError:
            assert files_of(root) == before
            assert folders_of(root) == {"memory"}
            assert Store(root, clock=CLOCK).history() == ()
        else:
            assert without_log(files_of(root)) == without_log(after)
            Store(root, clock=CLOCK)
            assert_whole_or_none(root, before, after)


def test_a_disk_that_stays_full_leaves_the_home_as_it_was(tmp_path):
    """With no space left from some write on, the commit is undone without needing any."""
    writing = frozenset({"write_new", "make_folder"})
    total, after = count_calls(tmp_path, writing)
    before = {path: text.encode() for path, text in FILES.items()}
    for call in range(total):
        root = make_home(tmp_path / f"full-{call}")
        disk = FaultyDisk(call, errno.ENOSPC, calls=writing, lasting=True)
        try:
            Store(root, clock=CLOCK, disk=disk).commit(a_plan())
        except DiskError:
            assert files_of(root) == before
        else:
            assert without_log(files_of(root)) == without_log(after)


@pytest.mark.slow
def test_a_disk_that_dies_for_good_is_made_good_later(tmp_path):
    """When even putting back fails, the next open on a sound disk gives all or nothing."""
    total, after = count_calls(tmp_path)
    before = {path: text.encode() for path, text in FILES.items()}
    for call in range(total):
        root = make_home(tmp_path / f"dead-{call}")
        disk = FaultyDisk(call, errno.EIO, lasting=True)
        with contextlib.suppress(DiskError):
            Store(root, clock=CLOCK, disk=disk).commit(a_plan())
        Store(root, clock=CLOCK)
        assert_whole_or_none(root, before, after)


def test_a_file_system_without_hard_links_works_too(tmp_path):
    """Where no file can have two names, before images are copied, and failing is undone as well."""
    replaces = frozenset({"replace"})
    before = {path: text.encode() for path, text in FILES.items()}

    class LinklessDisk(FaultyDisk):
        def link(self, source, target, *, folder):
            raise OSError(errno.EPERM, f"{source} cannot be linked to {target} in {folder}")

    for call in range(2, 6):
        root = make_home(tmp_path / f"linkless-{call}")
        Store(root).read()
        disk = LinklessDisk(call, errno.EIO, calls=replaces)
        with pytest.raises(DiskError):
            Store(root, clock=CLOCK, disk=disk).commit(a_plan())
        assert files_of(root) == before
    root = make_home(tmp_path / "linkless")
    assert Store(root, clock=CLOCK, disk=LinklessDisk()).commit(a_plan()).id


CLAIMS = st.lists(st.sampled_from([f"- claim {n}\n" for n in range(8)]), max_size=6, unique=True)
CONTENTS = st.one_of(st.none(), st.builds("".join, CLAIMS))
NAMES = ("MEMORY.md", "memory/a.md", "memory/sub/b.md")


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    old=st.tuples(*[CONTENTS] * 3),
    new=st.tuples(*[CONTENTS] * 3),
    call=st.integers(0, 60),
    edited=st.sampled_from(NAMES),
    edit=CONTENTS,
)
@example(
    old=("- claim 0\n", None, ""),
    new=("- claim 1\n", None, "- claim 0\n"),
    call=30,
    edited="memory/sub/b.md",
    edit=None,
)
def test_a_persons_edit_after_a_crash_survives(tmp_path_factory, old, new, call, edited, edit):
    """However a commit dies, what a person then writes stays, and no claim of theirs is lost."""
    root = tmp_path_factory.mktemp("crash")
    start = {path: text for path, text in zip(NAMES, old, strict=True) if text is not None}
    make_home(root, {"SOUL.md": "x\n", **start})
    writes = tuple(
        FileWrite(path, _bytes(a), _bytes(b))
        for path, a, b in zip(NAMES, old, new, strict=True)
        if a != b
    )
    with contextlib.suppress(CrashError):
        Store(root, clock=CLOCK, disk=FaultyDisk(call, "crash")).commit(Plan("dream", writes))
    target = root / edited
    text = None if edit is None else edit + "- by hand\n"
    if text is None:
        target.unlink(missing_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    standing = _claims(root)
    Store(root, clock=CLOCK)
    assert not temps_of(root)
    if text is not None:
        assert "- by hand" in target.read_text()
    meant_to_go = {
        line for write in writes for line in (write.before or b"").decode().splitlines()
    } - {line for write in writes for line in (write.after or b"").decode().splitlines()}
    assert standing - _claims(root) <= meant_to_go
    held = files_of(root)
    Store(root, clock=CLOCK)
    assert files_of(root) == held


def _bytes(text):
    return None if text is None else text.encode()


def _claims(root):
    return {
        line
        for path in NAMES
        if (root / path).exists()
        for line in (root / path).read_text().splitlines()
    }
