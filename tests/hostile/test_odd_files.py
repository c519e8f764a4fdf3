"""Things that are no files, links that lead out, and folders that are swapped meanwhile."""

from __future__ import annotations

import contextlib
import os
import socket

import pytest

from toolnexus.app import Home
from toolnexus.change.plan import FileWrite, Plan
from toolnexus.errors import ToolnexusError
from toolnexus.files import Disk
from toolnexus.home.operations.edit import add_claim
from toolnexus.store.door import Store
from toolnexus.testing.disk import WRITING_CALLS

PLACES = [
    "MEMORY.md",
    "HEARTBEAT.md",
    "DREAM.md",
    "memory/odd.md",
    "memory/log.md",
    "transcripts/odd.jsonl",
    ".toolnexus/cache.sqlite",
    ".toolnexus/state/hand.json",
    ".toolnexus/renames.json",
]
COMMANDS = [
    ("check", "ava"),
    ("remember", "ava", "Likes rain.", "--to", "tea"),
    ("dream", "ava"),
    ("beat", "ava"),
    ("transcripts", "list", "ava"),
]
KNOWN_CODES = {0, 1, 2, 3, 65, 69, 74, 75, 78}


def pipe(path):
    os.mkfifo(path)


def door(path):
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(path.parent)  # a socket's name may not be long
        server.bind(path.name)


def device(path):
    path.symlink_to("/dev/zero")


def loop(path):
    path.symlink_to(path.name)


def nowhere(path):
    path.symlink_to("gone")


def elsewhere(path):
    outside = next(each for each in path.parents if each.name == "work") / "outside"
    outside.write_text("- Not yours.\n")
    path.symlink_to(outside)


def folder(path):
    path.mkdir()


@pytest.mark.parametrize("places", [PLACES, ["persona.yaml"], ["SOUL.md"]])
@pytest.mark.parametrize("make", [pipe, door, device, loop, nowhere, elsewhere, folder])
def test_nothing_odd_blocks_or_breaks_a_command(run, home, monkeypatch, places, make):
    """A pipe, socket, device, link or folder in any file's place ends in a documented code."""
    for place in places:
        path = home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)
    monkeypatch.chdir(home.parent)
    for words in COMMANDS:
        ran = run(*words)
        assert ran.code in KNOWN_CODES, (words, ran)
    outside = home.parent / "outside"
    assert not outside.exists() or outside.read_text() == "- Not yours.\n"


def test_a_hard_link_to_the_outside_is_parted_and_not_written_through(run, home, tmp_path):
    """A note that is another name of a file elsewhere gets a file of its own when it is written."""
    outside = tmp_path / "outside.md"
    outside.write_text("# Memory\n\n- Not yours.\n")
    for name in ("MEMORY.md", "memory/tea.md"):
        (home / name).unlink()
        os.link(outside, home / name)
    for words in (
        ("remember", "ava", "Likes rain."),
        ("remember", "ava", "Likes rain.", "--to", "tea"),
        ("dream", "ava"),
        ("revert", "ava", "last"),
    ):
        assert run(*words).code in {0, 2, 3}
    assert outside.read_text() == "# Memory\n\n- Not yours.\n"
    assert "Likes rain." in (home / "MEMORY.md").read_text()


class SwappingDisk(Disk):
    """A disk on which somebody puts a link in a folder's place, just before one of the calls."""

    def __init__(self, at, folder, outside):
        self.left = at
        self.folder = folder
        self.outside = outside
        self.swapped = False

    def _look(self):
        self.left -= 1
        if self.left == 0:
            self.folder.rename(self.folder.with_name("away"))
            self.folder.symlink_to(self.outside)
            self.swapped = True


def _swapping(name):
    real = getattr(Disk, name)

    def call(self, *args, **options):
        self._look()
        return real(self, *args, **options)

    return call


for _name in WRITING_CALLS:
    setattr(SwappingDisk, _name, _swapping(_name))


def test_a_folder_swapped_at_any_moment_leads_no_write_out(home, tmp_path):
    """Whenever in a commit its folder becomes a link to elsewhere, nothing elsewhere changes."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "tea.md").write_text("- Not yours.\n")
    swaps = 0
    for moment in range(1, 60):
        disk = SwappingDisk(moment, home / "memory", outside)
        with contextlib.suppress(ToolnexusError, OSError):
            store = Store(home, disk=disk)
            step = add_claim(store.read(), f"Number {moment}.", "tea")
            before = (home / "memory" / "tea.md").read_bytes()
            after = step.texts["memory/tea.md"].encode()
            store.commit(Plan("remember", (FileWrite("memory/tea.md", before, after),)))
        assert [path.name for path in outside.iterdir()] == ["tea.md"], moment
        assert (outside / "tea.md").read_text() == "- Not yours.\n", moment
        if not disk.swapped:
            break
        swaps += 1
        (home / "memory").unlink()
        (home / "away").rename(home / "memory")
    assert swaps > 3
    assert "- Green, no sugar.\n" in (home / "memory" / "tea.md").read_text()
    assert Home.open(home).remember("Still works.", "tea").wrote
