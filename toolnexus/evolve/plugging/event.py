"""The protocol of a plug, and what it hands over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from toolnexus.clock import parse_instant
from toolnexus.home.ripening import STABILITIES, STAGES

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable

    from toolnexus.home.ripening import Stability, Stage

TEXT_CAP_CHARS = 500_000
NAME_CAP_CHARS = 2_000
_TEXTS = ("id", "text", "title", "scope", "created", "source", "slug")


@dataclass(frozen=True, slots=True)
class PlugEvent:
    """One piece of outside knowledge, which becomes a note.

    Attributes:
        id: What the source knows it by, the same each time: any text. It names no path.
        text: What it says, Markdown.
        title: Its title; empty for none.
        stage: How far it has come; None is ``extracted``, as what agents and tools bring.
        tags: Its tags.
        stability: How long it lasts; None leaves it to the stage.
        scope: The folder below the notes' own that it belongs into; empty leaves it to the plug's
            name. A scope that the caller of `Home.plug` gives goes before it.
        created: When it was made, as ``2026-03-01`` or RFC 3339; empty is the day it came in. An
            event with anything else here is left out, and counted.
        source: Where it is from, for people: a path, an address; empty is the id.
        slug: What the note should be called; empty leaves it to title or id.
        aliases: Other names that the note answers to.
    """

    id: str
    text: str
    title: str = ""
    stage: Stage | None = None
    tags: tuple[str, ...] = ()
    stability: Stability | None = None
    scope: str = ""
    created: str = ""
    source: str = ""
    slug: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlugSkip:
    """Something in a source that becomes no note.

    Attributes:
        reason: Why, in a few words that are the same for all of its kind: they are counted.
        place: Where: a file, or a file and a line.
    """

    reason: str
    place: str = ""


class Plug(Protocol):
    """A source of outside knowledge.

    Name a function that takes the source (a path or any other text) and returns a plug in the
    entry point group ``toolnexus.plugs``; the entry point's name is what ``toolnexus plug`` takes.

    Attributes:
        name: What its notes are known by: letters a to z, digits and ``-``.

    Example:
        >>> class Diary:
        ...     name = "diary"
        ...     def events(self):
        ...         yield PlugEvent("day-1", "Saw the sea.", title="Day one")
    """

    @property
    def name(self) -> str:
        """What its notes are known by."""
        ...

    def events(
        self,
    ) -> Iterable[PlugEvent | PlugSkip] | AsyncIterable[PlugEvent | PlugSkip]:
        """Yield what the source has, one after the other: none is asked for before it is needed."""
        ...


def fault_of(event: PlugEvent) -> str:
    """Tell why an event can become no note; empty when it can.

    Example:
        >>> fault_of(PlugEvent("a", "Tea.")), fault_of(PlugEvent("", "Tea."))
        ('', 'it has no id')
    """
    texts = [getattr(event, name) for name in _TEXTS]
    lists = [event.tags, event.aliases]
    if not all(isinstance(items, tuple | list) for items in lists):
        return "its tags or aliases are no list"
    texts += [item for items in lists for item in items]
    if not all(isinstance(text, str) for text in texts):
        return "it holds a value that should be a text and is none"
    if not event.id.strip():
        return "it has no id"
    if not event.text.strip():
        return "it holds no text"
    if len(event.text) > TEXT_CAP_CHARS:
        return f"it is longer than {TEXT_CAP_CHARS:,} characters: bring it in chunks"
    if any(len(text) > NAME_CAP_CHARS for text in texts if text is not event.text):
        return f"it has a name of over {NAME_CAP_CHARS:,} characters"
    if any("\0" in text or _is_half(text) for text in texts):
        return "it holds a NUL character or half of a surrogate pair"
    return _fault_of_ripening(event)


def _fault_of_ripening(event: PlugEvent) -> str:
    """Tell what is wrong with how old and how ripe an event says it is."""
    if event.stage is not None and event.stage not in STAGES:
        return f"its stage is none of {', '.join(STAGES)}"
    if event.stability is not None and event.stability not in STABILITIES:
        return f"its stability is none of {', '.join(STABILITIES)}"
    if event.created.strip() and not day_of(event.created):
        return "its created is no date such as 2026-03-01 or 2026-03-01T10:00:00Z"
    return ""


def day_of(text: str) -> str:
    """Return a date or an instant as it was written; empty when it is none.

    Example:
        >>> day_of(" 2026-03-01"), day_of("yesterday")
        ('2026-03-01', '')
    """
    try:
        parse_instant(text)
    except (ValueError, OverflowError):
        return ""
    return text.strip()


def _is_half(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)
