"""What a power loss may leave: a file system that keeps only what POSIX promises.

A trace of what a command changed (see `interposer.c`) is played on a model of files and folders.
What was written to a file is safe when the file was fsynced, and what a folder says (names made,
changed and taken away) when the folder was. Everything else may be there or not after a power loss:
writes in part, torn or as zeros, changes of names in any order that keeps each of them whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Call:
    """One line of a trace; paths are relative to the folder that was watched.

    Attributes:
        what: ``create``, ``write``, ``truncate``, ``fsync``, ``rename``, ``link``, ``unlink``
            or ``mkdir``.
        path: What it was done to.
        other: The new name, of a rename or a link.
        offset: Where it wrote; the new size, of a truncation.
        data: What it wrote.
    """

    what: str
    path: str
    other: str = ""
    offset: int = 0
    data: bytes = b""


def read_trace(data: bytes, root: Path) -> list[Call]:
    """Read a trace of what was changed below a folder."""
    calls, at = [], 0
    while at < len(data):
        end = data.index(b"\n", at)
        what, offset, *sizes = data[at:end].split()
        parts, at = [], end + 1
        for size in (sizes[1], sizes[2], sizes[0]):
            parts.append(data[at : at + int(size)])
            at += int(size)
        path, other = (_relative(part.decode(), root) for part in parts[:2])
        calls.append(Call(what.decode(), path, other, int(offset), parts[2]))
    return calls


def _relative(path: str, root: Path) -> str:
    return PurePosixPath(path).relative_to(root).as_posix() if path else ""


@dataclass(slots=True, eq=False)
class File:
    """A file: what it holds, and what of that would outlast a power loss.

    Attributes:
        content: What a program reads.
        safe: What is on the disk for certain.
        unsafe: What was written or cut since, oldest first: offset and data, None where it was cut.
    """

    content: bytes = b""
    safe: bytes = b""
    unsafe: list[tuple[int, bytes | None]] = field(default_factory=list)

    def change(self, offset: int, data: bytes | None) -> None:
        """Write data at an offset, or cut the file there."""
        self.content = _changed(self.content, offset, data)
        self.unsafe.append((offset, data))

    def sync(self) -> None:
        """Make what it holds safe."""
        self.safe, self.unsafe = self.content, []

    def after_power_loss(self, chance: random.Random) -> bytes:
        """Return what it may hold then."""
        found = self.safe
        for offset, data in self.unsafe:
            fate = chance.random()
            if fate < _HALF / 2:
                continue  # it never reached the disk, though later writes may have
            if data is not None and fate < _HALF:
                data = chance.choice((data[: len(data) // 2], bytes(len(data))))  # noqa: PLW2901
            found = _changed(found, offset, data)
        return found


@dataclass(slots=True, eq=False)
class Folder:
    """A folder: the names in it now, those that are safe, and the changes between the two."""

    names: dict[str, File | Folder] = field(default_factory=dict)
    safe: dict[str, File | Folder] = field(default_factory=dict)
    unsafe: list[Renaming] = field(default_factory=list)

    def sync(self) -> None:
        """Make its names safe, and with them the other half of what was moved to or from it."""
        for change in list(self.unsafe):
            change.settle()

    def after_power_loss(self, kept: frozenset[Renaming]) -> dict[str, File | Folder]:
        """Return the names that it may have then, when these changes have reached the disk."""
        names = dict(self.safe)
        for change in self.unsafe:
            if change in kept:
                change.apply(self, names)
        return names


@dataclass(frozen=True, eq=False)
class Renaming:
    """One change of names, whole or not at all: what each name in each folder then leads to."""

    changes: tuple[tuple[Folder, str, File | Folder | None], ...]

    def apply(self, folder: Folder, names: dict[str, File | Folder]) -> None:
        """Make the part of it that belongs to a folder."""
        for where, name, target in self.changes:
            if where is folder and target is None:
                names.pop(name, None)
            elif where is folder and target is not None:
                names[name] = target

    def settle(self) -> None:
        """Make it safe."""
        for folder in {id(where): where for where, _, _ in self.changes}.values():
            self.apply(folder, folder.safe)
            folder.unsafe.remove(self)

    def touched(self) -> set[tuple[int, str]]:
        """Return the names that it changes."""
        return {(id(where), name) for where, name, _ in self.changes}


class Model:
    """A file system as programs see it, and as a power loss may leave it.

    Args:
        root: A real folder that it begins as a copy of, all of it safe.
    """

    def __init__(self, root: Path) -> None:
        self._root = _load(root)
        self._changes: list[Renaming] = []

    def play(self, calls: Sequence[Call]) -> None:
        """Do what a trace says."""
        for call in calls:
            self._play(call)

    def _play(self, call: Call) -> None:
        match call.what:
            case "create":
                self._name(call.path, File())
            case "mkdir":
                self._name(call.path, Folder())
            case "write" | "truncate":
                data = call.data if call.what == "write" else None
                found = self._find(call.path)
                if isinstance(found, File):  # one whose name is gone is of no concern
                    found.change(call.offset, data)
            case "fsync":
                found = self._find(call.path)
                if found is not None:
                    found.sync()
            case "link":
                self._name(call.other, self._find(call.path))
            case "unlink":
                self._name(call.path, None)
            case "rename":
                moved = self._find(call.path)
                self._change((*self._place(call.other), moved), (*self._place(call.path), None))
            case _:
                raise ValueError(f"unknown call: {call.what}")

    def _name(self, path: str, target: File | Folder | None) -> None:
        self._change((*self._place(path), target))

    def _change(self, *changes: tuple[Folder, str, File | Folder | None]) -> None:
        change = Renaming(changes)
        for folder in {id(where): where for where, _, _ in changes}.values():
            change.apply(folder, folder.names)
            folder.unsafe.append(change)
        self._changes.append(change)

    def _place(self, path: str) -> tuple[Folder, str]:
        *above, name = PurePosixPath(path).parts
        folder = self._root
        for part in above:
            folder = folder.names[part]  # type: ignore[assignment]
        return folder, name

    def _find(self, path: str) -> File | Folder | None:
        if path in {"", "."}:
            return self._root
        try:
            folder, name = self._place(path)
        except KeyError:
            return None
        return folder.names.get(name)

    def write_after_power_loss(self, target: Path, chance: random.Random) -> None:
        """Write down what may be left, as a real folder.

        Args:
            target: A folder that is not there yet.
            chance: Chooses among all that may be.
        """
        _write(self._root, target, self._kept(chance), chance)

    def _kept(self, chance: random.Random) -> frozenset[Renaming]:
        """Choose which changes of names reached the disk: of those of one name the first ones."""
        share = chance.choice((0.0, _HALF, _HALF, 1.0))
        kept, blocked = [], set[tuple[int, str]]()
        for change in self._changes:
            if not any(change in folder.unsafe for folder, _, _ in change.changes):
                continue
            if chance.random() < share and not change.touched() & blocked:
                kept.append(change)
            else:
                blocked |= change.touched()
        return frozenset(kept)


def _changed(content: bytes, offset: int, data: bytes | None) -> bytes:
    if data is None:
        return content[:offset].ljust(offset, b"\0")
    if not data:
        return content
    return content[:offset].ljust(offset, b"\0") + data + content[offset + len(data) :]


def _load(path: Path) -> Folder:
    folder = Folder()
    for entry in sorted(path.iterdir()):
        loaded: File | Folder
        if entry.is_dir():
            loaded = _load(entry)
        else:
            data = entry.read_bytes()
            loaded = File(data, data)
        folder.names[entry.name] = folder.safe[entry.name] = loaded
    return folder


def _write(folder: Folder, target: Path, kept: frozenset[Renaming], chance: random.Random) -> None:
    target.mkdir(parents=True)
    for name, found in _sorted(folder.after_power_loss(kept)):
        if isinstance(found, Folder):
            _write(found, target / name, kept, chance)
        else:
            (target / name).write_bytes(found.after_power_loss(chance))


def _sorted(names: dict[str, File | Folder]) -> Iterator[tuple[str, File | Folder]]:
    yield from sorted(names.items())
