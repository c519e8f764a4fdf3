"""Merging and front matter: whatever stands at a note's top, none of it is lost or moves astray."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.app import Home
from toolnexus.errors import UsageError
from toolnexus.evolve.compacting.merging import merge_cluster
from toolnexus.home.drafts.draft import Draft
from toolnexus.home.drafts.same import merge_same
from toolnexus.home.operations.merge import is_mergeable, merge_notes
from toolnexus.home.snapshot import Snapshot

SAME = "# Tea\n\n- Green tea steeps two minutes.\n- Sencha likes 70 degrees.\n"
FRONTS = (
    "",
    "---\ntitle: Tea\nkeep: me\n---\n",
    "---\ntitle: Tea\nkeep: [me, you]\ntags: [a]\n---\n",
    "---\n{title: Tea}\n---\n",
    "---\n{title: Tea, aliases: [tea, tea-2]}\n---\n",
    "---\ntags: {a: b}\n---\n",
    "---\naliases: {a: b}\n---\n",
    "---\nnested: {a: {b: c}}\nnothing:\n---\n",
    "---\ntext: |\n  one\n  two\n...\n",
    "---\ntitle: &t Tea\nagain: *t\n---\n",
    "---\ntitle: [unclosed\n---\n",
    '---\ntitle: "Tea\n---\n',
    "---\n- a\n- b\n---\n",
    "---\n---\n",
    "---\ntitle: Tea\nkeep: me\n\n",
    "---\n\n",
    "\ufeff---\ntitle: Tea\n\n",
)
UNCLOSED = ("---\ntitle: Tea\nkeep: me\n\n", "---\n\n", "\ufeff---\ntitle: Tea\n\n")
STUBBORN = ("---\n{title: Tea}\n---\n", "---\ntags: {a: b}\n---\n", "---\naliases: {a: b}\n---\n")


def two(kept: str, gone: str) -> Snapshot:
    """Return a home of two notes."""
    files = {"memory/tea.md": kept, "memory/tea-2.md": gone}
    return Snapshot(name="ava").with_texts({"MEMORY.md": "- [[tea]]\n", **files})


def words_of(text: str) -> set[str]:
    """Return a text's words: a heading may come in another style, and its lines be joined."""
    return {word for word in text.split() if word.strip("#-")}


@pytest.mark.parametrize("front", UNCLOSED)
@pytest.mark.parametrize("goes", [True, False])
def test_front_matter_that_is_not_closed_is_refused(front, goes):
    """Neither a note that goes nor one that stays is merged before a person has closed it."""
    broken, whole = front + SAME, f"---\ntags: [x]\n---\n{SAME}"
    home = two(whole, broken) if goes else two(broken, whole)
    with pytest.raises(UsageError, match="no line closes") as caught:
        merge_notes(home, "tea-2", "tea")
    assert caught.value.path == ("memory/tea-2.md" if goes else "memory/tea.md")
    assert not is_mergeable(home, "memory/tea-2.md", "memory/tea.md")
    assert not merge_same(Draft(home))


@pytest.mark.parametrize("front", STUBBORN)
def test_front_matter_that_takes_nothing_in_is_refused(front):
    """Where nothing can be added without touching what stands there, it is told with the file."""
    home = two(front + SAME, f"---\nkeep: me\ntags: [x]\n---\n{SAME}")
    with pytest.raises(UsageError, match="front matter") as caught:
        merge_notes(home, "tea-2", "tea")
    assert (caught.value.path, caught.value.hint != "") == ("memory/tea.md", True)
    assert not merge_same(Draft(home))


def test_a_value_that_cannot_move_along_is_told():
    """A nested value that the kept note has no place for stands in the change's reason."""
    home = two(SAME, f"---\nnested: {{a: b}}\n---\n{SAME}")
    (change,) = merge_notes(home, "tea-2", "tea").changes
    assert "nested: {'a': 'b'} (from memory/tea-2.md) could not move along" in change.reason


def test_a_cluster_that_cannot_name_what_it_was_is_refused():
    """Front matter that `merged_from` fits not into is an error with the file, and no crash."""
    home = two("---\n{title: Tea, aliases: [tea, tea-2]}\n---\n" + SAME, SAME)
    with pytest.raises(UsageError, match="takes in no other note") as caught:
        merge_cluster(home, ["memory/tea.md", "memory/tea-2.md"], "near")
    assert caught.value.path == "memory/tea.md"


@pytest.mark.parametrize("front", [*UNCLOSED, *STUBBORN])
def test_a_pass_leaves_such_notes_as_they_are(tmp_path, front):
    """A dream over a home with such a note ends well, and both notes stay byte for byte."""
    files = {"MEMORY.md": "- [[tea]]\n- [[tea-2]]\n", "SOUL.md": "You are Ava.\n"}
    files |= {"memory/tea.md": front + SAME, "memory/tea-2.md": f"---\ntags: [x]\n---\n{SAME}"}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    home = Home.open(tmp_path, model="none")
    assert home.dream().outcome == "nothing"
    assert home.overview().ripening.merge == 0
    assert {path: (tmp_path / path).read_bytes().decode() for path in files} == files


@settings(max_examples=60)
@given(
    st.sampled_from(FRONTS),
    st.sampled_from(FRONTS),
    st.lists(st.sampled_from(["- One.\n", "---\n", "a: b\n", "\n", "## Where\n"]), max_size=6),
)
def test_any_front_matter_is_kept_or_refused(kept_front, gone_front, rest):
    """Two notes become one with readable front matter and every word of both, or are refused."""
    gone_body = SAME + "\n" + "".join(rest)
    home = two(kept_front + SAME, gone_front + gone_body)
    try:
        step = merge_notes(home, "tea-2", "tea")
    except UsageError:
        return
    text = step.texts["memory/tea.md"]
    note = Snapshot(name="ava").with_texts(step.texts).notes["memory/tea.md"]
    assert note.document.problems == ()
    assert note.is_writable
    kept, gone = home.notes["memory/tea.md"], home.notes["memory/tea-2.md"]
    body = text[note.document.front.end :]
    old = home.text(gone.path)[gone.document.front.end :]
    assert words_of(home.text(kept.path)[kept.document.front.end :]) <= words_of(body)
    assert words_of(old) <= words_of(body)
    told = step.changes[0].reason
    for key, value in gone.document.front.fields.items():
        if key not in {"title", "tags", "aliases"}:
            assert note.document.front.fields.get(key) == value or key in told
    assert kept.document.front.fields.keys() <= note.document.front.fields.keys()
