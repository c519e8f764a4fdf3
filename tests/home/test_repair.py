"""Repair: what is certain, what is only like, and how a link is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus.home.layout import LAYOUTS
from toolnexus.home.repair import certain_target, link_target_for, suggestions
from toolnexus.home.resolve import resolve
from toolnexus.home.snapshot import Snapshot
from toolnexus.text.document import parse_document
from toolnexus.text.wikilinks import render_link


def home_of(*paths: str) -> Snapshot:
    """Make a home of empty files."""
    return Snapshot(name="ava").with_texts(dict.fromkeys(paths, ""))


def certain(home: Snapshot, markdown: str, **renamed: str) -> str | None:
    """Repair the first link of a text in MEMORY.md."""
    link = parse_document(markdown).links[0]
    return certain_target(home, "MEMORY.md", link, renamed)


@pytest.mark.parametrize(
    ("slugs", "link", "found"),
    [
        (["portuguese"], "portugese", "portuguese"),
        (["portuguese"], "Portugese", "portuguese"),
        (["portuguese"], "portugese#heading", "portuguese"),
        (["portuguese"], "portgese", None),  # two edits are more than 15 % of ten
        (["travel-preferences"], "travel-preferecnes", "travel-preferences"),
        (["travel-preferences"], "travel-prefernc", None),  # three edits
        (["flights-2026"], "flights-2025", None),  # another digit
        (["flights-2026"], "flihts-2026", "flights-2026"),
        (["flights-2026"], "flights-202", None),
        (["flights-12"], "flights-1-2", None),
        (["tea"], "teas", None),  # too short for any edit
        (["seven-c"], "sevenc", "seven-c"),  # one of seven is 14 %
        (["sixsix"], "sixsi", None),  # one of six is 17 %
        (["recipes-sweet", "recipes-sweat"], "recipes-swept", None),  # two targets
        (["a/portuguese", "b/portuguese"], "portugese", None),
        (["kitchen/cardamom-buns"], "kitchen/cardamon-buns", "kitchen/cardamom-buns"),
        (["paris/hotels"], "lyon/hotels", None),  # the folder is part of what was meant
        (["portuguese"], "../portugese", None),  # out of the home
    ],
)
def test_a_near_slug_is_certain_only_when_alone(slugs, link, found):
    """Within two edits and 15 %, digits equal, and the only one: else nothing is pointed at."""
    home = home_of(*(f"memory/{slug}.md" for slug in slugs))
    assert certain(home, f"[[{link}]]") == (found and f"memory/{found}.md")


def test_soul_files_are_no_targets_of_likeness():
    """A near miss of a soul file's name is reported, not repaired."""
    assert certain(home_of("HEARTBEAT.md", "IDENTITY.md"), "[[heartbeet]]") is None


@pytest.mark.parametrize(
    ("renamed", "found"),
    [
        ({"trips": "memory/travel.md"}, "memory/travel.md"),
        ({"memory/trips.md": "memory/travel.md"}, "memory/travel.md"),
        ({"memory/Trips.md": "memory/travel.md"}, "memory/travel.md"),
        ({"trips": "gone.md", "gone.md": "memory/travel.md"}, "memory/travel.md"),
        ({"trips": "gone.md"}, None),
        ({"trips": "a.md", "a.md": "b.md", "b.md": "a.md"}, None),
        ({"a/trips.md": "memory/travel.md", "b/trips.md": "memory/ghent.md"}, None),
        ({"a/trips.md": "memory/travel.md", "b/trips.md": "memory/travel.md"}, "memory/travel.md"),
        ({"strips": "memory/travel.md"}, None),
        ({}, None),
    ],
)
def test_history_tells_where_a_note_went(renamed, found):
    """A rename or merge is followed over any number of steps, to one note that is there."""
    assert certain(home_of("memory/travel.md", "memory/ghent.md"), "[[trips]]", **renamed) == found


def test_history_and_likeness_must_not_contradict():
    """Two certain answers that differ are none; that agree are one."""
    home = home_of("memory/portuguese.md", "memory/travel.md")
    assert certain(home, "[[portugese]]", portugese="memory/travel.md") is None
    assert (
        certain(home, "[[portugese]]", portugese="memory/portuguese.md") == "memory/portuguese.md"
    )


def test_history_decides_where_likeness_cannot():
    """Several like notes are no answer, so that history's one answer stands."""
    home = home_of("memory/recipes-sweet.md", "memory/recipes-sweat.md", "memory/cakes.md")
    found = certain(home, "[[recipes-swept]]", **{"recipes-swept": "memory/cakes.md"})
    assert found == "memory/cakes.md"


def test_links_that_resolve_or_are_ambiguous_have_no_repair():
    """Only a link that leads nowhere is repaired."""
    home = home_of("memory/portuguese.md", "memory/a/t.md", "memory/b/t.md")
    assert certain(home, "[[portuguese]]", portuguese="memory/a/t.md") is None
    assert certain(home, "[[t]]", t="memory/portuguese.md") is None


def test_suggestions_come_best_first():
    """Notes of a like slug, title or alias are named by slug, at most three."""
    home = Snapshot(name="ava").with_texts(
        {
            "memory/lisbon-2026.md": "",
            "memory/lisbon-2025.md": "",
            "memory/x.md": "# Lisboa\n",
            "memory/zzz.md": "---\naliases: [Lissabon]\n---\n",
            "memory/tea.md": "",
        }
    )
    (link,) = parse_document("[[lisbon]]").links
    found = suggestions(home, link)
    assert found == ("zzz", "x", "lisbon-2025")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("memory/ghent.md", "ghent"),
        ("memory/a/tea.md", "a/tea"),
        ("memory/b/tea.md", "b/tea"),
        ("tea.md", "tea"),
        ("MEMORY.md", "MEMORY"),
    ],
)
def test_the_shortest_unique_text_is_written(path, target):
    """The slug where it is enough, else as many folders as tell it apart."""
    paths = ["tea.md", "memory/ghent.md", "memory/a/tea.md", "memory/b/tea.md", "MEMORY.md"]
    home = Snapshot(name="v", layout=LAYOUTS["vault"]).with_texts(dict.fromkeys(paths, ""))
    assert link_target_for(home, path, "wiki", "x.md") == target


def test_a_slug_that_no_wikilink_can_say_goes_by_its_title():
    """A `#` would part an anchor from the target, so that the title is written instead."""
    home = Snapshot(name="ava").with_texts({"memory/c#.md": "# C sharp\n", "memory/a|b.md": ""})
    assert link_target_for(home, "memory/c#.md", "wiki", "MEMORY.md") == "C sharp"
    assert link_target_for(home, "memory/a|b.md", "wiki", "MEMORY.md") == "memory/a|b.md"
    assert link_target_for(home, "memory/c#.md", "markdown", "MEMORY.md") == "memory/c#.md"


@pytest.mark.parametrize(
    ("from_path", "target"),
    [
        ("MEMORY.md", "memory/a/tea.md"),
        ("memory/b/x.md", "../a/tea.md"),
        ("memory/a/x.md", "tea.md"),
    ],
)
def test_markdown_links_are_written_from_their_file(from_path, target):
    """A Markdown link's path starts at the folder of the file that holds it."""
    home = home_of("memory/a/tea.md", "tea.md")
    assert link_target_for(home, "memory/a/tea.md", "markdown", from_path) == target


PARTS = st.sampled_from(["a", "b", "A", "tea", "te a", "te_a", "x.md", "café", "cafe\u0301"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.sets(PATHS, min_size=1, max_size=8), st.data())
def test_what_is_written_leads_back(paths, data):
    """Whatever other notes there are, a link that is written resolves to its note and no other."""
    home = Snapshot(name="v", layout=LAYOUTS["vault"]).with_texts(dict.fromkeys(paths, ""))
    from_path = data.draw(st.sampled_from(sorted(paths)))
    for path in home.notes:
        for style in ("wiki", "markdown"):
            target = link_target_for(home, path, style, from_path)
            (link,) = parse_document(render_link(style, target, label="x")).links
            assert resolve(home.names, from_path, link).path == path
