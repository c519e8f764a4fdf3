from __future__ import annotations

from toolnexus.change.plan import FileWrite
from toolnexus.change.rebase import (
    BYTES_REASON,
    FILE_REASON,
    GONE_REASON,
    MERGE_REASON,
    VETO_REASON,
    rebase,
)

MEMORY = "MEMORY.md"
TRAVEL = "memory/travel.md"
WINDOW = "- Prefers window seats on night flights.\n"
DEMOTION = (
    FileWrite(MEMORY, f"- Tea\n{WINDOW}".encode(), b"- Tea\n- See [[travel]].\n"),
    FileWrite(TRAVEL, None, f"# Travel\n{WINDOW}".encode()),
)


def test_untouched_files_are_written_as_planned():
    """Where nothing changed meanwhile, a rebased plan is the plan."""
    assert rebase(DEMOTION, {MEMORY: DEMOTION[0].before}).writes == DEMOTION


def test_only_the_edited_claim_is_left():
    """Of two corrections the one whose claim was edited is left, with its reason."""
    write = FileWrite(MEMORY, b"- a\n- b\n", b"- A\n- B\n")
    done = rebase([write], {MEMORY: b"- a\n- b!\n- c\n"})
    assert [each.after for each in done.writes] == [b"- A\n- b!\n- c\n"]
    assert [(left.line, left.after, left.reason) for left in done.left] == [
        (2, "- B\n", MERGE_REASON)
    ]


def test_a_file_that_somebody_removed_stays_removed():
    """A corrected file that is gone is not made again."""
    done = rebase([FileWrite(MEMORY, b"- a\n", b"- A\n")], {MEMORY: None})
    assert done.writes == ()
    assert [left.reason for left in done.left] == [GONE_REASON]


def test_what_is_done_already_is_neither_written_nor_left():
    """Files that hold what was planned already, or are gone as planned, are settled."""
    writes = [FileWrite(MEMORY, b"- a\n", b"- A\n"), FileWrite(TRAVEL, b"- x\n", None)]
    done = rebase(writes, {MEMORY: b"- A\n", TRAVEL: None})
    assert (done.writes, done.left) == ((), ())


def test_a_merged_note_that_grew_keeps_its_new_claims():
    """A note that was to go stays with its headings for what a person added meanwhile."""
    writes = [
        FileWrite(MEMORY, b"- a\n", b"- a\n- b\n"),
        FileWrite(TRAVEL, b"# Travel\n- b\n", None),
    ]
    done = rebase(writes, {MEMORY: b"- a\n", TRAVEL: b"# Travel\n- b\n- c\n"})
    assert {write.path: write.after for write in done.writes} == {
        MEMORY: b"- a\n- b\n",
        TRAVEL: b"# Travel\n- c\n",
    }


def test_a_rebase_keeps_a_moved_claim_that_cannot_arrive():
    """When somebody made the target note meanwhile, the claim does not leave MEMORY.md."""
    current = {MEMORY: DEMOTION[0].before, TRAVEL: b"# Trips\n- By train.\n"}
    done = rebase(DEMOTION, current)
    assert done.writes == ()
    assert {left.reason for left in done.left} == {FILE_REASON, VETO_REASON}


def test_the_last_copy_of_a_claim_stays():
    """A commit may take away one of two copies, but not when a person removed the other."""
    fold = [
        FileWrite(MEMORY, b"- Tea\n- One\n", b"- Tea\n- One\n"),
        FileWrite("memory/a.md", b"- One\n- Two\n", b"- Two\n"),
    ]
    done = rebase(fold, {MEMORY: b"- Tea\n", "memory/a.md": b"- One\n- Two\n"})
    assert done.writes == ()
    assert [left.reason for left in done.left] == [VETO_REASON]


def test_bytes_that_are_no_text_are_never_merged():
    """A file that is not UTF-8 and was changed is left whole."""
    passed = FileWrite(MEMORY, b"- a\xff\n", b"- b\n")
    done = rebase([passed], {MEMORY: b"- c\xff\n"})
    assert done.writes == ()
    assert [left.reason for left in done.left] == [BYTES_REASON]
