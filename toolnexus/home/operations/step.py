"""Steps: what one operation would change, and how its target and words are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.home.snapshot import INDEX_FILE, USER_FILE, classify
from toolnexus.text.nearest import nearest
from toolnexus.text.slug import RESERVED, fold_name, is_safe_slug

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus.change.plan import Change
    from toolnexus.home.note import Note
    from toolnexus.home.snapshot import Snapshot

MAX_TEXT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Step:
    """What one operation would change.

    Attributes:
        texts: New texts by path; None takes a file away.
        changes: The same in a person's terms.
        reply: One plain sentence for whoever asked.
        moved: Notes that live on under another path, by their old one.
        path: The one file that it is about, where there is one.
        links: How many links were rewritten to lead where they led.
    """

    texts: Mapping[str, str | None] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    reply: str = ""
    moved: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    links: int = 0


def check_words(text: object, what: str = "text") -> str:
    """Return words that may be written.

    Raises:
        UsageError: when they are no text, empty, over 64 KiB or hold half a character.
    """
    if not isinstance(text, str):
        raise UsageError(f"'{what}' must be a text, not {type(text).__name__}")
    if not text.strip():
        raise UsageError(f"'{what}' is empty", hint="say what it should hold")
    try:
        size_bytes = len(text.encode())
    except UnicodeEncodeError:
        raise UsageError(
            f"'{what}' holds half of a character (a lone surrogate)",
            hint="send the whole character",
        ) from None
    if size_bytes > MAX_TEXT_BYTES:
        raise UsageError(f"'{what}' is {size_bytes:,} bytes long; 65,536 are the most")
    if "\x00" in text:
        raise UsageError(f"'{what}' holds a NUL character")
    return text


def find_target(home: Snapshot, target: str) -> Note | None:
    """Find the file that a target names: ``self``, ``user``, or a note by slug, path or title.

    Returns:
        The note; None when ``self`` or ``user`` is not written yet.

    Raises:
        UsageError: when no note or more than one fits.
    """
    name = target.strip()
    if name == "self":
        return home.memory
    if name == "user":
        return home.user
    found = _notes_named(home, name)
    if len(found) == 1:
        return home.notes[found[0]]
    if found:
        raise UsageError(
            f"'{target}' could be several notes: {', '.join(found)}",
            hint="name it by its path, such as " + found[0].removesuffix(".md"),
        )
    near = nearest_note(home, name)
    hint = f"did you mean '{near}'?" if near else "name a note by its file's name without '.md'"
    raise UsageError(f"there is no note '{target}'", hint=hint)


def nearest_note(home: Snapshot, name: str) -> str:
    r"""Return the slug of the note whose name is most like one that is nobody's; empty for none.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot(name="ava").with_texts({"memory/balcony.md": "- Basil.\n"})
        >>> nearest_note(home, "balkony"), nearest_note(home, "bicycle")
        ('balcony', '')
    """
    slugs = home.names.folded_slugs
    near = nearest(fold_name(name.removesuffix(".md")), slugs)
    return slugs[near][0].rpartition("/")[2].removesuffix(".md") if near else ""


def find_to_change(home: Snapshot, target: str) -> Note | None:
    """Find the file that a change of a target goes to: of a symbolic link, the note behind it.

    Raises:
        UsageError: as `find_target`.
    """
    note = find_target(home, target)
    return home.notes[note.same_as] if note is not None and note.same_as else note


def target_path(target: str) -> str | None:
    """Return the path behind ``self`` and ``user``; None for a note's slug."""
    return {"self": INDEX_FILE, "user": USER_FILE}.get(target.strip())


def require_writable(note: Note) -> Note:
    """Return a note that may be rewritten.

    Raises:
        UsageError: when it is a source, a link to another note, could not be read, or is over the
            read cap.
    """
    if note.is_writable:
        return note
    if note.same_as:
        raise UsageError(
            f"it is a symbolic link to {note.same_as}", path=note.path, hint="name that note"
        )
    reason = {
        "source": "it is a source (a daily note, 'dream: false', or front matter that cannot be "
        "read), which is never rewritten",
        "left-out": "it could not be read as UTF-8",
    }.get(note.kind, "it is over 2 MiB, and such a file is never written")
    raise UsageError(f"cannot change it: {reason}", path=note.path)


def new_note_path(home: Snapshot, slug: str) -> str:
    """Return the path for a note that is to be created.

    Raises:
        UsageError: when the slug is unsafe, reserved or taken.
    """
    name = slug.strip().removesuffix(".md")
    if not is_safe_slug(name):
        raise UsageError(
            f"'{slug}' cannot name a note", hint="use letters, digits and '-', without '/'"
        )
    if fold_name(name) in RESERVED:
        raise UsageError(f"'{slug}' is a reserved name", hint="choose another")
    if home.names.folded_slugs.get(fold_name(name)):
        raise UsageError(f"there is a note '{slug}' already")
    folder = home.layout.notes_folder
    path = f"{folder}/{name}.md" if folder else f"{name}.md"
    kind = classify(home.layout, path)
    if any(problem.path == path for problem in home.problems):
        raise UsageError(f"'{slug}' cannot be written", hint=f"'check' tells what {path} is")
    if kind != "note" or path in home.assets:
        raise UsageError(
            f"'{slug}' cannot name a note here",
            hint="names that begin with a date are daily notes, which people write",
        )
    return path


def _notes_named(home: Snapshot, name: str) -> tuple[str, ...]:
    key = name.removesuffix(".md")
    for path in (f"{key}.md", f"{home.layout.notes_folder}/{key}.md".lstrip("/")):
        if path in home.notes:
            return (path,)
    return (
        home.names.slugs.get(key)
        or home.names.folded_slugs.get(fold_name(key))
        or home.names.titles.get(fold_name(key))
        or home.names.aliases.get(fold_name(key))
        or ()
    )
