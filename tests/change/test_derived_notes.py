"""The conservation law on notes that are derived, and on notes that are archived."""

from __future__ import annotations

import pytest

from toolnexus.change.conserve import find_violations
from toolnexus.change.log import count_words, render_entry
from toolnexus.change.log_reading import read_entries
from toolnexus.change.plan import Change, Evidence, Plan
from toolnexus.clock import parse_instant
from toolnexus.home.claims import Later, side_of
from toolnexus.home.snapshot import Snapshot

HOME = {
    "MEMORY.md": "# Memory\n\n- Tea: [[tea]]\n",
    "memory/tea.md": "---\ntags: [tea]\n---\n# Tea\n\n- Green, no sugar.\n\n```\n80 degrees\n```\n",
}
NEW = "memory/guess.md"
GUESS = "---\nderived_from: [{}]\nstatus: proposed\n---\n# A guess\n\n- Coffee bores her.\n"
IMAGINED = Change("imagined", NEW, 0, "", "A guess")


def broken(after: dict[str, str | None], *changes: Change) -> list[str]:
    """Return the texts that a plan over the home would lose or make up."""
    old = Snapshot(name="ava").with_texts(HOME)
    new = old.with_texts(after)
    moved = {change.path: change.to for change in changes if change.to}
    paths = sorted({*HOME, *after})
    found = find_violations(
        side_of(old, paths, Later(moved, home=new)), side_of(new, paths), changes
    )
    return [violation.text for violation in found]


@pytest.mark.parametrize("kind", ["imagined", "distilled", "extracted"])
@pytest.mark.parametrize("source", ["tea", '"[[tea]]"', '"transcript:2026-trip#14"'])
def test_a_note_that_names_its_source_may_say_something_new(kind, source):
    """What is derived from a note that is there, or from a turn, is lawful in a new note."""
    assert broken({NEW: GUESS.format(source)}, Change(kind, NEW, 0, "", "A guess")) == []


@pytest.mark.parametrize(
    "source", ["", "nowhere", "guess", '"transcript:trip"', '"transcript:#4"', '"transcript:t#0"']
)
def test_a_note_that_names_no_source_comes_out_of_nowhere(source):
    """A source that is missing, the note itself, or no turn at all makes nothing lawful."""
    assert "Coffee bores her." in broken({NEW: GUESS.format(source)}, IMAGINED)


def test_only_the_change_that_tells_of_it_makes_it_lawful():
    """The same note under another kind of change, or told for another file, breaks the law."""
    note = {NEW: GUESS.format("tea")}
    assert "Coffee bores her." in broken(note, Change("written", NEW, 0, "", "A guess"))
    assert "Coffee bores her." in broken(note, Change("imagined", "memory/x.md", 0, "", "A guess"))


def test_a_note_that_was_there_cannot_become_a_derived_one():
    """Nothing is put into a note that a person wrote by calling it derived."""
    text = HOME["memory/tea.md"].replace("tags: [tea]", "derived_from: [MEMORY]")
    after = {"memory/tea.md": text + "\n- Black, too.\n"}
    assert "Black, too." in broken(after, Change("imagined", "memory/tea.md", 0, "", "Tea"))


def test_a_derived_note_takes_nothing_from_another_file():
    """A claim that leaves its note is lost, though the derived note says it as well."""
    note = GUESS.format("tea") + "- Green, no sugar.\n"
    without = HOME["memory/tea.md"].replace("- Green, no sugar.\n", "")
    assert "Green, no sugar." in broken({NEW: note, "memory/tea.md": without}, IMAGINED)


def test_nothing_is_merged_or_demoted_into_a_derived_note_of_the_same_plan():
    """A note into which the plan moves something is judged like any other."""
    moved = Change("demoted", "MEMORY.md", 3, "Tea: [[tea]]", to=NEW)
    note = GUESS.format("tea") + "- Tea: [[tea]]\n"
    after = {NEW: note, "MEMORY.md": "# Memory\n\n- [[guess]]\n"}
    assert "Coffee bores her." in broken(after, IMAGINED, moved)


def test_two_guesses_do_not_vouch_for_each_other():
    """Notes that name only each other are derived from nothing."""
    other = GUESS.format("guess").replace("Coffee", "Cocoa")
    found = broken(
        {NEW: GUESS.format("second"), "memory/second.md": other},
        IMAGINED,
        Change("imagined", "memory/second.md", 0, "", "A guess"),
    )
    assert {"Coffee bores her.", "Cocoa bores her."} <= set(found)


def test_a_derived_note_holds_no_code():
    """Code and comments, which nobody would judge, are not let in with it."""
    note = GUESS.format("tea") + "\n```\nrm -rf\n```\n"
    assert broken({NEW: note}, IMAGINED) == ["```\nrm -rf\n```"]


ARCHIVED = Change("archived", "memory/tea.md", 0, "Tea", to="memory/archive/tea.md")


def test_an_archived_note_is_the_note_that_it_was():
    """A note may move into the archive, with its front matter, headings, claims and code."""
    after = {"memory/tea.md": None, "memory/archive/tea.md": HOME["memory/tea.md"]}
    assert broken(after, ARCHIVED) == []


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        ("- Green, no sugar.\n", "Green, no sugar."),
        ("```\n80 degrees\n```\n", "```\n80 degrees\n```"),
        ("# Tea\n", "tea"),
        ("---\ntags: [tea]\n---\n", ""),
    ],
)
def test_nothing_is_lost_on_the_way_into_the_archive(gone, named):
    """A claim, code, the heading or the front matter that is missing there breaks the law."""
    text = HOME["memory/tea.md"].replace(gone, "")
    assert named in broken({"memory/tea.md": None, "memory/archive/tea.md": text}, ARCHIVED)


def test_a_note_cannot_be_archived_over_another():
    """Where a note lies at that place already, the claims of neither may go."""
    both = {**HOME, "memory/archive/tea.md": "# Tea\n\n- Older.\n"}
    old = Snapshot(name="ava").with_texts(both)
    new = old.with_texts({"memory/tea.md": None, "memory/archive/tea.md": HOME["memory/tea.md"]})
    found = find_violations(side_of(old, sorted(both)), side_of(new, sorted(both)), [ARCHIVED])
    assert "Older." in [violation.text for violation in found]


def test_what_was_merged_into_a_note_may_go_into_the_archive_with_it():
    """A plan may fold one note into another and archive that one; it may lose no claim by it."""
    both = {**HOME, "memory/tea-2.md": "# Tea\n\n- Black, with milk.\n"}
    old = Snapshot(name="ava").with_texts(both)
    merged = Change("merged", "memory/tea-2.md", 0, "Tea", to="memory/tea.md")
    moved = dict.fromkeys(["memory/tea.md", "memory/tea-2.md"], "memory/archive/tea.md")
    for kept, lost in (("- Black, with milk.\n", []), ("", ["Black, with milk."])):
        text = HOME["memory/tea.md"].replace("sugar.\n", f"sugar.\n{kept}")
        texts = {"memory/tea.md": None, "memory/tea-2.md": None, "memory/archive/tea.md": text}
        paths = sorted({*both, *texts})
        new = side_of(old.with_texts(texts), paths)
        found = find_violations(side_of(old, paths, Later(moved)), new, [merged, ARCHIVED])
        assert [violation.text for violation in found] == lost


def test_the_new_kinds_are_written_into_the_log_and_read_back():
    """An entry of each kind comes back from the log as it went in."""
    evidence = (Evidence("trip", 4, "we took the night train", "user"),)
    changes = (
        ARCHIVED,
        Change("extracted", NEW, 0, "", "Took the night train.", evidence=evidence),
        Change("distilled", NEW, 0, "", "How to brew tea"),
        IMAGINED,
    )
    plan = Plan("compact", (), changes)
    assert count_words(plan) == "1 archived, 1 extracted, 1 distilled, 1 imagined"
    entry = read_entries(render_entry(plan, "20260301T030000Z-1a2b", parse_instant("2026-03-01")))
    read = [(change.kind, change.path, change.to, change.after) for change in entry[0].changes]
    assert read == [(c.kind, c.path, c.to, c.after) for c in changes]
    assert entry[0].changes[1].evidence == evidence
