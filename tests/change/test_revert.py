from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.change.plan import FileWrite
from toolnexus.change.rebase import FILE_REASON, VETO_REASON
from toolnexus.change.revert import plan_revert

MEMORY = "MEMORY.md"
TRAVEL = "memory/travel.md"
WINDOW = "- Prefers window seats on night flights.\n"
POINTER = "- See [[travel]].\n"
DEMOTION = (
    FileWrite(MEMORY, f"- Tea\n{WINDOW}".encode(), f"- Tea\n{POINTER}".encode()),
    FileWrite(TRAVEL, None, f"# Travel\n{WINDOW}".encode()),
)


def after(reverted, path, current):
    """What stands in a file once the plan is carried out."""
    for write in reverted.plan.writes:
        if write.path == path:
            return write.after
    return current.get(path)


def test_an_untouched_commit_is_undone_to_the_byte():
    """Without later edits a revert gives every file back exactly, new files gone."""
    current = {write.path: write.after for write in DEMOTION}
    done = plan_revert("x", DEMOTION, current)
    assert {write.path: write.after for write in done.plan.writes} == {
        write.path: write.before for write in DEMOTION
    }
    assert done.left == ()


def test_a_later_edit_of_the_same_claim_stays_and_is_listed():
    """A corrected claim that a person corrected again is left, with its line and reason."""
    passed = FileWrite(MEMORY, b"- In Paris\n- Tea\n", b"- In Berlin\n- Tea\n")
    done = plan_revert("x", [passed], {MEMORY: b"- In Rome\n- Tea\n"})
    assert done.plan.is_empty
    assert [(left.path, left.line, left.before) for left in done.left] == [
        (MEMORY, 1, "- In Berlin\n")
    ]


def test_the_copy_of_a_claim_that_a_person_took_away_does_not_come_back():
    """Of two equal claims that became one, none returns once a person removed the one."""
    passed = FileWrite(MEMORY, b"- In Paris\n- In Paris\n", b"- In Paris\n")
    done = plan_revert("x", [passed], {MEMORY: b"- Bees\n"})
    assert done.plan.is_empty
    assert [left.after for left in done.left] == ["- In Paris\n"]


def test_a_claim_that_cannot_come_back_does_not_leave_its_note():
    """A demoted claim whose pointer was edited stays in the note: it would stand nowhere else."""
    current = {MEMORY: b"- Tea\n- On travel: [[travel]]\n", TRAVEL: DEMOTION[1].after}
    done = plan_revert("x", DEMOTION, current)
    assert after(done, TRAVEL, current) == DEMOTION[1].after
    assert VETO_REASON in {left.reason for left in done.left}


def test_a_claim_that_stands_elsewhere_may_leave_the_note():
    """The same claim in another file of the home is enough for the note to go."""
    current = {MEMORY: b"- Tea\n- On travel: [[travel]]\n", TRAVEL: DEMOTION[1].after}
    fold = "prefers window seats on night flights"
    done = plan_revert("x", DEMOTION, current, standing={fold})
    assert after(done, TRAVEL, current) is None


def test_a_note_that_a_person_wrote_in_keeps_their_words():
    """A created note that grew by hand loses only what the commit put there."""
    grown = (DEMOTION[1].after or b"") + b"- Hates buses.\n"
    current = {MEMORY: DEMOTION[0].after, TRAVEL: grown}
    done = plan_revert("x", DEMOTION, current)
    assert after(done, TRAVEL, current) == b"# Travel\n- Hates buses.\n"
    assert after(done, MEMORY, current) == DEMOTION[0].before


def test_a_removed_note_comes_back():
    """A merged note returns, and its claims leave the note they were folded into."""
    merge = (
        FileWrite("memory/a.md", b"- One\n", b"- One\n- Two\n"),
        FileWrite("memory/b.md", b"- Two\n", None),
    )
    current = {"memory/a.md": b"- One\n- Two\n- Three\n", "memory/b.md": None}
    done = plan_revert("x", merge, current)
    assert after(done, "memory/a.md", current) == b"- One\n- Three\n"
    assert after(done, "memory/b.md", current) == b"- Two\n"


def test_a_removed_note_does_not_overwrite_a_new_one():
    """Where a person made another note of that name, theirs stands and the claim stays put."""
    merge = (
        FileWrite("memory/a.md", b"- One\n", b"- One\n- Two\n"),
        FileWrite("memory/b.md", b"- Two\n", None),
    )
    current = {"memory/a.md": b"- One\n- Two\n", "memory/b.md": b"- New\n"}
    done = plan_revert("x", merge, current)
    assert done.plan.is_empty
    assert FILE_REASON in {left.reason for left in done.left}


def test_a_reverted_revert_is_the_commit_again():
    """Undoing the undoing gives what the commit had made."""
    current = {write.path: write.after for write in DEMOTION}
    undone = plan_revert("x", DEMOTION, current).plan.writes
    back = plan_revert("y", undone, {write.path: write.after for write in undone}).plan.writes
    assert {write.path: write.after for write in back} == current


def test_changes_tell_what_was_undone():
    """The plan says in a person's terms what goes and what comes back."""
    passed = FileWrite(MEMORY, b"- In Paris\n", b"- In Berlin\n")
    (change,) = plan_revert("x", [passed], {MEMORY: b"- In Berlin\n"}).plan.changes
    assert (change.kind, change.before, change.after, change.reason) == (
        "corrected",
        "In Berlin",
        "In Paris",
        "reverts x",
    )


CLAIM = st.sampled_from([f"- claim {n}\n" for n in range(7)])
CONTENT = st.one_of(
    st.none(), st.builds(lambda lines: "".join(lines).encode(), st.lists(CLAIM, max_size=6))
)
PATHS = (MEMORY, "memory/a.md")


def claims(files):
    return {line for data in files.values() for line in (data or b"").splitlines()}


@settings(max_examples=80, deadline=None)
@given(st.tuples(CONTENT, CONTENT), st.tuples(CONTENT, CONTENT), st.tuples(CONTENT, CONTENT))
def test_no_revert_loses_what_the_commit_did_not_bring(old, new, now):
    """Whatever stands now goes only if the commit itself had brought it in."""
    writes = [FileWrite(*each) for each in zip(PATHS, old, new, strict=True)]
    current = dict(zip(PATHS, now, strict=True))
    done = plan_revert("x", writes, current)
    result = {path: after(done, path, current) for path in PATHS}
    brought = claims({write.path: write.after for write in writes}) - claims(
        {write.path: write.before for write in writes}
    )
    assert claims(current) - claims(result) <= brought


@settings(max_examples=80, deadline=None)
@given(st.tuples(CONTENT, CONTENT), st.tuples(CONTENT, CONTENT))
def test_an_unchanged_home_reverts_exactly(old, new):
    """Any commit, if nothing was written since, is undone to the byte."""
    writes = [FileWrite(*each) for each in zip(PATHS, old, new, strict=True)]
    current = {write.path: write.after for write in writes}
    done = plan_revert("x", writes, current)
    assert {path: after(done, path, current) for path in PATHS} == {
        write.path: write.before for write in writes
    }
