"""Paper: the note that an event becomes, with where it is from in its front matter."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from typing import TYPE_CHECKING

from toolnexus.evolve.plugging.event import day_of
from toolnexus.home.note import is_daily
from toolnexus.home.ripening import PLUGGED
from toolnexus.models.redact import Redactor
from toolnexus.text.frontmatter import read_front_matter, render_front_matter
from toolnexus.text.slug import fold_name, slugify

if TYPE_CHECKING:
    from toolnexus.evolve.plugging.event import PlugEvent
    from toolnexus.text.frontmatter import Scalar

PLUG_ID = "plug_id"
_TITLE_CAP_CHARS = 200
_SOURCE_CAP_CHARS = 300
_CHECK_CHARS = 8


def id_of(event_id: str) -> str:
    """Return what an event's id is kept as: it may hold anything, secrets too.

    Example:
        >>> len(id_of("https://example.org/a"))
        16
    """
    return _digest(event_id)


def digest_of_event(event: PlugEvent) -> str:
    """Return what tells whether an event is as it was."""
    return _digest(json.dumps(astuple(event), ensure_ascii=True))


def digest_of_source(source: str, scope: str) -> str:
    """Return what tells the runs of one source into one scope from all others of a plug."""
    return _digest(f"{source}\n{scope}")


def paper_of(plug: str, event: PlugEvent, today: str, before: str = "") -> str:
    """Write the note that an event becomes.

    Its front matter is ours and stands first, so that nothing in the text can pose as it. What was
    made elsewhere long ago is new here: ``updated`` tells when it came in, or came in changed.

    Args:
        plug: The plug's name.
        event: The event.
        today: The day.
        before: The note as it was; the days that it tells stay where nothing else changed.
    """
    same = _paper(plug, event, today, before, _day_in(before, "updated"))
    return same if same == before else _paper(plug, event, today, before, today)


def _paper(plug: str, event: PlugEvent, today: str, before: str, updated: str) -> str:
    fields: dict[str, Scalar | list[str]] = {}
    if title := _line(event.title, _TITLE_CAP_CHARS):
        fields["title"] = title
    for key, names in (("tags", event.tags), ("aliases", event.aliases)):
        if listed := [name for name in (_line(each, 100).lstrip("#") for each in names) if name]:
            fields[key] = list(dict.fromkeys(listed))
    fields["stage"] = event.stage or "extracted"
    if event.stability is not None:
        fields["stability"] = event.stability
    fields["created"] = day_of(event.created) or _day_in(before, "created") or today
    if updated and fields["created"] != updated:
        fields["updated"] = updated
    fields[PLUGGED] = plug
    fields["source"] = _line(Redactor().text(event.source or event.id), _SOURCE_CAP_CHARS)
    fields[PLUG_ID] = id_of(event.id)
    body = event.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return f"{render_front_matter(fields)}\n{body}\n"


def is_of(text: str, plug: str, event_id: str) -> bool:
    """Tell whether a note came from an event, by its front matter."""
    fields = read_front_matter(text)[0].fields
    return (fields.get(PLUGGED), str(fields.get(PLUG_ID))) == (plug, id_of(event_id))


def slugs_for(plug: str, event: PlugEvent) -> tuple[str, str]:
    """Return what a note may be called: the name that it should have, and one that none has.

    Example:
        >>> from toolnexus.evolve.plugging.event import PlugEvent
        >>> slugs_for("web", PlugEvent("../../etc/passwd", "x"))[0]
        'etc-passwd'
    """
    wanted = next(filter(None, (event.slug, event.title, event.id)))
    check = id_of(event.id)[:_CHECK_CHARS]
    slug = slugify(wanted)
    if Redactor().text(wanted) != wanted or not any(char.isalnum() for char in wanted):
        slug = f"{plug}-{check}"
    elif is_daily(f"{slug}.md"):
        slug = f"{plug}-{slug}"  # a name that begins with a date is a person's daily note
    return slug, f"{slug}-{check}"


def folded_slug(path: str) -> str:
    """Return what two notes of one name have in common."""
    return fold_name(path.rpartition("/")[2].removesuffix(".md"))


def _line(text: str, most: int) -> str:
    """Put a name on one line without control characters."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(shown.split())[:most].strip()


def _day_in(before: str, key: str) -> str:
    found = read_front_matter(before)[0].fields.get(key) if before else None
    return day_of(found) if isinstance(found, str) else ""


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
