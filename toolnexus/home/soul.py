"""The soul: what a persona's prompt says about who it is, composed of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.home.layout import INDEX_FILE, SOUL_CAP_BYTES, SOUL_FILES
from toolnexus.home.memory_index import cut_to_cap, cut_to_lines, over_cap
from toolnexus.home.section import clean_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolnexus.home.snapshot import Snapshot


def compose_soul(snapshot: Snapshot, replaced: Mapping[str, str] | None = None) -> str:
    r"""Compose the soul of a home: a section for each soul file that is there.

    Args:
        snapshot: The home.
        replaced: Texts that stand in for a file's own, by name: a beat shows due tasks alone.

    Returns:
        The sections, at most `soul_cap_bytes` of UTF-8; empty for a home without soul files.

    Example:
        >>> from toolnexus.home.snapshot import Snapshot
        >>> home = Snapshot(name="ava").with_texts({"SOUL.md": "# Ava\nKind.\n"})
        >>> compose_soul(home)
        '## SOUL.md\n\n### Ava\nKind.'
    """
    texts = replaced or {}
    sections = []
    for name in SOUL_FILES:
        note = snapshot.notes.get(name)
        if name in texts:
            sections.append((name, texts[name], ""))
        elif note is not None and note.kind != "left-out":
            text, notice = _readable(snapshot, name)
            sections.append((name, text, notice))
    return _joined(sections, snapshot.soul_cap_bytes)


def compose_sections(sections: Iterable[tuple[str, str]], *, cap_bytes: int) -> str:
    r"""Compose a soul of sections that are given by name and text.

    Example:
        >>> compose_sections([("HEARTBEAT.md", "Wake up.")], cap_bytes=1000)
        '## HEARTBEAT.md\n\nWake up.'
    """
    return _joined([(name, text, "") for name, text in sections], cap_bytes)


def _readable(snapshot: Snapshot, name: str) -> tuple[str, str]:
    """Return as much of a soul file as may be read, and a notice of what was cut."""
    text = cut_to_lines(snapshot.text(name), SOUL_CAP_BYTES)
    notice = ""
    if snapshot.notes[name].read_only:
        notice = f"({name} is longer than 2 MiB and is cut here; the file itself is whole.)"
    overrun = over_cap(snapshot) if name == INDEX_FILE else None
    if overrun is None:
        return text, notice
    text = cut_to_cap(text, snapshot.cap)
    return text, f"({name} is over its cap ({overrun}) and is cut here; run `toolnexus dream`.)"


def _joined(sections: Iterable[tuple[str, str, str]], cap_bytes: int) -> str:
    """Join sections up to the cap; the one that would pass it is cut, with a notice."""
    parts: list[str] = []
    room = cap_bytes
    for name, text, notice in sections:
        head = f"## {name}"
        # More than the cap need not be parsed to be thrown away.
        shortened = cut_to_lines(text, cap_bytes)
        section = _section(head, shortened, notice)
        if shortened is not text or _bytes(section) > room:
            parts += _cut_section(head, shortened, room)
            break
        parts.append(section)
        room -= _bytes(section) + 2
    return "\n\n".join(parts)


def _section(head: str, text: str, notice: str) -> str:
    return "\n\n".join(part for part in (head, clean_body(text), notice) if part)


def _cut_section(head: str, text: str, room: int) -> list[str]:
    """Cut a section to the room that is left; without room for its heading nothing is left."""
    notice = "(The soul is over its cap and is cut here; shorten its files.)"
    for spare in (0, 64, 4096):  # closing what the cut leaves open takes a little more
        space = room - _bytes(head) - _bytes(notice) - 4 - spare
        body = clean_body(cut_to_lines(clean_body(text), space)) if space > 0 else ""
        section = "\n\n".join(part for part in (head, body, notice) if part)
        if _bytes(section) <= room:
            return [section]
    return [notice] if _bytes(notice) <= room else []


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
