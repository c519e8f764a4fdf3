"""Archiving: notes move into the archive, links follow, and a rename brings them back."""

from __future__ import annotations

import pytest
from generated_homes import homes
from hypothesis import given, settings

from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.layout import LAYOUTS
from toolnexus.home.operations.archive import archive_notes, archived_path, revived_path
from toolnexus.home.operations.relink import rename_note
from toolnexus.home.snapshot import Snapshot

HOME = {
    "MEMORY.md": "# Memory\n\n- Plans: [[plans]]\n",
    "memory/plans.md": "# Plans\n\n- Tea: [[tea]], [there](travel/lisbon.md), [[memory/tea]].\n",
    "memory/tea.md": "---\ntags: [tea]\n---\n# Tea\n\n- Green: [[plans]], [plans](plans.md).\n",
    "memory/travel/lisbon.md": "# Lisbon\n\n- Stayed in Alfama: [tea](../tea.md)\n",
}


def archived(home: Snapshot, *paths: str) -> Snapshot:
    """Return a home once some notes are archived, lawfully."""
    draft = Draft(home)
    assert draft.take(archive_notes(home, paths)), draft.refused
    return draft.home


def leads(home: Snapshot, path: str) -> list[str | None]:
    """Return where the links of a file lead."""
    return [found.path for found in home.resolutions[path]]


def test_links_to_and_from_an_archived_note_lead_where_they_led():
    """Wiki links stay as they are, links by path are written anew, on both sides."""
    home = archived(Snapshot("ava").with_texts(HOME), "memory/tea.md", "memory/travel/lisbon.md")
    tea, lisbon = "memory/archive/tea.md", "memory/archive/travel/lisbon.md"
    assert leads(home, "memory/plans.md") == [tea, lisbon, tea]
    assert leads(home, tea) == ["memory/plans.md", "memory/plans.md"]
    assert leads(home, lisbon) == [tea]
    assert "[[tea]]" in home.text("memory/plans.md")
    assert home.text(tea).startswith("---\ntags: [tea]\n---\n# Tea\n\n- Green: [[plans]],")


def test_what_may_not_move_stays():
    """Sources, soul files, what lies in the archive, and a note whose place is taken stay put."""
    texts = {
        **HOME,
        "memory/2026-03-14.md": "- Rain.\n",
        "memory/archive/plans.md": "# Old plans\n\n- None.\n",
    }
    home = Snapshot("ava").with_texts(texts)
    paths = ["memory/2026-03-14.md", "MEMORY.md", "memory/archive/plans.md", "memory/plans.md"]
    assert archive_notes(home, paths).texts == {}


def test_a_note_stays_when_a_source_could_no_longer_reach_it():
    """A daily note, which is never rewritten, keeps the note where its link leads."""
    daily = {"memory/2026-03-14.md": "- Rain, so [[memory/tea]].\n"}
    assert (
        archive_notes(Snapshot("ava").with_texts({**HOME, **daily}), ["memory/tea.md"]).texts == {}
    )
    by_slug = {"memory/2026-03-14.md": "- Rain, so [[tea]] and [tea](tea.md).\n"}
    home = archived(Snapshot("ava").with_texts({**HOME, **by_slug}), "memory/tea.md")
    assert leads(home, "memory/2026-03-14.md") == ["memory/archive/tea.md"] * 2


def test_a_layout_without_folders_has_no_archive():
    """Where notes lie in no folders, nothing is archived."""
    home = Snapshot("ava", layout=LAYOUTS["claude"]).with_texts({"tea.md": "# Tea\n\n- Green.\n"})
    assert archive_notes(home, ["tea.md"]).texts == {}


def test_a_rename_brings_a_note_back():
    """Under its old name or a new one, an archived note returns to its folder, and links follow."""
    home = archived(Snapshot("ava").with_texts(HOME), "memory/travel/lisbon.md")
    for name in ("lisbon", "lisboa"):
        back = home.with_texts(rename_note(home, "lisbon", name).texts)
        assert f"memory/travel/{name}.md" in back.notes
        assert leads(back, "memory/plans.md")[1] == f"memory/travel/{name}.md"


def test_a_note_that_is_not_archived_keeps_the_rules_of_renaming():
    """A note among the others cannot be renamed to its own name."""
    with pytest.raises(UsageError, match="already"):
        rename_note(Snapshot("ava").with_texts(HOME), "tea", "tea")


def test_paths_go_there_and_back():
    """In each layout with folders the archive's path leads back to the note's own."""
    for layout in (LAYOUTS["persona"], LAYOUTS["vault"]):
        path = f"{layout.notes_folder}/a/b.md".lstrip("/")
        assert revived_path(layout, archived_path(layout, path)) == path


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(homes())
def test_archiving_keeps_the_law(home: Snapshot):
    """Whatever is archived of whatever home, no claim is lost and every link leads where it led."""
    step = archive_notes(home, sorted(home.notes))
    if not step.texts:
        return
    draft = Draft(home)
    assert draft.take(step), draft.refused
    moved = dict(step.moved)
    for path, before in home.resolutions.items():
        after = draft.home.resolutions[moved.get(path, path)]
        for old, new in zip(before, after, strict=True):
            if old.path in home.notes and home.notes[path].is_writable:
                assert new.path == moved.get(old.path, old.path)
