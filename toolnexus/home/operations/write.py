"""Writing whole notes: new ones, and others where that loses nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolnexus.change.matching import find_lost
from toolnexus.change.plan import Change
from toolnexus.errors import UsageError
from toolnexus.home.claims import side_of
from toolnexus.home.operations.step import (
    Step,
    check_words,
    find_target,
    new_note_path,
    require_writable,
    target_path,
)
from toolnexus.text.document import parse_document
from toolnexus.text.fold import fold_claim

if TYPE_CHECKING:
    from toolnexus.change.located import Side
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot


def write_note(home: Snapshot, target: str, text: str, title: str = "") -> Step:
    """Create a note, or replace one where that loses no claim.

    Args:
        home: The home as read.
        target: The note's slug.
        text: Its body, Markdown.
        title: Its title; the first heading or the slug is used where it is left out.

    Raises:
        UsageError: when the slug will not do, or a claim of the note there is would be lost.
    """
    body = _with_title(check_words(text), check_words(title, "title") if title else "")
    try:
        note: Note | None = find_target(home, target)
    except UsageError:
        note = None
    if note is None:
        path = target_path(target) or new_note_path(home, target)
        change = Change("written", path, 0, "", after=parse_title(body) or path)
        return Step({path: body}, (change,), f"Wrote {path}.", path=path)
    require_writable(note)
    front = note.document.front
    if front.end > front.start and not body.startswith("---"):
        body = home.text(note.path)[: front.end] + body
    _require_nothing_lost(home, note, body)
    if body == home.text(note.path):
        return Step(reply=f"{note.path} reads so already.", path=note.path)
    change = Change("written", note.path, 1, note.title, after=parse_title(body) or note.slug)
    return Step({note.path: body}, (change,), f"Wrote {note.path}.", path=note.path)


def parse_title(text: str) -> str:
    """Return the first level-1 heading of a text; empty when there is none."""
    headings = parse_document(text).headings
    return next((heading.text for heading in headings if heading.level == 1), "")


def _with_title(text: str, title: str) -> str:
    """Put a title as a heading above a text that does not begin with it."""
    body = text if text.endswith("\n") else text + "\n"
    if not title or body.startswith("---\n"):
        return body
    heading = " ".join(title.split())
    first = parse_document(body).headings[:1]
    if first and first[0].level == 1 and first[0].text == heading:
        return body
    return f"# {heading}\n\n{body}"


def _require_nothing_lost(home: Snapshot, note: Note, body: str) -> None:
    """Make sure that every claim of a note stands in its new text, under what it stood under.

    A new title is no loss; pins, code and comments are kept as well.
    """
    path = note.path
    after = home.with_texts({path: body})
    old, new = side_of(home, [path]), side_of(after, [path])
    titles = {fold_claim(note.title): fold_claim(after.notes[path].title)}
    lost = [(c.claim.line, c.claim.text) for c in find_lost(old.claims, new.claims, titles)]
    lost += [(0, text) for text in (_kept_as_it_is(old, path) - _kept_as_it_is(new, path))]
    if lost:
        line, text = lost[0]
        raise UsageError(
            f"this would lose '{text}'",
            path=path,
            line=line or None,
            hint="keep all that the note says, or change it claim by claim",
        )


def _kept_as_it_is(side: Side, path: str) -> Counter[str]:
    """Count a note's pinned claims and its pieces of structure."""
    pinned = [f"{claim.fold} <!-- keep -->" for claim in side.claims if claim.claim.pinned]
    return Counter([*pinned, *side.structure[path]])
