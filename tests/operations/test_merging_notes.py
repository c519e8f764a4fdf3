"""Merging: notes become one, and nothing that they said, and no name of theirs, is lost."""

from __future__ import annotations

import pytest
from generated_homes import homes
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.operations.fold import fold_duplicates
from toolnexus.home.operations.merge import merge_notes
from toolnexus.home.resolve import resolve_target
from toolnexus.home.snapshot import Snapshot


def home_of(memory: str = "", **notes: str) -> Snapshot:
    files = {f"memory/{slug.replace('_', '-')}.md": text for slug, text in notes.items()}
    return Snapshot(name="ava").with_texts({"MEMORY.md": memory, **files})


def test_what_both_say_is_said_once():
    """Same claims are folded, others move along under their headings."""
    home = home_of(
        tea="# Tea\n\n- Green.\n\n## Where\n\n- Kyoto.\n",
        tea_notes="# Tea\n\n- Green.\n- Hot.\n\n## When\n\n- Mornings.\n",
    )
    text = merge_notes(home, "tea-notes", "tea").texts["memory/tea.md"]
    assert text == (
        "---\naliases: [tea-notes]\n---\n"
        "# Tea\n\n- Green.\n- Hot.\n\n## Where\n\n- Kyoto.\n\n## When\n\n- Mornings.\n"
    )


def test_front_matter_is_joined_and_the_kept_note_wins():
    """Lists are joined, missing keys are taken over, and what gave way is told."""
    home = home_of(
        tea="---\ntags: [a]\nrating: 3\n---\n- Green.\n",
        tea2="---\ntags: [A, b]\nrating: 4\nmood: calm\naliases: [cha]\n---\n- Hot.\n",
    )
    step = merge_notes(home, "tea2", "tea")
    front = Snapshot(name="x").with_texts(step.texts).notes["memory/tea.md"].document.front
    assert front.fields == {
        "tags": ["a", "b"],
        "rating": 3,
        "mood": "calm",
        "aliases": ["tea2", "cha"],
    }
    assert "rating: 4 (from memory/tea2.md) gave way to 3" in step.changes[0].reason


def test_links_and_anchors_follow():
    """Links in every style lead to the kept note, with their anchors and labels."""
    home = home_of(
        "- [[tea-2]] [[tea-2|there]] ![[tea-2]] [x](memory/tea-2.md#when) [[tea-2#When]]\n",
        tea="# Tea\n\n- Green.\n",
        tea_2="# Tea\n\n## When\n\n- Mornings.\n",
    )
    step = merge_notes(home, "tea-2", "tea")
    assert step.texts["MEMORY.md"] == (
        "- [[tea]] [[tea|there]] ![[tea]] [x](memory/tea.md#when) [[tea#When]]\n"
    )
    after = home.with_texts(step.texts)
    assert {found.anchor for found in after.resolutions["MEMORY.md"]} == {"none", "ok"}
    assert resolve_target(after.names, "MEMORY.md", "tea-2").path == "memory/tea.md"


def test_block_ids_that_clash_get_a_suffix():
    """A `^id` of both notes stays one of the kept note's, the other gets a number."""
    home = home_of(a="- One. ^x\n", b="- Two. ^x\n")
    assert "- Two. ^x-2\n" in str(merge_notes(home, "b", "a").texts["memory/a.md"])


def test_code_and_comments_move_along():
    """Code blocks and comments of a merged note stand in the kept one."""
    home = home_of(a="# A\n\n- One.\n", b="# A\n\n- Run:\n\n```\nmake\n```\n\n<!-- mine -->\n")
    text = str(merge_notes(home, "b", "a").texts["memory/a.md"])
    assert "- Run:\n\n```\nmake\n```\n" in text
    assert "<!-- mine -->" in text


@pytest.mark.parametrize(
    ("from_", "target", "told"),
    [
        ("a", "a", "other than"),
        ([], "a", "other than"),
        ("nope", "a", "no note"),
        ("self", "a", "is no note"),
        ("2026-03-14", "a", "source"),
        ("a", "2026-03-14", "source"),
    ],
)
def test_notes_that_cannot_be_merged(from_, target, told):
    """A note into itself, unknown notes, the index and sources are errors."""
    home = home_of(a="- A.\n", **{"2026_03_14": "- Rain.\n"})
    with pytest.raises(UsageError, match=told):
        merge_notes(home, from_, target)


@pytest.mark.slow
@given(homes(cap=False), st.data())
@settings(max_examples=30)
def test_any_merge_keeps_the_law(home, data):
    """Any two notes: no claim, heading of a claim, code, block id or name is lost."""
    slugs = [path for path, note in home.notes.items() if note.kind == "note" and note.is_writable]
    if len(slugs) < 2:
        return
    gone, kept = data.draw(st.permutations(sorted(slugs)))[:2]
    try:
        step = merge_notes(home, gone, kept)
    except UsageError:
        return
    draft = Draft(home)
    if not draft.take(step):
        assert draft.refused
        return
    assert draft.violations() == ()
    old, new = home.notes[gone], draft.home.notes[kept]
    assert len(new.document.block_ids) >= len(set(old.document.block_ids))
    names = {new.slug, new.title, *new.aliases}
    assert {name.casefold() for name in (old.slug, *old.aliases)} <= {n.casefold() for n in names}


def test_duplicates_in_a_file_become_one():
    """The same claim twice under one heading is folded into the first."""
    home = home_of("- Likes **tea**.\n- Rain.\n- likes tea\n")
    step = fold_duplicates(home, "MEMORY.md")
    assert step.texts == {"MEMORY.md": "- Likes **tea**.\n- Rain.\n"}


@pytest.mark.parametrize(
    "memory",
    [
        "## Ines\n\n- Lyon.\n\n## Clara\n\n- Lyon.\n",
        "- Ines\n  - Lyon.\n- Clara\n  - Lyon.\n",
        "- Tea.\n- Tea. <!-- keep -->\n",
        "1. Rest.\n2. Walk.\n3. Rest.\n",
        "| a |\n|---|\n| x |\n| x |\n",
        "- Costs 3 euros.\n- Costs 4 euros.\n",
        "- Likes tea.\n- Never likes tea.\n",
        "- Run:\n\n```\na\n```\n\n- Run:\n\n```\nb\n```\n",
        "- [[tea|Green]]\n- [[tea|Black]]\n",
    ],
)
def test_what_only_looks_like_a_duplicate_stays(memory):
    """Two people, two places in a list, two rows, pins, values and labels are two facts."""
    assert fold_duplicates(home_of(memory, tea="# Tea\n"), "MEMORY.md").texts == {}


def test_folding_keeps_headings():
    """A heading of which the only claim was a duplicate stays: a pass makes no structure vanish."""
    home = home_of("## A\n\n- x\n\n## A\n\n- x\n")
    assert fold_duplicates(home, "MEMORY.md").texts["MEMORY.md"].count("## A") == 2
