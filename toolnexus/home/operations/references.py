"""Definitions of references: they go along with the claims that use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolnexus.errors import UsageError
from toolnexus.home.operations.follow import carry_block
from toolnexus.text.lines import detect_newline
from toolnexus.text.references import definitions_in, labels_used

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus.home.snapshot import Snapshot

    Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Carried:
    """Definitions on their way into another file.

    Attributes:
        lines: Their lines, without line endings.
        idle: Where those stand in the old file that nothing there uses any more.
    """

    lines: tuple[str, ...] = ()
    idle: tuple[Span, ...] = ()

    def added_to(self, text: str) -> str:
        """Return a file's text with them at its end."""
        if not self.lines:
            return text
        newline = detect_newline(text)
        above = text.rstrip("\r\n")
        return newline.join([above, "", *self.lines, ""])


def carry_definitions(
    before: Snapshot, from_path: str, spans: Sequence[Span], after: Snapshot, to_path: str
) -> Carried:
    """Return what has to go along when stretches of a file move to another.

    Args:
        before: The home as read.
        from_path: The file that they leave.
        spans: Where they stand in it.
        after: The home with the file that takes them in.
        to_path: That file.

    Raises:
        UsageError: when that file defines one of the labels otherwise.
    """
    source = before.text(from_path)
    defined = definitions_in(source)
    needed = [label for label in defined if label in labels_used(source, spans)]
    if not needed:
        return Carried()
    places = {label: (each.start, each.end) for label, each in defined.items()}
    there = after.text(to_path)
    known = {
        label: there[each.start : each.end].strip() for label, each in definitions_in(there).items()
    }
    lines: list[str] = []
    for label in needed:
        line = carry_block(before, from_path, places[label], after, to_path).strip()
        if label not in known:
            lines.append(line)
        elif known[label] != line:
            raise UsageError(
                f"{to_path} defines the reference [{label.lower()}] otherwise",
                path=from_path,
                hint="write the link as [words](target) first",
            )
    rest = _beside(len(source), [*spans, *places.values()])
    still = labels_used(source, rest)
    idle = tuple(places[label] for label in needed if label not in still)
    return Carried(tuple(lines), idle)


def _beside(length: int, spans: Sequence[Span]) -> list[Span]:
    """Return the stretches of a text beside some spans."""
    rest, at = [], 0
    for start, end in sorted(spans):
        if start > at:
            rest.append((at, start))
        at = max(at, end)
    return [*rest, (at, length)]
