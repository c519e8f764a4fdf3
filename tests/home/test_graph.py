"""The graph: backlinks, orphans and what can be reached."""

from __future__ import annotations

from toolnexus.home.graph import orphans, reachable_from
from toolnexus.home.snapshot import Snapshot

HOME = Snapshot(name="ava").with_texts(
    {
        "MEMORY.md": "- [[a]] and [[a|again]]\n",
        "memory/a.md": "- [[b]] [[a]] [[#x]]\n",
        "memory/b.md": "- [[lost]]\n",
        "memory/c.md": "- [[c]]\n",
        "memory/kept.md": "---\ndream: false\n---\n- x\n",
        "memory/2026-03-14.md": "- [[c2]]\n",
        "memory/c2.md": "- x\n",
    }
)


def test_backlinks_are_the_links_of_other_files():
    """Each link counts once for the file it leads to; a file's links to itself do not."""
    found = {
        path: [(file, link.label) for file, link in pairs] for path, pairs in HOME.backlinks.items()
    }
    assert found == {
        "memory/a.md": [("MEMORY.md", ""), ("MEMORY.md", "again")],
        "memory/b.md": [("memory/a.md", "")],
        "memory/c2.md": [("memory/2026-03-14.md", "")],
    }


def test_orphans_are_notes_that_nothing_links_to():
    """A link from itself saves no note; daily notes and soul files need none."""
    assert {note.path for note in orphans(HOME)} == {"memory/c.md", "memory/kept.md"}


def test_the_archive_holds_no_orphans():
    """What faded into the archive is out of the way, and needs no link."""
    texts = {"memory/archive/old.md": "- Old.\n", "memory/archives/new.md": "- New.\n"}
    home = Snapshot("ava").with_texts(texts)
    assert [note.path for note in orphans(home)] == ["memory/archives/new.md"]


def test_reaching_goes_over_any_number_of_links():
    """Everything that links lead to counts, the start included."""
    assert reachable_from(HOME, "MEMORY.md") == {"MEMORY.md", "memory/a.md", "memory/b.md"}
    assert reachable_from(HOME, "memory/absent.md") == {"memory/absent.md"}


def test_a_change_resolves_no_other_files_links_anew():
    """Files whose links a change cannot touch keep the very resolutions they had."""
    before = HOME.resolutions
    after = HOME.with_texts({"memory/b.md": "- [[lost]] and more\n"}).resolutions
    assert after["memory/a.md"] is before["memory/a.md"]
    written = HOME.with_texts({"memory/lost.md": "- found [[b]]\n"})
    assert written.resolutions["memory/a.md"] is before["memory/a.md"]
    assert written.resolutions["memory/b.md"][0].path == "memory/lost.md"
