"""Landing: what each event of a plug makes of the home, decided against the files as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.change.plan import Change, FileWrite, Plan, digest_of
from toolnexus.evolve.plugging.known import KnownNote
from toolnexus.evolve.plugging.paper import (
    digest_of_event,
    folded_slug,
    id_of,
    is_of,
    paper_of,
    slugs_for,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolnexus.evolve.plugging.event import PlugEvent
    from toolnexus.evolve.plugging.known import Known
    from toolnexus.evolve.plugging.summary import Fate

JOB = "plug"


@dataclass(frozen=True, slots=True)
class Landed:
    """What becomes of one event.

    Attributes:
        folder: The folder that it belongs into.
        event: The event.
        fate: What becomes of its note; ``left`` with a reason.
        path: The note.
        write: What is to be written; None for nothing.
        known: What is to be known of it from now on; None for nothing new.
        title: What the note is called.
        reason: Why it is left.
    """

    folder: str
    event: PlugEvent
    fate: Fate
    path: str
    write: FileWrite | None = None
    known: KnownNote | None = None
    title: str = ""
    reason: str = ""


@dataclass(slots=True)
class Ground:
    """The home that events land in.

    Attributes:
        plug: The plug's name.
        today: The day, as ``2026-11-30``.
        read: Reads a file of the home as it is now; None where there is none.
        known: What earlier runs made.
        taken: The folded slugs of all notes; grows as notes are added.
        moved: Where notes went that were renamed or merged.
    """

    plug: str
    today: str
    read: Callable[[str], bytes | None]
    known: Known
    taken: set[str] = field(default_factory=set)
    moved: Mapping[str, str] = field(default_factory=dict)


def land(ground: Ground, arrivals: Iterable[tuple[str, PlugEvent]]) -> list[Landed]:
    """Decide what becomes of some events; no two of them have one id and folder.

    Args:
        ground: The home. It is only looked at.
        arrivals: Events, each with the folder that it belongs into.
    """
    names: set[str] = set()
    landed = []
    for folder, event in arrivals:
        known = ground.known.get(folder, id_of(event.id))
        if known is not None:
            landed.append(_again(ground, folder, event, known))
            continue
        found = _first(ground, folder, event, names)
        names.add(folded_slug(found.path))
        landed.append(found)
    return landed


def plan_of(landed: Iterable[Landed]) -> Plan:
    """Make the plan that writes what landed."""
    writing = [each for each in landed if each.write is not None]
    return Plan(
        JOB,
        tuple(each.write for each in writing if each.write is not None),
        tuple(Change("written", each.path, 0, "", after=each.title) for each in writing),
        logged=False,
    )


def _first(ground: Ground, folder: str, event: PlugEvent, names: set[str]) -> Landed:
    """Land an event that was never seen, or that nobody remembers."""
    for path in _places(ground, folder, event):
        name = folded_slug(path)
        if name in names:
            continue
        before = ground.read(path)
        if before is not None and is_of(_text(before), ground.plug, event.id):
            return _over(ground, folder, event, path, before)
        if before is None and name not in ground.taken:
            return _written(ground, folder, event, path, None)
    return Landed(folder, event, "left", "", reason="its names are taken by other notes")


def _again(ground: Ground, folder: str, event: PlugEvent, known: KnownNote) -> Landed:
    """Land an event whose note was made before: a person's edit always stands."""
    path = ground.moved.get(known.path, known.path)
    if known.event == digest_of_event(event):
        return Landed(folder, event, "unchanged", path)
    before = ground.read(path)
    if before is None:
        return Landed(folder, event, "left", path, reason="the note was taken away here")
    if digest_of(before) == known.file:
        return _written(ground, folder, event, path, before)
    return _over(ground, folder, event, path, before)


def _over(ground: Ground, folder: str, event: PlugEvent, path: str, before: bytes) -> Landed:
    """Land an event on a note that it may have made: only what it would write is taken for it."""
    landed = _written(ground, folder, event, path, before)
    if landed.write is None:
        return landed
    return Landed(folder, event, "left", path, reason="the note was changed here")


def _written(
    ground: Ground, folder: str, event: PlugEvent, path: str, before: bytes | None
) -> Landed:
    """Write an event's note; nothing where it reads so already."""
    text = paper_of(ground.plug, event, ground.today, "" if before is None else _text(before))
    after = text.encode()
    known = KnownNote(path, digest_of_event(event), digest_of(after))
    if before == after:
        return Landed(folder, event, "unchanged", path, known=known)
    fate: Fate = "added" if before is None else "updated"
    write = FileWrite(path, before, after)
    return Landed(folder, event, fate, path, write, known, event.title or event.id[:100])


def _places(ground: Ground, folder: str, event: PlugEvent) -> Iterator[str]:
    head = f"{folder}/" if folder else ""
    yield from (f"{head}{slug}.md" for slug in slugs_for(ground.plug, event))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
