"""Checks of notes: their names, their front matter, and whether anything is in or leads to them."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolnexus.home.claims import holds_claims, located_claims
from toolnexus.home.finding import Finding
from toolnexus.home.graph import orphans
from toolnexus.home.repeats import may_repeat
from toolnexus.home.ripening import ripening_problems
from toolnexus.text.secrets import shorten
from toolnexus.text.slug import RESERVED, fold_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

_NAME_FIELDS = ("aliases", "tags")
_EXAMPLES = {
    "title": "title: Travel preferences",
    "aliases": "aliases: [trips, journeys]",
    "tags": "tags: [travel]",
    "dream": "dream: false",
}
_HOLLOW = frozenset({"comment", "rule"})


def check_slugs(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``duplicate-slug`` for notes of one name, and a warning for look-alike names."""
    for slug, paths in snapshot.names.slugs.items():
        notes = _notes_of(snapshot, paths)
        for path in notes if len(notes) > 1 else ():
            others = ", ".join(other for other in notes if other != path)
            message = f"the slug '{slug}' is also that of {others}"
            hint = "rename one of them: links by slug cannot tell them apart"
            yield Finding(path, 0, "duplicate-slug", "error", message, hint)
    for paths in snapshot.names.folded_slugs.values():
        if len(paths) > 1:
            yield from _twins(snapshot, paths)


def _twins(snapshot: Snapshot, paths: tuple[str, ...]) -> Iterator[Finding]:
    """Warn of names in one folder that other systems take for one and the same file."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path in _notes_of(snapshot, paths):
        places[unicodedata.normalize("NFC", path).casefold()].append(path)
    for twins in places.values():
        for path in twins[1:]:
            message = f"the name differs from {twins[0]} in case or accents' encoding alone"
            hint = "rename one of them: on other systems they are one file"
            yield Finding(path, 0, "duplicate-slug", "warning", message, hint)


def check_reserved(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``reserved-slug`` for notes whose name means something else to the memory tool."""
    for path, note in snapshot.notes.items():
        if note.kind != "soul" and fold_name(note.slug) in RESERVED:
            message = f"the slug '{note.slug}' is reserved"
            hint = f"rename it, as in 'toolnexus rename HOME {note.slug} {note.slug}-note'"
            yield Finding(path, 0, "reserved-slug", "error", message, hint)


def check_orphans(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``orphan-note`` for notes that no other file links to."""
    for note in orphans(snapshot):
        message = "no other file links to this note"
        name = PurePosixPath(note.path).name
        wiki = snapshot.layout.pointer == "wiki"
        link = f"[[{note.slug}]]" if wiki else f"[{note.title}]({name})"
        hint = f"link it where it belongs, as {link}"
        yield Finding(note.path, 0, "orphan-note", "warning", message, hint)


def check_empty(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``empty-note`` for notes with nothing but headings, comments and front matter."""
    for path, note in snapshot.notes.items():
        if note.kind not in {"note", "source"} or note.document.claims:
            continue
        if all(part.kind in _HOLLOW for part in note.document.structure):
            hint = "write something in it, or delete it"
            yield Finding(path, 0, "empty-note", "warning", "nothing is written in this note", hint)


def check_front_matter(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield what is wrong in the files' own syntax, and front matter of the wrong type."""
    for path, note in snapshot.notes.items():
        for problem in note.document.problems:
            if problem.rule == "bad-front-matter":
                yield Finding(
                    path, problem.line, problem.rule, "error", problem.message, problem.hint
                )
        if note.document.front.fields:
            for key, message, hint in (*_wrong_fields(note), *ripening_problems(note)):
                line = _field_line(snapshot, note, key)
                yield Finding(path, line, "bad-front-matter", "warning", message, hint)


def _wrong_fields(note: Note) -> Iterator[tuple[str, str, str]]:
    """Yield each key whose value is of the wrong type, what it should be, and an example."""
    fields = note.document.front.fields
    if isinstance(fields.get("title"), list | dict):
        yield _wrong("title", "one line of text")
    for key in _NAME_FIELDS:
        value = fields.get(key)
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, list | dict) for item in items):
            yield _wrong(key, "a list of names")
    if not isinstance(fields.get("dream"), bool | None):
        yield _wrong("dream", "true or false")


def _wrong(key: str, wanted: str) -> tuple[str, str, str]:
    return key, f"'{key}' should be {wanted}", f"write it as in '{_EXAMPLES[key]}'"


def _field_line(snapshot: Snapshot, note: Note, key: str) -> int:
    front = note.document.front
    lines = snapshot.text(note.path)[: front.end].split("\n")
    written = re.compile(rf"['\"]?{re.escape(key)}['\"]?\s*:")
    return next((number for number, line in enumerate(lines, 1) if written.match(line)), 1)


def check_duplicate_claims(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield ``duplicate-claim`` where a file says the same twice, in the same context."""
    for path, note in snapshot.notes.items():
        if not holds_claims(note) or not may_repeat(note.document):
            continue
        first: dict[tuple[str, tuple[str, ...]], int] = {}
        for located in located_claims(snapshot, path):
            line = located.claim.line
            said = first.setdefault((located.fold, located.context), line)
            if said != line:
                message = f"'{_short(located.claim.text)}' stands in line {said} already"
                hint = "take one of them out, or let 'toolnexus dream' fold them"
                yield Finding(path, line, "duplicate-claim", "warning", message, hint)


def _short(text: str, most: int = 60) -> str:
    return shorten(text, most)


def _notes_of(snapshot: Snapshot, paths: tuple[str, ...]) -> list[str]:
    return [path for path in paths if snapshot.notes[path].kind != "soul"]
