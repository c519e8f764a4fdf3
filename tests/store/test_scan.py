from __future__ import annotations

import os

import pytest

from toolnexus.home.layout import LAYOUTS
from toolnexus.store.scan import home_names, scan

PERSONA = LAYOUTS["persona"]


def write(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")


def rules(found):
    return {(problem.path, problem.rule) for problem in found.problems}


def test_notes_and_assets_are_told_apart(tmp_path):
    """Soul files and notes have a stat; all else is an asset; hidden folders are not seen."""
    write(
        tmp_path,
        "SOUL.md",
        "memory/tea.md",
        "memory/sub/cups.md",
        "memory/pic.png",
        "memory/log.md",
        "readme.md",
        ".git/x.md",
        ".toolnexus/cache",
    )
    found = scan(tmp_path, PERSONA)
    assert set(found.entries) == {"SOUL.md", "memory/tea.md", "memory/sub/cups.md"}
    assert found.assets == {"memory/pic.png", "memory/log.md", "readme.md"}
    assert found.entries["SOUL.md"].size == 1


def test_an_open_state_folder_is_left_out(tmp_path):
    """A state folder inside the home that is not hidden is no part of the vault."""
    write(tmp_path, "a.md", "state/b.md")
    found = scan(tmp_path, LAYOUTS["vault"], state=tmp_path / "state")
    assert set(found.entries) == {"a.md"}


def test_odd_things_named_like_notes_are_findings(tmp_path):
    """Pipes, folders and dangling links in a note's place are told, and the rest is read."""
    write(tmp_path, "memory/tea.md", "memory/folder.md/inner.txt")
    os.mkfifo(tmp_path / "memory" / "pipe.md")
    (tmp_path / "memory" / "gone.md").symlink_to("nowhere.md")
    (tmp_path / "SOUL.md").mkdir()
    found = scan(tmp_path, PERSONA)
    assert set(found.entries) == {"memory/tea.md"}
    assert rules(found) == {
        ("memory/pipe.md", "not-a-file"),
        ("memory/folder.md", "not-a-file"),
        ("memory/gone.md", "not-a-file"),
        ("SOUL.md", "not-a-file"),
    }


def test_links_out_are_findings_and_not_followed(tmp_path):
    """A link that leads out is an error-level finding, be it a file or a folder."""
    home = tmp_path / "home"
    write(home, "memory/tea.md")
    write(tmp_path, "outside/secret.md")
    (home / "memory" / "secret.md").symlink_to(tmp_path / "outside" / "secret.md")
    (home / "memory" / "more").symlink_to(tmp_path / "outside")
    found = scan(home, PERSONA)
    assert set(found.entries) == {"memory/tea.md"}
    assert {(p.path, p.rule, p.severity) for p in found.problems} == {
        ("memory/secret.md", "escaping-symlink", "error"),
        ("memory/more", "escaping-symlink", "error"),
    }


def test_linked_folders_are_walked_once(tmp_path):
    """Links inside the home are followed, circles end, and no folder is met twice."""
    write(tmp_path, "memory/real/tea.md", "other/cups.md")
    (tmp_path / "memory" / "again").symlink_to("real")
    (tmp_path / "memory" / "round").symlink_to("..")
    (tmp_path / "memory" / "cups").symlink_to("../other")
    (tmp_path / "memory" / "alias.md").symlink_to("real/tea.md")
    found = scan(tmp_path, PERSONA)
    assert set(found.entries) == {"memory/real/tea.md", "memory/alias.md", "memory/cups/cups.md"}
    assert found.problems == []


def test_a_linked_folder_outside_the_notes_is_walked_where_it_is_linked(tmp_path):
    """A hidden folder of the home can be linked into the notes."""
    write(tmp_path, "SOUL.md", ".store/cups.md")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "cups").symlink_to("../.store")
    assert "memory/cups/cups.md" in scan(tmp_path, PERSONA).entries


def test_names_that_are_no_text_are_findings(tmp_path):
    """A file whose name is not UTF-8 is told with its bytes escaped."""
    write(tmp_path, "memory/tea.md")
    os.close(os.open(os.fsencode(tmp_path) + b"/memory/caf\xe9.md", os.O_CREAT))
    found = scan(tmp_path, PERSONA)
    assert rules(found) == {("memory/caf\\udce9.md", "not-utf8")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_finding(tmp_path):
    """A folder without permission is told, and the walk goes on."""
    write(tmp_path, "memory/locked/a.md", "memory/tea.md")
    (tmp_path / "memory" / "locked").chmod(0)
    found = scan(tmp_path, PERSONA)
    (tmp_path / "memory" / "locked").chmod(0o755)
    assert set(found.entries) == {"memory/tea.md"}
    assert rules(found) == {("memory/locked", "not-a-file")}


def test_names_for_the_layout_tell_folders(tmp_path):
    """Folders end with a slash, links to folders too; special files are not named."""
    write(tmp_path, "SOUL.md", "memory/tea.md")
    (tmp_path / "linked").symlink_to("memory")
    os.mkfifo(tmp_path / "MEMORY.md")
    assert set(home_names(tmp_path)) == {"SOUL.md", "memory/", "linked/"}


def test_a_scan_asks_the_disk_once_a_folder_and_once_a_note(tmp_path, monkeypatch):
    """However many notes there are, each folder is listed once and nothing is opened."""
    for number in range(300):
        write(tmp_path, f"memory/{number % 20}/{number}.md")
    listed, opened = [], []
    scandir = os.scandir

    def listing(path):
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    monkeypatch.setattr(os, "open", lambda *words: opened.append(words))
    monkeypatch.setattr("builtins.open", lambda *words: opened.append(words))
    found = scan(tmp_path, PERSONA)
    monkeypatch.undo()
    assert len(found.entries) == 300
    assert len(listed) == len(set(listed)) == 22
    assert opened == []
