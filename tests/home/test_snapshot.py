"""The read home: what files are, and homes with some files changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.home.finding import Finding
from toolnexus.home.layout import LAYOUTS, SOUL_CAP_BYTES, detect_layout
from toolnexus.home.names import build_names
from toolnexus.home.overlay import Overlay
from toolnexus.home.snapshot import Snapshot, classify, make_note
from toolnexus.text.document import parse_document

AVA = Snapshot(name="ava")


@pytest.mark.parametrize(
    ("layout", "path", "kind"),
    [
        ("persona", "SOUL.md", "soul"),
        ("persona", "DREAM.md", "soul"),
        ("persona", "memory/SOUL.md", "note"),
        ("persona", "memory/tea.md", "note"),
        ("persona", "memory/people/zoë.md", "note"),
        ("persona", "memory/2026-03-14.md", "source"),
        ("persona", "memory/2026-03-14-lisbon.md", "source"),
        ("persona", "memory/2026-03-141.md", "note"),
        ("persona", "memory/log.md", None),
        ("persona", "memory/people/log.md", "note"),
        ("persona", "README.md", None),
        ("persona", "memory/tea.txt", None),
        ("persona", "memory/.obsidian/tea.md", None),
        ("persona", ".toolnexus/notes.md", None),
        ("persona", "memory/.tea.md", None),
        ("persona", "memoryx/tea.md", None),
        ("persona", "transcripts/tea.md", None),
        ("vault", "tea.md", "note"),
        ("vault", "a/b/tea.md", "note"),
        ("vault", "2026-03-14.md", "source"),
        ("vault", "dream-log.md", None),
        ("vault", "log.md", "note"),
        ("vault", ".trash/tea.md", None),
        ("vault", "MEMORY.md", "soul"),
        ("claude", "MEMORY.md", "soul"),
        ("claude", "user_role.md", "note"),
        ("claude", "folder/user_role.md", None),
        ("claude", "dream-log.md", None),
    ],
)
def test_a_path_tells_what_a_file_is(layout, path, kind):
    """Every layout tells soul files, notes, sources and everything else apart by path alone."""
    assert classify(LAYOUTS[layout], path) == kind


@pytest.mark.parametrize(
    ("names", "layout"),
    [
        (["SOUL.md"], "persona"),
        (["DREAM.md"], "persona"),
        (["memory/", "MEMORY.md"], "persona"),
        ([".obsidian/", "SOUL.md"], "persona"),
        ([".obsidian/", "memory/"], "persona"),
        ([".obsidian/", "MEMORY.md"], "vault"),
        ([".obsidian/", "USER.md", "AGENTS.md"], "vault"),
        (["MEMORY.md", "user_role.md"], "claude"),
        (["memory"], None),
        ([], None),
    ],
)
def test_the_first_layout_that_fits_is_taken(names, layout):
    """A home's layout is the first of the three whose files are there; else it is no home."""
    found = detect_layout(names)
    assert (found and found.name) == layout


@pytest.mark.parametrize(
    ("front", "kind"),
    [
        ("dream: false", "source"),
        ("dream: true", "note"),
        ("dream: no", "source"),
        ("a: b", "note"),
    ],
)
def test_dream_false_makes_a_note_a_source(front, kind):
    """A note that its author keeps from dreams is a source; so is one that says it in YAML 1.1."""
    home = AVA.with_texts({"memory/tea.md": f"---\n{front}\n---\n- Green.\n"})
    assert home.notes["memory/tea.md"].kind == kind


def test_dream_false_leaves_soul_files_what_they_are():
    """A soul file stays one, whatever its front matter says."""
    home = AVA.with_texts({"MEMORY.md": "---\ndream: false\n---\n- Green.\n"})
    assert home.memory is not None
    assert home.memory.kind == "soul"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Trips\n---\n# Other\n", "Trips"),
        ("---\ntitle: 2026\n---\n", "2026"),
        ("## Two\n\n# One\n", "One"),
        ("Setext\n======\n", "Setext"),
        ("## Two\n", "tea"),
        ("---\ntitle: ' '\n---\n", "tea"),
    ],
)
def test_a_title_comes_from_front_matter_heading_or_slug(text, title):
    """The title is the front matter's, else the first level-1 heading, else the slug."""
    assert AVA.with_texts({"memory/tea.md": text}).notes["memory/tea.md"].title == title


def test_only_changed_files_are_parsed():
    """A home with one file changed shares every other note with the one before."""
    home = AVA.with_texts({"memory/a.md": "- a\n", "memory/b.md": "- b\n"})
    after = home.with_texts({"memory/b.md": "- c\n"})
    assert after.notes["memory/a.md"] is home.notes["memory/a.md"]
    assert after.text("memory/b.md") == "- c\n"
    assert home.text("memory/b.md") == "- b\n"


def test_an_unchanged_text_keeps_its_note():
    """Writing a file's own text again makes no new note, so that nothing counts as changed."""
    home = AVA.with_texts({"memory/a.md": "- a\n"})
    again = home.with_texts({"memory/a.md": "- a\n"})
    assert again.notes["memory/a.md"] is home.notes["memory/a.md"]


def test_name_tables_are_kept_when_no_name_changed():
    """A change of a note's claims alone builds no table anew."""
    home = AVA.with_texts({"memory/a.md": "- a\n", "memory/b.md": "- b\n"})
    assert home.with_texts({"memory/a.md": "- c\n"}).names.slugs is home.names.slugs


def test_files_that_are_no_notes_become_assets():
    """The log and other files are known by path, and can be taken away again."""
    home = AVA.with_texts({"memory/log.md": "- entry\n", "a.txt": "x"})
    assert home.assets == {"memory/log.md", "a.txt"}
    assert not home.notes
    assert home.text("memory/log.md") == "- entry\n"
    assert home.with_texts({"a.txt": None}).assets == {"memory/log.md"}


def test_a_removed_file_is_gone():
    """A file that is taken away has neither note nor text, and its reading problems go too."""
    problem = Finding("memory/a.md", 0, "not-utf8", "error", "bad byte")
    home = Snapshot(name="ava", problems=(problem,)).with_texts({"MEMORY.md": "- a\n"})
    assert home.problems == (problem,)
    after = home.with_texts({"MEMORY.md": None, "memory/a.md": None})
    assert after.memory is None
    assert after.text("MEMORY.md") == ""
    assert after.problems == ()


def test_a_file_over_the_read_cap_is_read_only():
    """What was not read whole must not be written."""
    note = make_note("SOUL.md", "soul", "0", SOUL_CAP_BYTES + 1, 0.0, parse_document(""))
    assert note.read_only
    assert not note.is_writable
    assert make_note("SOUL.md", "soul", "0", SOUL_CAP_BYTES, 0.0, parse_document("")).is_writable


WORDS = st.sampled_from(
    ["tea", "Tea", "te_a", "café", "cafe\u0301", "a b", "x/tea", "log", "README", "pic.png"]
)
PATHS = st.sampled_from(
    [
        "MEMORY.md", "USER.md", "memory/tea.md", "memory/Tea.md", "memory/te a.md",
        "memory/x/tea.md", "memory/café.md", "memory/cafe\u0301.md", "memory/log.md",
        "memory/x/pic.png", "README.md", "memory/a-b.md",
    ]
)  # fmt: skip
LINKS = st.one_of(
    WORDS.map(lambda word: f"[[{word}]]"),
    WORDS.map(lambda word: f"[[{word}#Head]]"),
    PATHS.map(lambda path: f"[t](<{path}>)"),
    PATHS.map(lambda path: f"[t](<../{path}#head>)"),
    st.sampled_from(["![[pic.png]]", "[t](x/)", "[t](<../memory>)", "[[../tea]]"]),
)
TEXTS = st.builds(
    lambda title, alias, head, links: (
        f"---\ntitle: {title}\naliases: [{alias}]\n---\n{head}\n\n- {' '.join(links)}\n"
    ),
    WORDS,
    WORDS,
    st.sampled_from(["## Head", "## Other", ""]),
    st.lists(LINKS, max_size=4),
)
CHANGES = st.dictionaries(PATHS, st.one_of(st.none(), TEXTS), min_size=1, max_size=4)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(CHANGES, min_size=2, max_size=4), st.sets(st.integers(0, 3)))
def test_a_changed_home_equals_one_read_anew(steps, looked_at):
    """Tables and links that follow changes are those of the same home read from nothing."""
    home = AVA
    for number, changes in enumerate(steps):
        home = home.with_texts(changes)
        if number in looked_at:
            assert home.graph is home.graph
    notes, assets = dict(home.notes), home.assets
    fresh = Snapshot(name="ava", notes=notes, assets=assets)
    for table in ("slugs", "folded_slugs", "titles", "aliases", "asset_names", "folders"):
        assert getattr(home.names, table) == getattr(build_names(notes, assets), table)
    assert home.resolutions == fresh.resolutions
    assert home.backlinks == fresh.backlinks


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers()),
    st.lists(st.dictionaries(st.sampled_from("abcde"), st.none() | st.integers()), max_size=4),
)
def test_an_overlay_reads_like_a_changed_copy(base, layers):
    """An overlay over an overlay gives the keys, values and length of a plain changed dict."""
    plain, overlay = dict(base), base
    for layer in layers:
        overlay = Overlay(overlay, layer)
        for key, value in layer.items():
            plain.pop(key, None)
            if value is not None:
                plain[key] = value
    assert dict(overlay) == plain
    assert len(overlay) == len(plain)
    assert all((key in overlay) == (key in plain) for key in "abcdef")


@given(
    st.lists(
        st.sampled_from(["memory/a.md", "memory/x/a.md", "memory/x/b.md", "MEMORY.md", "SOUL.md"]),
        unique=True,
    )
)
def test_a_slug_is_found_without_making_notes(paths):
    """What is called by a slug is what the name tables say, for any home."""
    home = Snapshot(name="ava").with_texts(dict.fromkeys(paths, "- A.\n"))
    for slug in ("a", "b", "MEMORY", "c"):
        assert home.called(slug) == home.names.slugs.get(slug, ())
