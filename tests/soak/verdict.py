"""What a fault left of a home: all of the work, none of it, or something that must never be."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from work_under_fault import opened

from toolnexus.files import TEMP_PREFIX
from toolnexus.home.claims import all_claims

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STATE = ".toolnexus"
TRANSCRIPTS = "transcripts"
_ID = re.compile(rb"\d{8}T\d{6}Z-[0-9a-f]{4}")
_LINK = re.compile(r"\[\[[^\]]*\]\]")


@dataclass(frozen=True, slots=True)
class State:
    """A home's files at one moment, as a person has them: the state folder is not among them.

    Attributes:
        notes: Soul, notes and log; ids of commits are masked.
        turns: The lines of each conversation, the last one without its newline where that is torn.
        claims: The words of all claims, links left out.
    """

    notes: dict[str, bytes]
    turns: dict[str, tuple[bytes, ...]]
    claims: frozenset[str]

    @property
    def unlogged(self) -> dict[str, bytes]:
        """The notes without the log, which a second try adds to."""
        return {path: data for path, data in self.notes.items() if path != "memory/log.md"}


@dataclass(slots=True)
class Verdict:
    """What is wrong with a home after a fault; nothing, as a rule.

    Attributes:
        is_whole: Whether the work is there.
        half: What is half done.
        lost: Claims and turns that were there and are gone.
        stale: Locks that are still held.
        hung: Whether the command did not end.
        mistold: Where the exit code or the message does not fit what is there.
    """

    is_whole: bool = False
    half: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    hung: bool = False
    mistold: list[str] = field(default_factory=list)

    @property
    def survived(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.half or self.lost or self.stale or self.hung or self.mistold)


def state_of(root: Path) -> State:
    """Open a home, which recovers it, and read what stands in it."""
    home = opened(root)
    claims = frozenset(plain(located.claim.text) for located in all_claims(home.read()))
    return State(dict(_notes(root)), dict(_turns(root)), claims - {""})


def plain(claim: str) -> str:
    """Return a claim's words without its links, folded."""
    return " ".join(_LINK.sub("", claim).casefold().split()).strip(" :.,")


def copy_home(source: Path, target: Path) -> Path:
    """Copy a home with its state; what was at the target is gone."""
    shutil.rmtree(target, ignore_errors=True)
    return shutil.copytree(source, target, symlinks=True)


def leftovers(root: Path) -> list[str]:
    """List what a commit that was cut short would leave: staged files, unfinished records.

    Temporary files of single values are no part of a commit: they are swept after an hour.
    """
    found = [
        path.relative_to(root).as_posix()
        for path in root.rglob(f"{TEMP_PREFIX}*")
        if path.relative_to(root).parts[0] not in {STATE, TRANSCRIPTS}
    ]
    history = root / STATE / "history"
    records = history.iterdir() if history.is_dir() else ()
    unfinished = (record for record in records if not (record / "done").exists())
    return found + [record.relative_to(root).as_posix() for record in unfinished]


def held_locks(root: Path) -> list[str]:
    """List the locks of a home that somebody still holds; nobody is at work in it."""
    found = []
    for path in [*root.rglob("*.lock"), *root.glob(f"{TRANSCRIPTS}/*.jsonl")]:
        descriptor = os.open(path, os.O_RDWR)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.append(path.relative_to(root).as_posix())
        finally:
            os.close(descriptor)
    return found


def missing_turns(found: State, wanted: State) -> list[str]:
    """List the turns that stand in one state and not, in their order, at another's beginning."""
    lost = []
    for name, lines in wanted.turns.items():
        there = found.turns.get(name, ())
        lost += [f"{name}: {line!r}" for line in lines if line not in there]
    return lost


def judge(root: Path, before: State, after: State) -> Verdict:
    """Judge a home that a command was meant to take from one state to another.

    Args:
        root: The home; it is opened, and so recovered.
        before: Its state without the command.
        after: Its state with it.
    """
    verdict = Verdict(stale=held_locks(root))
    found = state_of(root)
    verdict.half += leftovers(root)
    verdict.is_whole = found.notes == after.notes
    if found.notes not in (before.notes, after.notes):
        verdict.half += _differences(found, before, after)
    kept = before.claims & after.claims
    verdict.lost += sorted(kept - found.claims)
    verdict.lost += missing_turns(found, before)
    for name, lines in found.turns.items():
        wanted = after.turns.get(name, ())
        whole = lines if not lines or _is_json(lines[-1]) else lines[:-1]
        if [*map(_uncut, whole)] != [*map(_uncut, wanted[: len(whole)])]:
            verdict.half.append(f"{name}: {lines[len(before.turns.get(name, ())) :]!r}")
    return verdict


def _differences(found: State, before: State, after: State) -> Iterator[str]:
    for path in sorted({*found.notes, *before.notes, *after.notes}):
        now = found.notes.get(path)
        if now not in (before.notes.get(path), after.notes.get(path)):
            yield f"{path} is neither: {now!r}"
        elif before.notes.get(path) != after.notes.get(path):
            yield f"{path} is {'done' if now == after.notes.get(path) else 'as it was'}"


def _notes(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        is_ours = name.parts[0] in {STATE, TRANSCRIPTS} or name.name.startswith(TEMP_PREFIX)
        if path.is_file() and not is_ours:
            yield name.as_posix(), _ID.sub(b"ID", path.read_bytes())


def _turns(root: Path) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    for path in sorted(root.glob(f"{TRANSCRIPTS}/[!.]*.jsonl")):
        lines = path.read_bytes().split(b"\n")
        yield path.name, tuple(line for line in lines if line)


def _uncut(line: bytes) -> bytes:
    """Return a turn without the mark that its answer ended early, which an error leaves there."""
    return line.replace(b', "cut": "interrupted"', b"")


def _is_json(line: bytes) -> bool:
    with contextlib.suppress(ValueError):
        json.loads(line)
        return True
    return False
