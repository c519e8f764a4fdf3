from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.store.parse_cache import CACHE_FILE, RACY_NS, ParseCache
from toolnexus.store.read import read_again

LATER_NS = 4_000_000_000_000_000_000


def make_home(root):
    (root / "memory").mkdir()
    (root / "SOUL.md").write_text("I keep notes.\n")
    (root / "memory/tea.md").write_text("- Green\n")
    (root / "memory/cups.md").write_text("- Blue\n")
    return root


def cache_of(root, now_ns=LATER_NS):
    return ParseCache(root / CACHE_FILE, disk_time_ns=lambda: now_ns)


def test_an_unchanged_home_is_the_same_snapshot(tmp_path):
    """Where nothing has changed, the last reading stands, and nothing is made anew."""
    root = make_home(tmp_path)
    first = read_again(root, None, cache=cache_of(root))
    second = read_again(root, first, cache=cache_of(root))  # the cache's own file is new to it
    assert read_again(root, second, cache=cache_of(root)) is second
    assert second.snapshot.notes["memory/tea.md"] == first.snapshot.notes["memory/tea.md"]


def test_what_has_changed_is_read_and_the_rest_is_kept(tmp_path):
    """A changed note is new, one that was made and has not changed is the very same object."""
    root = make_home(tmp_path)
    first = read_again(root, None, cache=cache_of(root))
    cups = first.snapshot.notes["memory/cups.md"]
    (root / "memory/tea.md").write_text("- Black\n")
    (root / "memory/milk.md").write_text("- None\n")
    second = read_again(root, first, cache=cache_of(root)).snapshot
    assert second.text("memory/tea.md") == "- Black\n"
    assert second.notes["memory/tea.md"].document.claims[0].text == "Black"
    assert second.notes["memory/cups.md"] is cups
    assert set(second.digests) == set(second.notes) == set(second.texts)


def test_a_fresh_file_is_read_again_though_its_stamp_is_the_same(tmp_path):
    """A write that bears the stamp of the one before it is seen: a young stamp is not trusted."""
    root = make_home(tmp_path)
    note = root / "memory/tea.md"
    seen = note.stat()
    young = cache_of(root, seen.st_mtime_ns + RACY_NS // 2)
    first = read_again(root, None, cache=young)
    assert not first.stands(first.scan)
    digest = first.snapshot.digests["memory/tea.md"]
    assert first.files["memory/tea.md"].stat is None
    assert first.files["memory/tea.md"].digest == digest


def test_a_layout_that_changed_makes_all_notes_anew(tmp_path):
    """What a note is depends on the layout, so nothing made under another one is kept."""
    (tmp_path / "MEMORY.md").write_text("- See [tea](tea.md)\n")
    (tmp_path / "tea.md").write_text("- Green\n")
    first = read_again(tmp_path, None)
    assert first.snapshot.notes["tea.md"].kind == "note"
    (tmp_path / "SOUL.md").write_text("I keep notes.\n")
    assert "tea.md" not in read_again(tmp_path, first).snapshot.notes


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_could_not_be_read_is_tried_again(tmp_path):
    """A file that could not be read is read as soon as it can be."""
    root = make_home(tmp_path)
    (root / "memory/tea.md").chmod(0)
    first = read_again(root, None, cache=cache_of(root))
    assert first.snapshot.notes["memory/tea.md"].kind == "left-out"
    assert not first.stands(first.scan)
    (root / "memory/tea.md").chmod(0o644)
    assert read_again(root, first, cache=cache_of(root)).snapshot.text("memory/tea.md")


NAMES = ("tea", "cups", "milk", "Tea", "travel/tea")
LINES = ("- Green\n", "- See [[tea]].\n", "- See [[cups#Blue|them]].\n", "# Blue\n", "- [[leaf]]\n")
edits = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.lists(st.sampled_from(LINES), max_size=3).map("".join)),
    ),
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(begun=edits, rounds=st.lists(edits, max_size=3), looked=st.booleans())
def test_what_is_handed_on_is_what_a_fresh_read_would_find(begun, rounds, looked):
    """After edits by hand, names and links are those of a home that was never read before."""
    with TemporaryDirectory() as folder:
        root = make_home(Path(folder))
        write(root, begun)
        reading = read_again(root, None)
        for number, edited in enumerate(rounds):
            if looked or number == 0:
                assert reading.snapshot.graph.resolutions is not None
            write(root, edited, "[[cups]]\n" * number)
            reading = read_again(root, reading)
        known, fresh = reading.snapshot, read_again(root, None).snapshot
        for table in ("slugs", "folded_slugs", "titles", "aliases", "asset_names", "folders"):
            assert getattr(known.names, table) == getattr(fresh.names, table)
        assert known.graph.resolutions == fresh.graph.resolutions
        assert known.graph.backlinks == fresh.graph.backlinks


def write(root, edited, more=""):
    """Write and delete files as a person does; a file that is no note is an asset."""
    for name, text in edited:
        place = root / "memory" / f"{name}.md"
        place.parent.mkdir(exist_ok=True)
        if text is None:
            place.unlink(missing_ok=True)
            (root / "memory" / f"{name.rpartition('/')[2]}.png").touch()
        else:
            place.write_text(f"---\naliases: [leaf{len(text)}]\n---\n{text}{more}")
