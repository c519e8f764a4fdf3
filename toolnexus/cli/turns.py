"""Turns that a search found, as fields and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus.cli.console import Styled, one_line
from toolnexus.cli.documents import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus.cli.console import Line
    from toolnexus.transcripts.hit import TurnHit


def turn_hit_fields(hit: TurnHit) -> dict[str, object]:
    """Return a turn as a document's field; start and length count code points of its text."""
    return {
        "in": "transcripts",
        "conversation": hit.conversation,
        "turn": hit.number,
        "role": hit.role,
        "ts": plain(hit.ts),
        "text": hit.excerpt,
        "start": hit.match_start,
        "length": hit.match_length,
        "score": round(hit.score, 4),
    }


def turn_hit_lines(hit: TurnHit) -> Iterator[Line]:
    """Write a turn for a person, the match in bold."""
    when = f"  {plain(hit.ts)}" if hit.ts else ""
    place = Styled(f"{hit.conversation}#{hit.number}", "cyan")
    yield f"{hit.score:.2f}  ", place, f"  {hit.role}{when}"
    end = hit.match_start + hit.match_length
    before, after = hit.excerpt[: hit.match_start], hit.excerpt[end:]
    match = Styled(one_line(hit.excerpt[hit.match_start : end]), "bold")
    yield f"      {_inner(before)}", match, _inner(after)


def _inner(text: str) -> str:
    """Put a text on one line, keeping whether blanks part it from what stands beside it."""
    lead = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and text.strip() else ""
    return f"{lead}{one_line(text)}{tail}"
