"""One walk over a home's folders: what is there, and what is odd about it."""

from __future__ import annotations

import os
import stat
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from toolnexus.files import TEMP_PREFIX
from toolnexus.home.finding import Finding, Severity
from toolnexus.home.layout import SETTINGS_FILE
from toolnexus.home.snapshot import classify
from toolnexus.store.confine import is_inside, is_text_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolnexus.home.layout import Layout


class Stat(NamedTuple):
    """What the disk says of a file without reading it; equal means unchanged."""

    size: int
    mtime_ns: int
    ctime_ns: int
    ino: int


@dataclass(slots=True)
class Scan:
    """What one walk found.

    Attributes:
        entries: The soul files and notes, by path from the home.
        assets: Every other file's path; hidden folders left out.
        problems: Links that lead out, names that are no files, what cannot be read.
        twins: Notes that are symbolic links to other notes, each with the note it leads to. A
            soul file is none, wherever it leads: it is what the persona is made of.
    """

    entries: dict[str, Stat] = field(default_factory=dict)
    assets: set[str] = field(default_factory=set)
    problems: list[Finding] = field(default_factory=list)
    twins: dict[str, str] = field(default_factory=dict)


def scan(root: Path, layout: Layout, *, state: Path | None = None) -> Scan:
    """Walk a home once.

    Hidden folders are skipped, and so is the state folder. Only what may be a soul file or a note
    is asked for its size and times. A folder that a symbolic link leads to inside the home is
    walked after the real ones and only where it was not met yet, so that no note is met twice.

    Args:
        root: The home.
        layout: Says which files are notes.
        state: The state folder, in case it lies openly in the home.

    Raises:
        OSError: when the home's own folder cannot be listed.
    """
    return _Walk(root, layout, state).run()


class _Walk:
    """The walk's state: what was found, and the folders still to do."""

    def __init__(self, root: Path, layout: Layout, state: Path | None) -> None:
        self.real_root = os.path.realpath(root)
        self.layout = layout
        self.state = "" if state is None else os.path.realpath(state)
        self.found = Scan()
        self.folders: deque[tuple[str, str]] = deque([(self.real_root, "")])
        self.linked: deque[tuple[str, str]] = deque()
        self.walked: set[tuple[str, bool]] = set()
        self.holds_notes = False  # whether the folder at hand may hold notes
        self.entries = self.found.entries
        self.led: list[tuple[str, str]] = []  # where symbolic links to files lead, from the home

    def run(self) -> Scan:
        self._folder(*self.folders.popleft(), is_home=True)
        while self.folders or self.linked:
            self._folder(*(self.folders or self.linked).popleft())
        for path, real in self.led:
            if path in self.entries and real in self.entries:
                self.found.twins[path] = real
        return self.found

    def _folder(self, real: str, prefix: str, *, is_home: bool = False) -> None:
        self.holds_notes = classify(self.layout, f"{prefix}x.md") is not None
        if (real, self.holds_notes) in self.walked:
            return
        self.walked.add((real, self.holds_notes))
        try:
            with os.scandir(real) as entries:
                for entry in entries:
                    self._entry(entry, prefix)
        except OSError as error:
            if is_home:
                raise
            self._unreadable(prefix.rstrip("/"), error)

    def _entry(self, entry: os.DirEntry[str], prefix: str) -> None:
        name = entry.name
        if not is_text_name(name):
            shown = prefix + name.encode("utf-8", "backslashreplace").decode()
            self._problem(shown, "not-utf8", "its name is not valid UTF-8", "rename the file")
            return
        path = prefix + name
        try:
            if entry.is_file(follow_symlinks=False):  # nearly all are: they are told first
                self._file(entry, path)
            elif entry.is_symlink():
                self._link(entry, path)
            elif entry.is_dir(follow_symlinks=False):
                self._subfolder(entry.path, path)
            else:
                self._file(entry, path)
        except OSError as error:
            self._unreadable(path, error)

    def _subfolder(self, real: str, path: str, *, linked: bool = False) -> None:
        name = path.rpartition("/")[2]
        if name.startswith(".") or real == self.state:
            return
        if self._is_note(name, path):
            self._no_file(path, "a folder")
            return
        (self.linked if linked else self.folders).append((real, path + "/"))

    def _link(self, entry: os.DirEntry[str], path: str) -> None:
        real = os.path.realpath(entry.path)
        if not is_inside(self.real_root, real) and real != self.real_root:
            self._problem(
                path,
                "escaping-symlink",
                "this symbolic link leads out of the home, so it is not followed",
                "put the file itself here, or remove the link",
            )
        elif entry.is_dir():
            if not is_inside(real, entry.path):  # else it leads round in circles
                self._subfolder(real, path, linked=True)
        elif entry.is_file():
            self._file(entry, path)
            if classify(self.layout, path) != "soul":
                self.led.append((path, os.path.relpath(real, self.real_root).replace(os.sep, "/")))
        elif self._is_note(entry.name, path):
            self._no_file(path, "a symbolic link to nothing")

    def _file(self, entry: os.DirEntry[str], path: str) -> None:
        if not self._is_note(entry.name, path):
            if entry.is_file() and not entry.name.startswith(TEMP_PREFIX):
                self.found.assets.add(path)
            return
        seen = entry.stat()
        if stat.S_ISREG(seen.st_mode):
            self.entries[path] = Stat(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
        else:
            self._no_file(path, "no regular file (a pipe, socket or device)")

    def _is_note(self, name: str, path: str) -> bool:
        """Whether a name is a soul file's or a note's; most are told without `classify`."""
        if not name.endswith(".md"):
            return False
        if self.holds_notes and "/" in path and path != self.layout.log_path:
            return not name.startswith(".")
        return classify(self.layout, path) is not None

    def _no_file(self, path: str, what: str) -> None:
        self._problem(path, "not-a-file", f"this is {what}", "rename it or move it away")

    def _unreadable(self, path: str, error: OSError) -> None:
        self._problem(
            path,
            "not-a-file",
            f"this cannot be read: {error.strerror or error}",
            "check its permissions",
        )

    def _problem(self, path: str, rule: str, message: str, hint: str) -> None:
        severity: Severity = "warning" if rule == "not-a-file" else "error"
        self.found.problems.append(Finding(path, 0, rule, severity, message, hint))


def home_names(root: Path) -> Iterator[str]:
    """Name a folder's own entries, folders with a final ``/``, for `detect_layout`.

    Raises:
        OSError: when the folder is missing or cannot be listed.
    """
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir():
                yield entry.name + "/"
            elif entry.is_file() or entry.name == SETTINGS_FILE:
                yield entry.name
