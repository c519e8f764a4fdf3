"""Adding, replacing, removing and writing: each rule of the memory tool, and each error."""

from __future__ import annotations

import pytest
from generated_homes import homes, texts
from hypothesis import given
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.home.claims import located_claims
from toolnexus.home.operations.edit import (
    add_claim,
    as_item,
    remove_claim,
    replace_claim,
)
from toolnexus.home.operations.write import write_note
from toolnexus.home.snapshot import Snapshot
from toolnexus.text.fold import fold_claim

MEMORY = "# Memory\n\n- Likes tea.\n- A teal coat.\n\n## Ines\n\n- Lives in Lyon.\n"


def home_of(memory: str = MEMORY, **notes: str) -> Snapshot:
    files = {f"memory/{slug}.md": text for slug, text in notes.items()}
    return Snapshot(name="ava").with_texts({"MEMORY.md": memory, **files})


def facts(home: Snapshot, path: str = "MEMORY.md") -> list[tuple[str, tuple[str, ...]]]:
    return [(claim.fold, claim.context) for claim in located_claims(home, path)]


def test_add_stands_under_no_heading():
    """A claim is added before the first section, where no heading says whom it is about."""
    step = add_claim(home_of(), "Lives in Lyon.")
    assert step.texts["MEMORY.md"] == MEMORY.replace(
        "- A teal coat.\n", "- A teal coat.\n- Lives in Lyon.\n"
    )


def test_add_creates_memory_and_user():
    """`self` and `user` are made when they are absent."""
    home = Snapshot(name="ava")
    assert add_claim(home, "Likes tea").texts == {"MEMORY.md": "- Likes tea\n"}
    assert add_claim(home, "Is called Maria", "user").texts == {"USER.md": "- Is called Maria\n"}


def test_add_of_what_stands_there_changes_nothing():
    """The same claim, whatever its type and emphasis, is told by its line and not added twice."""
    step = add_claim(home_of(), "* likes **tea**")
    assert (step.texts, step.path) == ({}, "MEMORY.md")
    assert step.reply == "MEMORY.md says so already, in line 3."


def test_equal_words_under_a_heading_are_another_claim():
    """Words that stand under Ines do not keep the same words about somebody else out."""
    home = home_of("## Ines\n\n- Lives in Lyon.\n")
    step = add_claim(home, "Lives in Lyon.")
    assert step.texts["MEMORY.md"] == "- Lives in Lyon.\n\n## Ines\n\n- Lives in Lyon.\n"


def test_several_lines_become_one_item():
    """Text over several lines is one claim on one line."""
    step = add_claim(home_of(), "Bring\n\n- bread\n- salt")
    assert "- Bring - bread - salt\n" in step.texts["MEMORY.md"]


@pytest.mark.parametrize(
    "text", ["# Title", "1. First", "> said", "```", "| a |", "---", "<!-- keep -->", "[x]: y"]
)
def test_added_text_is_never_other_markdown(text):
    """What looks like a heading, list, quote, code, comment or pin stays words in one claim."""
    home = home_of()
    after = home.with_texts(add_claim(home, text).texts)
    before = facts(home)
    assert len(facts(after)) == len(before) + 1
    assert not any(claim.pinned for claim in after.notes["MEMORY.md"].document.claims)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("x" * 65_537, "65,536"),
        ("half \ud83d", "surrogate"),
        ("nul \x00", "NUL"),
        (7, "must be a text"),
    ],
)
def test_texts_that_cannot_be_written(text, told):
    """Empty, oversized and broken texts are errors that say what is wrong."""
    for operate in (add_claim, lambda h, t: replace_claim(h, "Likes tea.", t), remove_claim):
        with pytest.raises(UsageError, match=told):
            operate(home_of(), text)


def test_sources_and_unknown_notes_are_not_written():
    """Daily notes, notes with `dream: false` and notes that are not there refuse an addition."""
    home = home_of(**{"2026-03-14": "- Rain.\n", "mine": "---\ndream: false\n---\n- Mine.\n"})
    for target, told in [("2026-03-14", "source"), ("mine", "source"), ("nope", "no note 'nope'")]:
        with pytest.raises(UsageError, match=told):
            add_claim(home, "More.", target)


def test_an_open_code_block_is_no_place():
    """Where a code block was never closed, an addition would be code: it is refused."""
    with pytest.raises(UsageError, match="cannot stand"):
        add_claim(home_of("```\nmake\n"), "Likes tea")


@given(texts(), st.text(max_size=60))
def test_add_adds_exactly_one_claim(memory, text):
    """Any text yields one claim more that reads as it does and moves no other byte, or an error."""
    home = home_of(memory)
    try:
        step = add_claim(home, text)
    except UsageError:
        return
    if not step.texts:
        assert fold_claim(as_item(text)) in {fold for fold, _ in facts(home)}
        return
    after = home.with_texts(step.texts)
    assert sorted(facts(after)) == sorted([*facts(home), (fold_claim(as_item(text)), ())])
    added = after.text("MEMORY.md")
    assert is_subsequence(home.text("MEMORY.md"), added)


def is_subsequence(old: str, new: str) -> bool:
    """Whether a text is another with one stretch put in (blank lines at the end may give way)."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    return new[start:].endswith(old[start:]) or not old[start:].strip()


def test_replace_takes_a_whole_claim_first():
    """Words that are one claim and a part of another mean the claim."""
    home = home_of("- tea\n- Likes tea daily\n")
    assert (
        replace_claim(home, "tea", "rooibos").texts["MEMORY.md"] == "- rooibos\n- Likes tea daily\n"
    )


def test_tea_never_touches_teal():
    """A part is found on word boundaries only, case aside."""
    step = replace_claim(home_of(), "TEA", "rooibos")
    assert step.texts["MEMORY.md"] == MEMORY.replace("Likes tea", "Likes rooibos")
    with pytest.raises(UsageError, match="no claim reads 'oat'"):
        replace_claim(home_of(), "oat", "boat")


def test_several_matches_are_listed():
    """Words that fit several claims change none; the claims are listed with their lines."""
    home = home_of("- Likes tea\n- Buys tea\n")
    with pytest.raises(UsageError, match=r"fits 2 places: line 1: Likes tea; line 2: Buys tea"):
        replace_claim(home, "tea", "rum")
    with pytest.raises(UsageError, match="fits 2 places"):
        remove_claim(home_of("- tea tea\n"), "tea")


def test_a_miss_names_the_nearest():
    """A near miss is an error that shows the claim that may have been meant."""
    with pytest.raises(UsageError) as caught:
        replace_claim(home_of(), "Likes the tea.", "x")
    assert "Likes tea." in caught.value.hint


def test_replace_keeps_block_ids_comments_and_line_ends():
    """A `^id` that links lead to, a trailing comment and CRLF stay when a claim is reworded."""
    home = home_of("\ufeff- Likes tea. ^b1 <!-- asked -->\r\n- More\r\n")
    step = replace_claim(home, "Likes tea. ^b1", "Likes rum.")
    assert step.texts["MEMORY.md"] == "\ufeff- Likes rum. ^b1 <!-- asked -->\r\n- More\r\n"


def test_pins_hold():
    """A pinned claim, or one under a pinned heading, is neither reworded nor removed."""
    home = home_of("- Tea. <!-- keep -->\n\n## Ines\n<!-- keep -->\n\n- Lyon.\n")
    for words in ("Tea.", "Lyon."):
        with pytest.raises(UsageError, match="pinned"):
            replace_claim(home, words, "x")
        with pytest.raises(UsageError, match="pinned"):
            remove_claim(home, words)


def test_a_replacement_that_changes_nothing_is_an_error():
    """An edit without effect is told, so that a model does not take it for done."""
    with pytest.raises(UsageError, match="change nothing"):
        replace_claim(home_of(), "Likes tea.", "Likes tea.")


def test_a_comment_cannot_be_opened():
    """Words with `<!--` in them hide nothing that stands behind them."""
    home = home_of("- Likes tea\n- Likes rum\n")
    after = home.with_texts(replace_claim(home, "tea", "<!-- tea").texts)
    assert len(facts(after)) == 2


def test_removal_keeps_headings_and_children():
    """A removed claim leaves its heading; one with claims nested in it is not removed."""
    step = remove_claim(home_of(), "Lives in Lyon.")
    assert "## Ines\n" in step.texts["MEMORY.md"]
    with pytest.raises(UsageError, match="nested"):
        remove_claim(home_of("- Ines\n  - Lyon\n"), "Ines")


def test_a_part_may_be_removed():
    """Removing words from a claim leaves the rest of it, without a double blank."""
    step = remove_claim(home_of("- Likes green tea.\n"), "green")
    assert step.texts["MEMORY.md"] == "- Likes tea.\n"


@pytest.mark.slow
@given(homes(cap=False), st.data())
def test_edits_change_no_byte_outside_the_claim(home, data):
    """Replacing or removing a claim moves nothing else in any file, or is refused."""
    path = data.draw(st.sampled_from(sorted(home.notes)))
    claims = home.notes[path].document.claims
    if not claims:
        return
    claim = data.draw(st.sampled_from(claims))
    target = {"MEMORY.md": "self", "USER.md": "user"}.get(path, path)
    source = home.text(path)
    for operate in (
        lambda: replace_claim(home, claim.text, "New words.", target),
        lambda: remove_claim(home, claim.text, target),
    ):
        try:
            step = operate()
        except UsageError:
            continue
        new = step.texts[path]
        assert list(step.texts) == [path]
        assert new.startswith(source[: claim.start])
        assert new.endswith(source[claim.end :])


def test_write_creates_a_note_with_its_title():
    """A new note gets its title as a heading, in the layout's folder."""
    step = write_note(home_of(), "travel", "- Window seats.", "Travel")
    assert step.texts == {"memory/travel.md": "# Travel\n\n- Window seats.\n"}


def test_write_replaces_only_where_nothing_is_lost():
    """A note is replaced when every claim stands in the new text, and else named in an error."""
    home = home_of(tea="# Tea\n\n- Green.\n- No sugar.\n")
    step = write_note(home, "tea", "# Tea\n\n- No sugar.\n- Green.\n- Hot.\n")
    assert step.texts["memory/tea.md"].endswith("- Hot.\n")
    with pytest.raises(UsageError, match=r"would lose 'No sugar\.'"):
        write_note(home, "tea", "# Tea\n\n- Green.\n")


def test_write_does_not_move_a_claim_to_another_subject():
    """The same words under another heading are another fact: that replacement loses one."""
    home = home_of(people="## Ines\n\n- Lives in Lyon.\n\n## Clara\n\n- Paints.\n")
    with pytest.raises(UsageError, match="would lose"):
        write_note(home, "people", "## Ines\n\n- Paints.\n\n## Clara\n\n- Lives in Lyon.\n")


def test_write_keeps_pins_and_structure():
    """Pins, code and front matter of a note outlive a replacement, or it is refused."""
    home = home_of(tea="---\ntags: [a]\n---\n- Green. <!-- keep -->\n\n```\nboil\n```\n")
    for text in ("- Green.\n\n```\nboil\n```\n", "- Green. <!-- keep -->\n"):
        with pytest.raises(UsageError, match="would lose"):
            write_note(home, "tea", text)
    step = write_note(home, "tea", "- Green. <!-- keep -->\n- Hot.\n\n```\nboil\n```\n")
    assert step.texts["memory/tea.md"].startswith("---\ntags: [a]\n---\n- Green.")


@pytest.mark.parametrize("slug", ["log", "../x", "a/b", ".hid", "2026-03-14", "x" * 300, "a\nb"])
def test_bad_slugs_are_refused(slug):
    """Reserved, unsafe, dated and endless names cannot be a new note's."""
    with pytest.raises(UsageError):
        write_note(home_of(), slug, "- Words.")
