"""Demotion without a model: the index is brought under its cap, and every note is reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolnexus.dream.demotion import SHARE_OF_CAP, demote_over_cap, is_over
from toolnexus.dream.linking import SUGGESTED, find_unresolved
from toolnexus.dream.passes import draft_pass
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.finding import Finding
from toolnexus.home.graph import reachable_from
from toolnexus.home.layout import LAYOUTS
from toolnexus.home.snapshot import IndexCap, Snapshot


def home_of(memory: str, lines: int = 20, layout: str = "persona", **notes: str) -> Snapshot:
    folder = "memory/" if layout == "persona" else ""
    files = {f"{folder}{slug.replace('_', '-')}.md": text for slug, text in notes.items()}
    home = Snapshot(name="ava", layout=LAYOUTS[layout], cap=IndexCap(lines, 25_600))
    return home.with_texts({"MEMORY.md": memory, **files})


def test_an_index_within_its_cap_is_left():
    """Nothing moves while the index is no longer than it may be."""
    draft = Draft(home_of("- a\n" * 20))
    assert not demote_over_cap(draft)
    assert draft.changes == []


@pytest.mark.parametrize("layout", ["persona", "vault", "claude"])
@pytest.mark.parametrize("headed", [True, False])
def test_it_ends_below_four_fifths(layout, headed):
    """Claims go into notes, in every layout, with headings or without, until 80 % is reached."""
    claims = [f"- Fact {n} about the {('garden', 'boat')[n % 2]}.\n" for n in range(60)]
    head = "# Memory\n\n## Things\n\n" if headed else ""
    draft = draft_pass(home_of(head + "".join(claims), layout=layout), {})
    assert not is_over(draft.home, SHARE_OF_CAP)
    assert draft.violations() == ()
    assert set(draft.home.notes) <= reachable_from(draft.home, "MEMORY.md")


def test_three_hundred_pointers_move_behind_an_index_note():
    """An index of pointers alone is brought under its cap, and every note stays reachable."""
    notes = {f"n{n}": f"# Note {n}\n\n- Fact {n}.\n" for n in range(300)}
    memory = "".join(f"- Note {n}: [[n{n}]]\n" for n in range(300))
    draft = draft_pass(home_of(memory, 200, **notes), {})
    assert not is_over(draft.home, SHARE_OF_CAP)
    assert {f"memory/n{n}.md" for n in range(300)} <= reachable_from(draft.home, "MEMORY.md")
    assert draft_pass(draft.home, {}).changes == []


def test_what_may_not_move_stays_and_is_no_failure():
    """Pins, code and tables stay where they are, even where the cap cannot be reached."""
    memory = "- Pinned. <!-- keep -->\n\n```\n" + "code\n" * 30 + "```\n\n| a |\n|---|\n| 1 |\n"
    draft = draft_pass(home_of(memory), {})
    assert draft.home.text("MEMORY.md") == memory
    assert is_over(draft.home)


def test_two_facts_never_become_one():
    """Equal words said of nobody and said of Ines stay two claims, wherever they go."""
    memory = "# Memory\n\n" + "- Ines likes Lyon\n" * 4 + "\n## Ines\n\n- Ines likes Lyon\n"
    draft = draft_pass(home_of(memory, 5), {})
    said = [c for note in draft.home.notes.values() for c in note.document.claims]
    assert sum("likes Lyon" in claim.text for claim in said) == 2
    assert draft_pass(draft.home, {}).changes == []


def test_a_numbered_list_moves_as_a_whole():
    """Steps of a numbered list stay together, in their order, with the line that announces them."""
    steps = "Leaving home:\n\n1. Lock.\n2. Ring.\n3. Wait.\n"
    draft = draft_pass(home_of("- Fact.\n\n" + steps, 5), {})
    texts = [draft.home.text(path) for path in draft.home.notes]
    assert any("Leaving home:\n\n1. Lock.\n2. Ring.\n3. Wait.\n" in text for text in texts)


def test_suggestions_are_bounded():
    """However many links are broken, suggestions are sought for the first hundred names only."""
    notes = {
        f"place_{n}_of_many": f"- [[plac-{n}-of-mny]] [[plac-{n}-of-mny]]\n" for n in range(150)
    }
    found = find_unresolved(home_of("", **notes))
    assert len(found) == 300
    assert len({one.link for one in found if one.candidates}) == SUGGESTED


def test_what_cannot_be_read_is_no_note_to_move_into():
    """A name that a link out of the home bears already is not taken for a new note."""
    blocked = Finding("memory/things.md", 0, "escaping-symlink", "error", "it leads out", "mend it")
    memory = "# Memory\n\n## Things\n\n" + "".join(f"- Fact number {n}.\n" for n in range(60))
    draft = draft_pass(replace(home_of(memory), problems=(blocked,)), {})
    assert not is_over(draft.home, SHARE_OF_CAP)
    assert "memory/things.md" not in draft.home.notes
    assert "memory/things-2.md" in draft.home.notes


def test_what_its_note_says_already_is_folded_there():
    """A claim that is demoted to a note that says the same leaves that note as it was."""
    said = "".join(f"- Fact number {n}.\n" for n in range(30))
    memory = "# Memory\n\n## Things\n\n- Things: [[things]]\n" + said
    draft = draft_pass(home_of(memory, things=f"# Things\n\n{said}"), {})
    assert draft.violations() == ()
    assert not is_over(draft.home)
    assert draft.home.text("memory/things.md") == f"# Things\n\n{said}"
