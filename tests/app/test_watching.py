"""Watching a home: what each save changes in its findings, its index and its links."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from small_homes import CLOCK, write_files

from toolnexus.app import Home
from toolnexus.app.watching import MOST_FILES, Moved, Watching

FILES = {
    "MEMORY.md": "# Memory\n\n- See [[tea]] and [tea](memory/tea.md).\n- See [[boat]].\n",
    "memory/tea.md": "# Herbs\n\n- Green, no sugar.\n",
    "memory/boat.md": "# Boat\n\n- Red, see [[tea#Herbs]].\n",
    "transcripts/talk.jsonl": json.dumps({"role": "user", "content": "Hello."}) + "\n",
}


@pytest.fixture
def watching(tmp_path):
    """A home that was looked at once and is in order."""
    write_files(tmp_path, FILES)
    watching = Watching(lambda: Home.open(tmp_path, clock=CLOCK))
    assert watching.reconcile().new == ()
    return watching


def save(watching, name, text):
    """Write a file as an editor does, and look at it."""
    path = watching.root / name
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(".editing.swp")
    temporary.write_bytes(text.encode() if isinstance(text, str) else text)
    temporary.replace(path)
    return watching.look([temporary, path])


def rules(findings):
    """Return what was found, and where."""
    return [(finding.path, finding.rule) for finding in findings]


def whole(watching):
    """Return what a fresh look at the whole home finds."""
    return Home.open(watching.root, clock=CLOCK).check()


def test_a_save_tells_what_it_broke_and_what_it_mended(watching):
    """Only what is other than before is told, and what is known stays that of a whole check."""
    broken = save(watching, "memory/boat.md", "# Boat\n\n- Red, see [[tee]] and [[tea]].\n")
    assert rules(broken.new) == [("memory/boat.md", "broken-link")]
    shifted = save(watching, "memory/boat.md", "# Boat\n\n\n\n- Red, see [[tee]], [[tea]].\n")
    assert (shifted.changed, shifted.new, shifted.gone) == (True, (), ())
    assert watching.findings == whole(watching)
    mended = save(watching, "memory/boat.md", "# Boat\n\n- Red, see [[tea]].\n")
    assert (rules(mended.gone), mended.new) == ([("memory/boat.md", "broken-link")], ())


def test_what_a_save_does_to_other_files_is_told(watching):
    """A heading that went breaks the anchors of others, a note that came mends their links."""
    assert rules(save(watching, "memory/tea.md", "- Green.\n").new) == [
        ("memory/boat.md", "broken-anchor")
    ]
    save(watching, "MEMORY.md", FILES["MEMORY.md"] + "- See [[oars]].\n")
    assert rules(save(watching, "memory/oars.md", "- Two.\n").gone) == [
        ("MEMORY.md", "broken-link")
    ]


def test_what_is_saved_is_found(watching):
    """The index has a save's words when the look returns."""
    watching.index()
    save(watching, "memory/oars.md", "- A lantern hangs behind the oars.\n")
    assert watching.index().added == 1
    hits = watching.home.search("lantern behind the oars").hits
    assert hits[0].path == "memory/oars.md"


def test_a_file_that_was_only_touched_changes_nothing(watching):
    """The same content under a new time is no news."""
    os.utime(watching.root / "MEMORY.md", (1, 1))
    assert not watching.look([watching.root / "MEMORY.md"]).changed


def test_a_note_renamed_by_hand_is_recognised_and_its_links_can_follow(watching):
    """The same content under a new name is one note; `rename` then takes its links along."""
    old, new = watching.root / "memory/tea.md", watching.root / "memory/green-tea.md"
    old.rename(new)
    seen = watching.look([old, new])
    assert seen.moved == (Moved("memory/tea.md", "memory/green-tea.md", 3),)
    assert {finding.rule for finding in seen.new} == {"broken-link", "orphan-note"}
    watching.home.rename("tea", "green-tea")
    after = watching.reconcile()
    assert (len(after.gone), after.new) == (4, ())
    memory = (watching.root / "MEMORY.md").read_text()
    assert memory.startswith("# Memory\n\n- See [[green-tea]] and [tea](memory/green-tea.md).")
    watching.home.revert(watching.home.log()[-1].id)
    assert (watching.root / "MEMORY.md").read_text() == FILES["MEMORY.md"]


def test_twins_are_not_taken_for_a_renamed_note(watching):
    """Where two notes of one content come or go nobody can tell which is which."""
    tea = watching.root / "memory/tea.md"
    shutil.copy(tea, watching.root / "memory/a.md")
    shutil.copy(tea, watching.root / "memory/b.md")
    tea.unlink()
    assert watching.reconcile().moved == ()


def test_folders_bursts_and_odd_files_are_settled_by_reading_all(watching):
    """After a moved folder, a checkout, bad bytes or new settings all is as after a fresh look."""
    root = watching.root
    (root / "memory").rename(root / "gone")
    watching.look([root / "memory", root / "gone"])
    assert watching.findings == whole(watching)
    (root / "gone").rename(root / "memory")
    watching.look([root / "memory"])
    assert watching.findings == whole(watching) == []
    burst = [root / f"memory/n{number}.md" for number in range(MOST_FILES + 1)]
    for path in burst:
        path.write_text("- See [[nowhere]].\n")
    assert len(watching.look(burst).new) == 2 * len(burst)  # broken, and an orphan each
    save(watching, "memory/n1.md", b"\xff\xfe")
    assert ("memory/n1.md", "not-utf8") in rules(watching.findings)
    save(watching, "persona.yaml", "memory: {cap: {lines: 1}}\n")
    assert ("MEMORY.md", "over-cap") in rules(watching.findings)
    assert watching.findings == whole(watching)


def test_torn_transcripts_are_told_as_they_are_written(watching):
    """A line that is no turn is told when it is there, and mended when it is gone."""
    said = FILES["transcripts/talk.jsonl"]
    torn = save(watching, "transcripts/talk.jsonl", said + "{no json\n")
    assert rules(torn.new) == [("transcripts/talk.jsonl", "torn-transcript")]
    assert rules(save(watching, "transcripts/talk.jsonl", said).gone) == rules(torn.new)


def test_typed_links_are_watched_from_both_ends(watching):
    """A basis that breaks or mends by a save elsewhere, or by a turn, is told at once."""
    front = '---\nderived_from: [herbs, "transcript:talk#2"]\n---\n'
    first = save(watching, "memory/boat.md", f"{front}# Boat\n\n- Red, see [[tea#Herbs]].\n")
    assert rules(first.new) == [("memory/boat.md", "broken-basis")]  # a title is a name as well
    turn = json.dumps({"role": "user", "content": "Herbs, I said."}) + "\n"
    spoken = save(watching, "transcripts/talk.jsonl", FILES["transcripts/talk.jsonl"] + turn)
    assert rules(spoken.gone) == [("memory/boat.md", "broken-basis")]
    renamed = save(watching, "memory/tea.md", "# Leaves\n\n- Green, no sugar.\n")
    assert ("memory/boat.md", "broken-basis") in rules(renamed.new)
    assert watching.findings == whole(watching)
    back = save(watching, "memory/tea.md", FILES["memory/tea.md"])
    assert ("memory/boat.md", "broken-basis") in rules(back.gone)
    assert watching.findings == whole(watching)
