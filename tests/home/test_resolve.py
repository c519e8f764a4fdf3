"""Resolution: which file a link means, step by step."""

from __future__ import annotations

import pytest
from counted_calls import calls_of

from toolnexus.home.layout import LAYOUTS
from toolnexus.home.note import Note
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import Snapshot
from toolnexus.text.document import parse_document
from toolnexus.text.types import Document

NFC, NFD = "café", "cafe\u0301"


def home_of(*paths: str, **texts: str) -> Snapshot:
    """Make a home of empty files, and of some with a text."""
    return Snapshot(name="ava").with_texts(dict.fromkeys(paths, "") | texts)


def follow(home: Snapshot, markdown: str, from_path: str = "MEMORY.md"):
    """Resolve the first link of a text."""
    return resolve(home.names, from_path, parse_document(markdown).links[0])


@pytest.mark.parametrize(
    ("link", "path", "step"),
    [
        ("[[memory/tea]]", "memory/tea.md", "path"),
        ("[[ memory/tea.md ]]", "memory/tea.md", "path"),
        ("[[/memory/tea]]", "memory/tea.md", "path"),
        ("[[tea]]", "memory/tea.md", "slug"),
        ("[[tea.md]]", "memory/tea.md", "slug"),
        ("[[lisbon 2026]]", "memory/trips/lisbon_2026.md", "folded"),
        ("[[LISBON-2026]]", "memory/trips/lisbon_2026.md", "folded"),
        ("[[trips/lisbon_2026]]", "memory/trips/lisbon_2026.md", "suffix"),
        ("[[Trips/Lisbon 2026]]", "memory/trips/lisbon_2026.md", "suffix"),
        ("[[Strong Tea]]", "memory/tea.md", "title"),
        ("[[strong_tea]]", "memory/tea.md", "title"),
        ("[[Cuppa]]", "memory/tea.md", "alias"),
        ("[[SOUL]]", "SOUL.md", "path"),
        ("[[soul]]", "SOUL.md", "folded"),
        ("[[log]]", "memory/log.md", "asset"),
        ("![[map.png]]", "memory/trips/map.png", "asset"),
        ("![[trips/map.png]]", "memory/trips/map.png", "asset"),
        ("![a map](memory/trips/map.png)", "memory/trips/map.png", "asset"),
        ("![a map](./memory/trips/map.png)", "memory/trips/map.png", "relative"),
        ("[a map](memory/trips/map.png)", "memory/trips/map.png", "relative"),
        ("[all](memory/)", "memory", "relative"),
        ("[t](memory/tea.md)", "memory/tea.md", "relative"),
        ("[t](tea.md)", "memory/tea.md", "slug"),
        ("[t](memory/trips/lisbon%5F2026.md)", "memory/trips/lisbon_2026.md", "relative"),
        ("| [[tea\\|t]] |\n|--|\n", "memory/tea.md", "slug"),
        ("[[cofee]]", None, "unresolved"),
        ("[[trips]]", None, "unresolved"),
        ("![[lost.png]]", None, "unresolved"),
        ("[[ips/lisbon_2026]]", None, "unresolved"),
        ("[t](../secret.md)", None, "escaping"),
        ("[[../secret]]", None, "escaping"),
        ("[[memory/../../secret]]", None, "escaping"),
    ],
)
def test_each_step_finds_its_file(link, path, step):
    """A link is followed by the first step that has a hit, and the step is told."""
    texts = {
        "memory/tea.md": "---\ntitle: Strong tea\naliases: [Cuppa]\n---\n",
        "memory/trips/lisbon_2026.md": "",
        "memory/trips/map.png": "",
        "memory/log.md": "",
        "SOUL.md": "",
        "MEMORY.md": "",
    }
    found = follow(Snapshot(name="ava").with_texts(texts), link)
    assert (found.path, found.step) == (path, step)


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("[t](ghent.md)", "memory/trips/ghent.md"),
        ("[t](./ghent.md)", "memory/trips/ghent.md"),
        ("[t](../tea.md)", "memory/tea.md"),
        ("[t](../../SOUL.md)", "SOUL.md"),
        ("[t](../../../etc/passwd.md)", None),
        ("[t](../trips/../tea.md)", "memory/tea.md"),
        ("[[../tea]]", "memory/tea.md"),
        ("[[./ghent]]", "memory/trips/ghent.md"),
    ],
)
def test_relative_links_start_at_their_file(link, path):
    """A Markdown link is read from the folder of the file that holds it, never out of the home."""
    home = home_of("SOUL.md", "memory/tea.md", "memory/trips/ghent.md", "memory/trips/lisbon.md")
    assert follow(home, link, "memory/trips/lisbon.md").path == path


def test_a_relative_hit_comes_before_a_slug_elsewhere():
    """Beside the linking file wins over a note of that name in another folder."""
    home = home_of("memory/a/tea.md", "memory/b/tea.md")
    assert follow(home, "[t](tea.md)", "memory/b/x.md").path == "memory/b/tea.md"


@pytest.mark.parametrize(
    ("texts", "link"),
    [
        ({"a/tea.md": "", "b/tea.md": ""}, "tea"),
        ({"a/a b.md": "", "a/a_b.md": ""}, "A-B"),
        ({"a/x/t.md": "", "b/x/t.md": ""}, "x/t"),
        ({"a/a.md": "# Tea\n", "a/b.md": "# tea\n"}, "TEA"),
        ({"a.md": "---\naliases: [t]\n---\n", "b.md": "---\naliases: [T]\n---\n"}, "t"),
    ],
)
def test_several_hits_at_a_step_are_ambiguous(texts, link):
    """A step with more than one hit ends the search, and tells what the link could mean."""
    home = Snapshot(name="ava", layout=LAYOUTS["vault"]).with_texts(texts)
    found = follow(home, f"[[{link}]]", "z.md")
    assert (found.path, found.candidates) == (None, tuple(sorted(texts)))


@pytest.mark.parametrize(
    ("texts", "link", "path"),
    [
        # An exact path from the home wins over the same slug in two folders.
        ({"tea.md": "", "a/tea.md": ""}, "tea", "tea.md"),
        # An exact slug wins over its case twin, in either direction.
        ({"a/Tea.md": "", "a/tea.md": ""}, "tea", "a/tea.md"),
        ({"a/Tea.md": "", "a/tea.md": ""}, "Tea", "a/Tea.md"),
        # An exact slug wins over another note's title, a title over another's alias.
        ({"a/tea.md": "", "a/x.md": "# tea\n"}, "tea", "a/tea.md"),
        ({"a/y.md": "---\naliases: [tea]\n---\n", "a/x.md": "# tea\n"}, "tea", "a/x.md"),
        # Twins in the encoding of their accents are told apart where both exist.
        ({f"a/{NFC}.md": "", f"a/{NFD}.md": ""}, NFC, f"a/{NFC}.md"),
        ({f"a/{NFC}.md": "", f"a/{NFD}.md": ""}, NFD, f"a/{NFD}.md"),
        # One alone answers to both.
        ({f"a/{NFD}.md": ""}, NFC, f"a/{NFD}.md"),
        ({f"a/{NFC}.md": ""}, NFD, f"a/{NFC}.md"),
        ({f"a/{NFD}.md": ""}, f"a/{NFC}", f"a/{NFD}.md"),
        # Accents are kept: a plain letter is another name.
        ({f"a/{NFC}.md": ""}, "cafe", None),
    ],
)
def test_earlier_steps_win(texts, link, path):
    """The order of the steps decides between notes that one link could name."""
    home = Snapshot(name="ava", layout=LAYOUTS["vault"]).with_texts(texts)
    assert follow(home, f"[[{link}]]", "z.md").path == path


def test_a_note_left_out_still_resolves():
    """A note that cannot be read is linked to as before, anchors included."""
    note = Note("memory/bad.md", "left-out", "", 3, 0.0, Document())
    home = Snapshot(name="ava", notes={note.path: note})
    found = follow(home, "[[bad#Anything]]")
    assert (found.path, found.anchor) == ("memory/bad.md", "ok")


@pytest.mark.parametrize(
    ("anchor", "there"),
    [
        ("#Night flights: why?", True),
        ("#night flights why", True),
        ("#Night  Flights", False),
        ("#Trips#Night flights: why?", True),
        ("#Trips#Food", False),
        ("#C# notes", True),
        ("#^seats", True),
        ("#^SEATS", True),
        ("#^legs", False),
        ("#Setext", True),
        ("#night-flights-why", False),
    ],
)
def test_wikilink_anchors_name_headings_and_blocks(anchor, there):
    """A heading is named by its text, folded as Obsidian does, nested ones by their path."""
    text = (
        "Setext\n======\n# Trips\n## Night flights: why?\n- Window seats. ^seats\n\n"
        "# Meals\n## Food\n## C# notes\n"
    )
    home = home_of(**{"memory/travel.md": text})
    assert follow(home, f"[[travel{anchor}]]").anchor == ("ok" if there else "missing")
    assert follow(home, "[[travel]]").anchor == "none"


@pytest.mark.parametrize(
    ("anchor", "there"),
    [
        ("night-flights-why", True),
        ("Night%20flights", False),
        ("food", True),
        ("food-1", True),
        ("food-2", False),
    ],
)
def test_markdown_anchors_are_slugs_too(anchor, there):
    """A Markdown link may name a heading as GitHub does, repeated ones by number."""
    home = home_of(**{"memory/travel.md": "# Night flights: why?\n## Food\n## Food\n"})
    found = follow(home, f"[t](memory/travel.md#{anchor})")
    assert found.anchor == ("ok" if there else "missing")


def test_an_anchor_alone_is_within_the_file():
    """`[[#heading]]` leads to the file that holds it."""
    home = home_of(**{"memory/tea.md": "# Tea\n- [[#Tea]] [[#Milk]]\n"})
    found = home.resolutions["memory/tea.md"]
    assert [(each.path, each.step, each.anchor) for each in found] == [
        ("memory/tea.md", "self", "ok"),
        ("memory/tea.md", "self", "missing"),
    ]


def test_a_link_costs_the_same_however_many_notes_there_are():
    """Resolving a link takes as many steps among 4,000 notes as among 40."""
    document = Document()

    def steps_among(count):
        notes = {
            path: Note(path, "note", "", 0, 0.0, document)
            for path in (f"memory/f{number % 50}/note-{number}.md" for number in range(count))
        }
        names = Snapshot(name="ava", notes=notes).names
        link = parse_document("[[note-7]]").links[0]
        assert resolve(names, "MEMORY.md", link).path == "memory/f7/note-7.md"
        return calls_of(lambda: resolve(names, "MEMORY.md", link))

    assert steps_among(4_000) == steps_among(40)
