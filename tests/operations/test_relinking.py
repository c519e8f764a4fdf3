"""Relinking and renaming: links lead where they led, in every style and from every folder."""

from __future__ import annotations

import pytest
from generated_homes import homes
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.errors import UsageError
from toolnexus.home.operations.read import list_notes, read_target
from toolnexus.home.operations.relink import relink, rename_note
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import Snapshot


def home_of(**files: str) -> Snapshot:
    texts = {
        path.replace("__", "/").replace("_", "-") + ".md": text for path, text in files.items()
    }
    return Snapshot(name="ava").with_texts(texts)


def test_broken_links_are_pointed_anew():
    """Every broken link of a name follows, whatever its style; label and anchor stay."""
    home = home_of(
        MEMORY="- [[trip|there]] [[trip#Plans]] [x](trip.md)\n", memory__trips="# Trips\n"
    )
    step = relink(home, "[[trip]]", "trips")
    assert step.texts["MEMORY.md"] == ("- [[trips|there]] [[trips#Plans]] [x](memory/trips.md)\n")
    assert step.reply == "Pointed 3 links at memory/trips.md."


def test_links_that_lead_somewhere_are_left():
    """Only links that lead nowhere can be pointed anew."""
    home = home_of(MEMORY="- [[tea]]\n", memory__tea="# Tea\n", memory__trips="# Trips\n")
    with pytest.raises(UsageError, match="no broken link says 'tea'"):
        relink(home, "tea", "trips")


def test_the_target_must_exist():
    """A link cannot be pointed at a note that is not there."""
    with pytest.raises(UsageError, match="no note 'nope'"):
        relink(home_of(MEMORY="- [[trip]]\n"), "trip", "nope")


def test_one_file_only():
    """A target restricts it to one file, and pinned claims keep their links."""
    home = home_of(
        MEMORY="- [[trip]]\n", memory__a="- [[trip]]\n- [[trip]] <!-- keep -->\n", memory__trips=""
    )
    assert relink(home, "trip", "trips", "a").texts == {
        "memory/a.md": "- [[trips]]\n- [[trip]] <!-- keep -->\n"
    }


def test_a_folder_in_a_link_stays_there():
    """A wikilink that names its note's folder names it after a rename as well."""
    home = home_of(
        MEMORY="- [[sub/tea|x]] ![[memory/sub/tea.md#A]] [[tea]]\n", memory__sub__tea="# A\n"
    )
    assert rename_note(home, "tea", "cha").texts["MEMORY.md"] == (
        "- [[sub/cha|x]] ![[memory/sub/cha.md#A]] [[cha]]\n"
    )


def test_a_rename_is_followed_everywhere():
    """Links in every style follow a rename, in daily notes as well; code does not."""
    home = home_of(
        MEMORY="- [[tea]] [[tea|x]] ![[tea]] [y](memory/tea.md#a) `[[tea]]`\n",
        memory__sub__x="[z](../tea.md)\n",
        memory__tea="# Tea\n\n- [self](tea.md)\n",
    ).with_texts({"memory/2026-03-14.md": "[[tea]]\n"})
    step = rename_note(home, "tea", "green tea")
    assert step.texts == {
        "MEMORY.md": "- [[green tea]] [[green tea|x]] ![[green tea]] "
        "[y](memory/green%20tea.md#a) `[[tea]]`\n",
        "memory/sub/x.md": "[z](../green%20tea.md)\n",
        "memory/tea.md": None,
        "memory/green tea.md": "# Tea\n\n- [self](green%20tea.md)\n",
        "memory/2026-03-14.md": "[[green tea]]\n",
    }


def test_a_rename_by_case_alone():
    """A note may change the case of its name: that is no clash with itself."""
    step = rename_note(home_of(MEMORY="- [[tea]]\n", memory__tea="- x\n"), "tea", "Tea")
    assert step.texts["memory/Tea.md"] == "- x\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("self", "x", "is no note"),
        ("nope", "x", "no note"),
        ("tea", "trips", "already"),
        ("tea", "log", "reserved"),
        ("tea", "../x", "cannot name"),
        ("tea", "x" * 300, "cannot name"),
        ("tea", "2026-01-01", "cannot name"),
    ],
)
def test_renames_that_will_not_do(old, new, told):
    """The soul, unknown notes, taken, reserved, unsafe and dated names are errors."""
    home = home_of(MEMORY="- x\n", memory__tea="- x\n", memory__trips="- x\n")
    with pytest.raises(UsageError, match=told):
        rename_note(home, old, new)


@given(homes(cap=False), st.data())
@settings(max_examples=30)
def test_every_link_leads_where_it_led(home, data):
    """After any rename each link leads to the same note as before, wherever that is now."""
    notes = [path for path, note in home.notes.items() if note.kind == "note"]
    if not notes:
        return
    path = data.draw(st.sampled_from(sorted(notes)))
    new = data.draw(st.sampled_from(["new-name", "new name", "trips", "Plans", "a (b)"]))
    try:
        step = rename_note(home, path, new)
    except UsageError:
        return
    after = home.with_texts(step.texts)
    for file, note in home.notes.items():
        now = step.moved.get(file, file)
        old = [resolve(home.names, file, link) for link in note.document.links]
        led = [resolve(after.names, now, link) for link in after.notes[now].document.links]
        for was, found in zip(old, led, strict=True):
            if was.path is not None and was.path in home.notes:
                assert found.path == step.moved.get(was.path, was.path), (file, was)


@pytest.mark.slow
@given(homes(cap=False), st.data())
@settings(max_examples=30)
def test_there_and_back_is_no_change(home, data):
    """A rename and the rename back leave every file byte for byte, where no spelling was mended."""
    notes = [path for path, note in home.notes.items() if note.kind == "note"]
    if not notes:
        return
    path = data.draw(st.sampled_from(sorted(notes)))
    slug = home.notes[path].slug
    there = rename_note(home, path, "quite-another-name")
    between = home.with_texts(there.texts)
    back = between.with_texts(rename_note(between, there.changes[0].to, slug).texts)
    for file, note in home.notes.items():
        links = [resolve(home.names, file, link) for link in note.document.links]
        if all(found.path != path for found in links):
            assert back.text(file) == home.text(file)
        else:
            assert len(back.notes[file].document.links) == len(note.document.links)


def test_list_and_read():
    """Notes are listed with title, tags, size and backlinks; claims are numbered."""
    home = home_of(
        MEMORY="# M\n\n- [[tea]]\n\n## Ines\n\n- Lyon\n  - Old town\n",
        memory__tea="---\ntags: [drinks]\n---\n# Tea\n",
    )
    assert list_notes(home).reply == "tea: Tea [drinks] (29 bytes, 1 backlinks)"
    assert read_target(home).reply == ("# M\n1. [[tea]]\n# M / Ines\n2. Lyon\n3.   Old town")
    assert read_target(home, "tea").reply == "memory/tea.md holds no claims."
    assert read_target(home, "user").reply == "USER.md is not written yet."
    with pytest.raises(UsageError, match="no note 'nope'"):
        read_target(home, "nope")
